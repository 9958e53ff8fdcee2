import { expect, it } from 'vitest';
import { CardLines } from '../../../src/renderer/design/card-lines.svelte.ts';

/** Three columns of lines of 100 pixels, headings of 40; 200 pixels are visible. */
function linesOf(groups: readonly number[], hasHeadings = true): CardLines {
  return new CardLines(
    () => ({
      ...{ groups, hasHeadings, headingHeight: 40, columns: 3 },
      ...{ lineHeight: 100, height: 200, margin: 0 },
    }),
    () => undefined,
  );
}

/** Where a key moves the cursor to. */
function press(lines: CardLines, key: string, cursor: number): number | null {
  const event = { key, altKey: false, preventDefault: () => undefined };
  return lines.follow(event as KeyboardEvent, cursor);
}

it('places cards in lines below the heading of their group', () => {
  const lines = linesOf([4, 2]);
  expect([0, 2, 3, 4, 5].map((index) => lines.placeOf(index))).toEqual([
    { column: 0, top: 40 },
    { column: 2, top: 40 },
    { column: 0, top: 140 },
    { column: 0, top: 280 },
    { column: 1, top: 280 },
  ]);
  expect(lines.fullHeight).toBe(380);
  expect(lines.headings).toEqual([
    { group: 0, top: 0 },
    { group: 1, top: 240 },
  ]);
});

it('renders the visible cards and a line beyond each edge', () => {
  const lines = linesOf([3000, 3000]);
  expect(lines.range).toEqual({ first: 0, last: 11 });
  lines.scrollTop = 50_000;
  const { first, last } = lines.range;
  expect(lines.placeOf(first).top).toBeLessThanOrEqual(50_000);
  expect(lines.placeOf(last).top).toBeGreaterThanOrEqual(50_100);
  expect(last - first).toBeLessThan(18);
});

it('moves by keys across groups, in the same column where there is a card', () => {
  const lines = linesOf([4, 2, 3]);
  // 0 1 2 / 3 | 4 5 | 6 7 8
  expect(press(lines, 'ArrowDown', 0)).toBe(3);
  expect(press(lines, 'ArrowDown', 2)).toBe(3);
  expect(press(lines, 'ArrowDown', 3)).toBe(4);
  expect(press(lines, 'ArrowUp', 5)).toBe(3);
  expect(press(lines, 'ArrowUp', 8)).toBe(5);
  expect(press(lines, 'ArrowRight', 3)).toBe(4);
  expect(press(lines, 'ArrowUp', 1)).toBe(1);
  expect(press(lines, 'End', 0)).toBe(8);
  expect(press(lines, 'PageDown', 0)).toBe(4);
});

it('has no headings without groups', () => {
  const lines = linesOf([5], false);
  expect(lines.headings).toEqual([]);
  expect(lines.placeOf(3)).toEqual({ column: 0, top: 100 });
});
