import '../../../rigs/golden/no-system-fonts.ts';
import { describe, expect, it } from 'vitest';
import { checkLayout } from '../../../../src/local-service/rendering/layout-check.ts';
import { LOOK_NAMES } from '../../../../src/local-service/rendering/looks/look-names.ts';
import { EVERY_KIND, RED_PIXEL, storyboard } from '../../../rigs/storyboards.ts';

const ofScene = (scene: Record<string, unknown>, fields: Record<string, unknown> = {}) =>
  checkLayout(storyboard({ aspect: '16:9', scenes: [scene], ...fields }));

describe('the check of a layout', () => {
  it.each(LOOK_NAMES)('has nothing against usual texts in the look %s', async (look) => {
    for (const aspect of ['16:9', '9:16', '1:1', '4:5']) {
      for (const picture of [undefined, RED_PIXEL]) {
        const board = storyboard({ look, aspect, picture, scenes: EVERY_KIND });
        expect(await checkLayout(board)).toEqual([]);
      }
    }
  });

  it('names texts that become too small, and how many characters fit', async () => {
    const item = 'An item of so many words that eight of its kind can hardly stand in one frame. ';
    const items = Array.from({ length: 8 }, (_, index) =>
      `${index} ${item.repeat(2)}`.slice(0, 155),
    );
    const faults = await ofScene({ kind: 'list', items, seconds: 30 }, { look: 'gallery' });
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) {
      expect(fault.kind).toBe('too-long');
      expect(items).toContain(fault.text.trim());
      expect(fault.fits).toBeLessThan(fault.text.length);
      expect(fault.fits).toBeGreaterThan(20);
    }
    // So many of them do fit.
    const { fits } = faults[0]!;
    const shorter = items.map((text) => text.slice(0, fits).trim());
    expect(
      await ofScene({ kind: 'list', items: shorter, seconds: 30 }, { look: 'gallery' }),
    ).toEqual([]);
  });

  it('names words that no line can hold, but not those that can be hyphenated', async () => {
    const compound = 'Geschwindigkeitsbegrenzungsaufhebung';
    expect(await ofScene({ kind: 'title', text: compound }, { aspect: '9:16' })).toEqual([]);
    const faults = await ofScene({ kind: 'title', text: 'w'.repeat(120) }, { aspect: '9:16' });
    expect(faults).toMatchObject([{ kind: 'broken-word' }]);
  });

  it('does not look at pictures', async () => {
    const scenes = [{ kind: 'image', image: 'unknown-upload' }];
    expect(await checkLayout(storyboard({ picture: 'another-upload', scenes }))).toEqual([]);
  });
});
