import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Film } from '../../../../src/local-service/rendering/film.ts';
import { loadImages } from '../../../../src/local-service/rendering/image-source.ts';
import { EVERY_KIND, storyboard } from '../../../rigs/storyboards.ts';

const board = storyboard({ scenes: EVERY_KIND.map((scene) => ({ ...scene, seconds: 1.5 })) });
const images = await loadImages(board, {});

function fingerprint(film: Film, frame: number): string {
  return createHash('sha256').update(film.draw(frame).canvas.data()).digest('hex');
}

describe('a film', () => {
  it('has the same frames each time, in whatever order they are drawn', () => {
    // From each scene: its way in, its middle, its way out.
    const frames = [0, 5, 30, 35, 36, 40, 60, 75, 80, 100, 110, 130, 146, 170, 182, 190, 215];
    const forwards = new Film(board, images);
    const expected = frames.map((frame) => fingerprint(forwards, frame));
    const backwards = new Film(board, images);
    const actual = frames.toReversed().map((frame) => fingerprint(backwards, frame));
    expect(actual.toReversed()).toEqual(expected);
    expect(new Set(expected).size).toBeGreaterThan(frames.length - 3);
  });

  it('stands still between moves of the light once all has arrived', () => {
    const film = new Film(
      storyboard({ scenes: [{ kind: 'title', text: 'Hi', seconds: 6 }] }),
      images,
    );
    let still = 0;
    for (let frame = 60; frame < 84; frame++) if (!film.draw(frame).changed) still++;
    expect(still).toBeGreaterThanOrEqual(16);
  });

  it('shows a scene fully arrived on its poster', () => {
    const film = new Film(board, images);
    expect(film.posterFrame).toBeGreaterThan(12);
    expect(film.posterFrame).toBeLessThan(36);
  });

  it('looks different under another title, and the same under the same', () => {
    const scenes = [{ kind: 'text', text: 'Same', seconds: 2 }];
    const still = (title: string) =>
      fingerprint(new Film(storyboard({ title, scenes }), images), 20);
    expect(still('One')).toBe(still('One'));
    expect(still('One')).not.toBe(still('Two'));
  });
});
