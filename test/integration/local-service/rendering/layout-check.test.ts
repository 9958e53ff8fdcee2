import '../../../rigs/golden/no-system-fonts.ts';
import { describe, expect, it } from 'vitest';
import { contrast } from '../../../../src/local-service/rendering/colour.ts';
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
    const found = await ofScene({ kind: 'list', items, seconds: 30 }, { look: 'gallery' });
    const issues = found.filter((issue) => issue.kind !== 'low-contrast');
    expect(issues).toEqual(found);
    expect(issues.length).toBeGreaterThan(0);
    for (const issue of issues) {
      expect(issue.kind).toBe('too-long');
      expect(items).toContain(issue.text.trim());
      expect(issue.fits).toBeLessThan(issue.text.length);
      expect(issue.fits).toBeGreaterThan(20);
    }
    // So many of them do fit.
    const { fits } = issues[0]!;
    const shorter = items.map((text) => text.slice(0, fits).trim());
    expect(
      await ofScene({ kind: 'list', items: shorter, seconds: 30 }, { look: 'gallery' }),
    ).toEqual([]);
  });

  it('names words that no line can hold, but not those that can be hyphenated', async () => {
    const compound = 'Geschwindigkeitsbegrenzungsaufhebung';
    expect(await ofScene({ kind: 'title', text: compound }, { aspect: '9:16' })).toEqual([]);
    const issues = await ofScene({ kind: 'title', text: 'w'.repeat(120) }, { aspect: '9:16' });
    expect(issues).toMatchObject([{ kind: 'broken-word' }]);
  });

  it.each(LOOK_NAMES)(
    'names colours that the look %s changes, with what it draws',
    async (look) => {
      const title = { kind: 'title', text: 'Title' };
      const theme = { background: '#777777', text: '#888888', accent: '#7a7a7a' };
      const issues = await ofScene(title, { look, theme });
      expect(issues.map(({ text, kind }) => [text, kind])).toEqual([
        ['#888888', 'low-contrast'],
        ['#7a7a7a', 'low-contrast'],
      ]);
      for (const [issue, least] of [
        [issues[0]!, 4.5],
        [issues[1]!, 3],
      ] as const) {
        expect('nearest' in issue && contrast(issue.nearest, '#777777')).toBeGreaterThanOrEqual(
          least,
        );
      }
      for (const fine of [
        { accent: '#e4572e' },
        { accent: '#ffd400', background: '#101010', text: '#fafafa' },
        { accent: '#7a1f3d', background: '#ffffff', text: '#6b6b6b' },
      ]) {
        expect(await ofScene(title, { look, theme: fine }), JSON.stringify(fine)).toEqual([]);
      }
    },
  );

  it('does not look at pictures', async () => {
    const scenes = [{ kind: 'image', image: 'unknown-upload' }];
    expect(await checkLayout(storyboard({ picture: 'another-upload', scenes }))).toEqual([]);
  });

  it.each(['picture', 'lesson'])(
    'sets text as it stands with a clip in the look %s',
    async (look) => {
      const items = Array.from({ length: 8 }, (_, at) =>
        `${at} Words that have space. `.repeat(9).slice(0, 70),
      );
      const scene = { kind: 'list', items, seconds: 30 };
      expect(await ofScene(scene, { look })).toEqual([]);
      // Its file is not looked at.
      const background = { asset: 'unknown-upload' };
      const [issue] = await ofScene({ ...scene, background }, { look });
      expect(issue).toMatchObject({ kind: 'too-long' });
    },
  );

  it('has nothing against colours that a picture or a clip covers', async () => {
    const theme = { background: '#777777', text: '#888888' };
    const title = { kind: 'title', text: 'Title' };
    const background = { asset: 'unknown-upload' };
    const withClip = { ...title, background };
    const issues = async (scenes: unknown[], fields: object = {}) =>
      (await checkLayout(storyboard({ look: 'picture', theme, scenes, ...fields }))).length;
    expect(await issues([title])).toBe(1);
    expect(await issues([title, withClip])).toBe(1);
    expect(await issues([withClip, withClip])).toBe(0);
    expect(await issues([title], { picture: 'unknown-upload' })).toBe(0);
    expect(await issues([withClip], { look: 'market' })).toBe(1);
  });
});
