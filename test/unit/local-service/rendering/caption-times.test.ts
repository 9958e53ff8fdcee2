import { describe, expect, it } from 'vitest';
import {
  inTurn,
  secondsFor,
  spread,
} from '../../../../src/local-service/rendering/captions/caption-times.ts';
import { captionsOf } from '../../../../src/local-service/rendering/captions/caption-track.ts';
import { costOf, storyboardSchema } from '../../../../src/local-service/rendering/storyboard.ts';
import { storyboard } from '../../../rigs/storyboards.ts';

const caption = (from: number, to: number, text: string) => ({ from, to, text });

describe('captions in turn', () => {
  it('are in the order of their times, whatever the order of their list', () => {
    const captions = [caption(4, 5, 'two'), caption(1, 2, 'one')];
    expect(inTurn(captions)).toEqual([caption(1, 2, 'one'), caption(4, 5, 'two')]);
  });

  it('are together while they overlap', () => {
    expect(inTurn([caption(1, 4, 'Ada'), caption(2, 6, 'Bo')])).toEqual([
      caption(1, 2, 'Ada'),
      caption(2, 4, 'Ada\nBo'),
      caption(4, 6, 'Bo'),
    ]);
  });

  it('are the latest few, if many begin before one ends', () => {
    const captions = Array.from({ length: 2000 }, (_, at) => caption(at, 5000, `${at}`));
    const shown = inTurn(captions);
    expect(shown).toHaveLength(2000);
    expect(shown.at(-1)).toEqual(caption(1999, 5000, '1996\n1997\n1998\n1999'));
  });

  it('follow each other if they overlap for a moment only', () => {
    expect(inTurn([caption(1, 2.2, 'Ada'), caption(2, 3, 'Bo')])).toEqual([
      caption(1, 2, 'Ada'),
      caption(2, 3, 'Bo'),
    ]);
  });

  it('are together if they begin at one time, however short they are', () => {
    expect(inTurn([caption(1, 1.2, 'Ada'), caption(1, 3, 'Bo')])).toEqual([
      caption(1, 1.2, 'Ada\nBo'),
      caption(1.2, 3, 'Bo'),
    ]);
  });
});

describe('a text without times', () => {
  it('is shown by sentences and lines, each as long as it is', () => {
    expect(spread('One two. Three\nFour.', 18)).toEqual([
      caption(0, 8, 'One two.'),
      caption(8, 13, 'Three'),
      caption(13, 18, 'Four.'),
    ]);
  });

  it('has the times of the voice, and nothing is shown while the voice is silent', () => {
    /** A second of speech, two of silence, and two of speech, from 0.5 s on. */
    const speech = Array.from({ length: 700 }, (_, step) => {
      const at = step - 50;
      return (at >= 0 && at < 100) || (at >= 300 && at < 500);
    });
    // By their lengths, the first would last until 0.2 s after the second pause.
    expect(spread('Good day all. This is a bit longer.', 7, speech)).toEqual([
      caption(0.5, 1.5, 'Good day all.'),
      caption(3.5, 5.5, 'This is a bit longer.'),
    ]);
  });

  it('has all of the time under a voice that never speaks', () => {
    expect(spread('Here.', 3, [false, false])).toEqual([caption(0, 3, 'Here.')]);
  });

  it('ends with the video, also if the voice does not', () => {
    const speech = Array.from({ length: 1000 }, () => true);
    expect(spread('Here.', 3, speech)).toEqual([caption(0, 3, 'Here.')]);
  });

  it('needs the time to read it', () => {
    expect(secondsFor('x'.repeat(170))).toBeCloseTo(10);
    expect(secondsFor('Go.\nNow.')).toBe(2);
  });
});

describe('the frames of a caption', () => {
  it('begin and end with the one that is nearest to its time', () => {
    const captions = [caption(1.019, 2.022, 'one'), caption(3, 3.01, 'never')];
    expect(captionsOf({ captions, fps: 25 }, 100)).toEqual([{ first: 25, end: 51, text: 'one' }]);
  });
});

describe('a video with captions', () => {
  const scenes = [{ kind: 'title', text: 'Hello' }];

  it('lasts as long as they do, if nothing says how long it lasts', () => {
    const captions = [caption(1, 20, 'Wait')];
    expect(costOf(storyboard({ scenes, captions })).seconds).toBeCloseTo(20);
    expect(costOf(storyboard({ scenes, captions, duration: 5 })).seconds).toBeCloseTo(5);
    const fixed = [{ ...scenes[0], seconds: 2 }];
    expect(costOf(storyboard({ scenes: fixed, captions })).seconds).toBeCloseTo(2);
  });

  it.each([
    [[caption(2, 2, 'x')], 'must be later than from'],
    [[caption(0, 601, 'x')], 'take 601 s; a video may last 600 s at most'],
    [[caption(-1, 1, 'x')], 'must be at least 0'],
    [[{ from: 0, to: 1 }], 'must be text'],
    [[], 'must have at least 1 caption'],
    [7, 'must be text, or a list of captions with from, to and text'],
  ])('is refused with %j', (captions, reason) => {
    const parsed = storyboardSchema.safeParse({ title: 'x', scenes, captions });
    expect(JSON.stringify(parsed.error?.issues)).toContain(reason);
  });
});
