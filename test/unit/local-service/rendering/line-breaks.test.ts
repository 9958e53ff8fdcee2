import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineBreaker } from '../../../../src/local-service/rendering/line-breaks.ts';

/** Every character is one wide. */
const measure = (text: string) => Array.from(text).length;
const lines = (text: string, width: number) => new LineBreaker(text, measure).balanced(width);

describe('line breaks', () => {
  it('make as few lines as possible, and then even ones', () => {
    expect(lines('one two three four five six', 20)).toEqual(['one two three', 'four five six']);
  });

  it('stay where the author put them', () => {
    expect(lines('one\ntwo', 20)).toEqual(['one', 'two']);
  });

  it('fall inside a word only when no line can hold it', () => {
    expect(lines('a abcdefgh b', 5)).toEqual(['a', 'abcde', 'fgh b']);
  });

  it('never split a grapheme', () => {
    expect(lines('👩‍👩‍👧👩‍👩‍👧', 5)).toEqual(['👩‍👩‍👧', '👩‍👩‍👧']);
  });

  it('may follow any word of a script written without spaces', () => {
    expect(lines('日本語の文章を書く', 5).length).toBeGreaterThan(1);
  });

  it('lose no character, and make no line wider than the limit', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.integer({ min: 1, max: 60 }), (text, width) => {
        const broken = lines(text, width);
        const solid = (t: string) => t.replaceAll(/[\s\u200b]+/gu, '');
        expect(solid(broken.join(''))).toBe(solid(text));
        for (const line of broken) expect(measure(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
