import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOOK_NAMES } from '../../../../src/local-service/rendering/looks/look-names.ts';
import { costOf } from '../../../../src/local-service/rendering/storyboard.ts';
import { cutsOf, sceneTimings } from '../../../../src/local-service/rendering/timeline.ts';
import { RED_PIXEL, storyboard } from '../../../rigs/storyboards.ts';

describe('the timeline', () => {
  it('orders scenes without a gap or an overlap', () => {
    const seconds = fc.double({ min: 0.5, max: 20, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(seconds, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 24, max: 60 }),
        (lengths, fps) => {
          const scenes = lengths.map((length) => ({ kind: 'title', text: 'x', seconds: length }));
          const board = storyboard({ scenes, fps });
          let next = 0;
          for (const timing of sceneTimings(board)) {
            expect(timing.first).toBe(next);
            expect(timing.frames).toBeGreaterThan(0);
            next += timing.frames;
          }
          expect(Math.abs(next - costOf(board).frames)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it.each(LOOK_NAMES)('moves no page of %s up through captions, and varies', (look) => {
    const scenes = ['one', 'two', 'three', 'four'].map((text) => ({ kind: 'title', text }));
    const board = storyboard({ look, scenes, captions: 'Said meanwhile.' });
    const transitions = sceneTimings(board).map(({ transition }) => transition);
    expect(transitions).not.toContain('rise');
    const [, second, third, fourth] = transitions;
    expect(second).not.toBe(third);
    expect(third).not.toBe(fourth);
  });

  it('enters every page by the transition of its scene, and other pages of a scene by a fade', () => {
    const long = 'A sentence of seven words is this. '.repeat(12);
    const timings = sceneTimings(
      storyboard({
        scenes: [
          { kind: 'title', text: 'a', transition: 'wipe' },
          { kind: 'text', text: long, transition: 'slide' },
          { kind: 'title', text: 'b', transition: 'wipe' },
        ],
      }),
    );
    expect(timings.map(({ transition }) => transition)).toEqual([
      'none',
      'slide',
      'fade',
      'fade',
      'wipe',
    ]);
  });

  it.each(LOOK_NAMES.flatMap((look) => [{ look }, { look, captions: 'Said meanwhile.' }]))(
    'does not fade a picture into itself in another place: %o',
    (fields) => {
      const timings = sceneTimings(
        storyboard({
          ...fields,
          scenes: [
            { kind: 'title', text: 'a' },
            { kind: 'gallery', images: [RED_PIXEL] },
            { kind: 'text', text: 'b' },
            { kind: 'text', text: 'c' },
          ],
        }),
      );
      const [, shown, behind, other] = timings.map(({ transition }) => transition);
      expect([shown, behind]).not.toContain('fade');
      expect(shown).not.toBe(behind);
      expect(behind).not.toBe(other);
    },
  );

  it('tells when a page begins to cover the one before it', () => {
    const scenes = [2, 3, 4].map((seconds) => ({ kind: 'title', text: 'x', seconds }));
    expect(cutsOf(storyboard({ scenes, fps: 24 }))).toEqual([2, 5]);
  });
});
