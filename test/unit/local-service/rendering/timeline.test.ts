import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../../../src/local-service/rendering/storyboard.ts';
import { sceneTimings } from '../../../../src/local-service/rendering/timeline.ts';
import { storyboard } from '../../../rigs/storyboards.ts';

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

  it('enters every scene by its own transition and leaves it by the next scene’s', () => {
    const timings = sceneTimings(
      storyboard({
        scenes: [
          { kind: 'title', text: 'a', transition: 'wipe' },
          { kind: 'title', text: 'b', transition: 'slide' },
        ],
      }),
    );
    expect(timings.map(({ transition, next }) => [transition, next])).toEqual([
      ['none', 'slide'],
      ['slide', 'fade'],
    ]);
  });
});
