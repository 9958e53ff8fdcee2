import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineBreaker } from '../../../../src/local-service/rendering/line-breaks.ts';

/** Every character is one wide. */
const measure = (text: string) => Array.from(text).length;
const lines = (text: string, width: number) => new LineBreaker(text, measure).broken(width).lines;

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

  it('leave no word alone in the last line', () => {
    expect(lines('one two three four five six end', 14)).toEqual([
      'one two',
      'three four',
      'five six end',
    ]);
  });

  it('cost more where a short word stands alone in the first of several lines', () => {
    const text = 'Order enormous quantities altogether';
    const costAt = (width: number) => new LineBreaker(text, measure).broken(width).cost;
    expect(lines(text, 12)).toEqual(['Order', 'enormous', 'quantities', 'altogether']);
    expect(costAt(12)).toBeGreaterThan(0.8);
  });

  it('leave a long word alone in the last line rather than a short one in the first', () => {
    expect(lines('Nur bis Samstag', 14)).toEqual(['Nur bis', 'Samstag']);
  });

  it('leave no short word alone in the first line', () => {
    expect(lines('A wonderful thing', 12)).toEqual(['A wonderful', 'thing']);
  });

  it('keep articles, prepositions and numbers with what follows them', () => {
    expect(lines('We open the door', 11)).toEqual(['We open', 'the door']);
    expect(lines('Costs only 98 grams', 14)).toEqual(['Costs only', '98 grams']);
  });

  it('never fall at a no-break space', () => {
    for (const space of ['\u00a0', '\u202f']) {
      expect(lines(`costs 12${space}€ now`, 8)).toEqual(['costs', `12${space}€ now`]);
    }
  });

  it('fall after the slashes and dots of an address, and after hyphens', () => {
    expect(lines('www.example.org/shop/bags', 17)).toEqual(['www.example.', 'org/shop/bags']);
    expect(lines('Launch-Wochenende', 12)).toEqual(['Launch-', 'Wochenende']);
  });

  it('hyphenate a word that no line can hold, and never two that fit', () => {
    const hyphenate = (word: string) => (word === 'Wanderwege' ? ['Wander', 'wege'] : [word]);
    const broken = (text: string, width: number) =>
      new LineBreaker(text, measure, hyphenate).broken(width).lines;
    expect(broken('Wanderwege', 8)).toEqual(['Wander-', 'wege']);
    expect(broken('Wanderwege', 10)).toEqual(['Wanderwege']);
    expect(broken('Wan\u00adderwege', 8)).toEqual(['Wan-', 'derwege']);
    expect(broken('Wan\u00adderwege', 10)).toEqual(['Wanderwege']);
  });

  it('break a word in its middle rather than near its beginning', () => {
    const hyphenate = (word: string) =>
      word === 'Bundesautobahnen' ? ['Bun', 'des', 'au', 'to', 'bah', 'nen'] : [word];
    const text = 'Geschwindigkeit und Tempo auf Bundesautobahnen';
    const { lines: broken, hyphenCost } = new LineBreaker(text, measure, hyphenate).broken(15);
    expect(broken.slice(-2)).toEqual(['auf Bundes-', 'autobahnen']);
    expect(hyphenCost).toBe(0.6);
    expect(new LineBreaker(text, measure, hyphenate).broken(16).hyphenCost).toBe(0);
  });
});
