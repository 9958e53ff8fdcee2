/** Sets the items of a list in columns: numbers, names and prices, or the parts of a programme. */
import { type LayoutContext, styleOf } from '../layout-context.ts';
import type { FittedText, TextStyle } from '../text-layout.ts';
import { isCounted, splitValue, withoutBullets } from '../typography.ts';
import { splitPrice } from './price.ts';

/** A text in a row; `x` and `y` are from the start of the row, in pixels. */
export interface RowPart {
  readonly text: FittedText;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Whether it ends at the end of its column. */
  readonly isEnd: boolean;
  /** Whether it stays on one line while there is a smaller size, as dates and prices do. */
  readonly isFixed: boolean;
}

interface Room {
  readonly width: number;
  /** Of all items of a page together. */
  readonly height: number;
  /** At least so much is above and below each item. */
  readonly padding: number;
  readonly style: TextStyle;
  readonly largest: number;
  /** Items have no more than {@link MAX_LINES} in larger text. */
  readonly usual: number;
  /** Words are not broken in larger text. */
  readonly smallest: number;
}

/** Between the parts of a programme, such as “12.05. · Berlin · Lido”. */
const SEPARATOR = /\s+[·•|–—]\s+|\t+/u;
/** Such as “14:30–15:30 Uhr”, “9 am” or “12.09.”. */
const TIME = [
  String.raw`\d{1,2}:\d\d(?:\s?[–-]\s?\d{1,2}:\d\d)?(?:\s?(?:Uhr|[ap]m))?`,
  String.raw`\d{1,2}(?:\.\d\d)?\s?(?:Uhr|[ap]m)`,
  String.raw`\d{1,2}\.\d{1,2}\.(?:\d{4})?`,
].join('|');
const TIME_FIRST = new RegExp(String.raw`^(${TIME})[:,]?\s+(\S.*)$`, 'iu');
const MAX_PARTS = 3;
const MAX_LINES = 2;
/** Between columns, in g. */
const GAP = { least: 2.4, most: 7 };
const SHRINK_STEP = 0.95;
/** The size of a part that stands below another one, in parts of that one's. */
const BELOW = 0.62;

/** The rows of all pages of a list. All items have the same font size. */
export function columnsOf(
  parts: readonly { readonly items: readonly string[] }[],
  layout: LayoutContext,
  room: Room,
): { pages: RowPart[][][]; rightToLeft: boolean } {
  const items = withoutBullets(parts.flatMap((part) => part.items));
  const inParts = programmeOf(items);
  const priced =
    inParts === undefined && items.some((item) => splitPrice(item).price !== undefined);
  const programme = priced ? undefined : (inParts ?? timesOf(items));
  const cells = programme ?? items.map(priced ? nameAndValue : (item) => [item]);
  // Names and prices are no steps to count.
  const isNumbered =
    layout.look.list.numbers && !isCounted(items) && programme === undefined && !priced;
  // Where three columns side by side are too narrow for as large a text.
  const isStacked =
    programme !== undefined && layout.width <= layout.height && sizeFor(true) > sizeFor(false);
  const rows = setAt(sizeFor(isStacked), isStacked);
  return { pages: pagesOf(rows), rightToLeft: rows[0]?.at(-1)?.text.rightToLeft ?? false };

  function pagesOf(all: RowPart[][]): RowPart[][][] {
    let end = 0;
    return parts.map((part) => all.slice(end, (end += part.items.length)));
  }

  /** The largest size at which all items of each page fit under one another. */
  function sizeFor(stacked: boolean): number {
    let size = room.largest;
    while (size > 1 && !fits(size, setAt(size, stacked))) size = Math.max(1, size * SHRINK_STEP);
    return size;
  }

  function fits(size: number, all: RowPart[][]): boolean {
    return (
      pagesOf(all).every((page) => heightOf(page, room.padding) <= room.height) &&
      (size <= room.smallest || !breaksWrongly(all)) &&
      (size <= room.usual || !hasManyLines(all))
    );
  }

  function hasManyLines(all: RowPart[][]): boolean {
    return all.some((row) => row.some(({ text }) => text.lines.length > MAX_LINES));
  }

  function breaksWrongly(all: RowPart[][]): boolean {
    return all.some((row) =>
      row.some(({ text, isFixed }) => text.breaksWords || (isFixed && text.lines.length > 1)),
    );
  }

  function setAt(size: number, stacked: boolean): RowPart[][] {
    const limits = { largest: size, smallest: size, height: room.height };
    const { palette, textLayout } = layout;
    const numberStyle = { ...room.style, weight: 600, colour: palette.accentText, tabular: true };
    const numberWidth = isNumbered ? size * 1.9 : 0;
    // Where all text has the colour of the accent, dates are paler than what is on them.
    const isAccented = programme !== undefined && palette.accentText === room.style.colour;
    const fixed = isAccented ? palette.secondaryText : palette.accentText;
    const { widths, gap } = widthsAt(size, room.width - numberWidth, stacked);
    return cells.map((row, index) => {
      const set: RowPart[] = [];
      if (isNumbered) {
        const number = String(index + 1).padStart(2, '0');
        const own = { ...limits, width: numberWidth };
        const text = textLayout.fit(number, numberStyle, own);
        set.push({ text, x: 0, y: 0, width: text.width, isEnd: false, isFixed: false });
      }
      let x = numberWidth;
      for (const [column, cell] of row.entries()) {
        if (cell === '') continue;
        const isAlone = priced && row[1] === '';
        const width = isAlone ? room.width - numberWidth : (widths[column] ?? room.width);
        const isEnd = priced && column === 1;
        const isBelow = stacked && column === 2;
        const isFixed = isEnd || (programme !== undefined && column === 0);
        const colour = isFixed ? fixed : isBelow ? palette.secondaryText : room.style.colour;
        const base = isBelow ? styleOf(layout.look.type.label, colour) : room.style;
        const style = { ...base, colour, tabular: row.length > 1 };
        const own = isBelow ? size * BELOW : size;
        const text = textLayout.fit(cell, style, { ...limits, largest: own, smallest: own, width });
        const y = isBelow ? (set.at(-1)?.text.height ?? 0) : 0;
        set.push({ text, x, y, width, isEnd, isFixed });
        if (!stacked || column === 0) x += width + gap;
      }
      return set;
    });
  }

  /** Of the columns: those of dates and prices are as wide as they need, the rest shares. */
  function widthsAt(
    size: number,
    width: number,
    stacked: boolean,
  ): { widths: number[]; gap: number } {
    const count = cells[0]?.length ?? 1;
    if (count === 1) return { widths: [width], gap: 0 };
    if (stacked) return stackedAt(size, width);
    const natural = Array.from({ length: count }, (_, column) =>
      Math.max(0, ...cells.map((row) => widthOf(row[column] ?? '', size))),
    );
    const sum = natural.reduce((total, each) => total + each, 0);
    const { g } = layout;
    const spare = (width - sum) / (count - 1);
    const gap = programme ? Math.min(GAP.most * g, Math.max(GAP.least * g, spare)) : GAP.least * g;
    const space = width - gap * (count - 1);
    const flexible = programme ? count - 1 : 0;
    const fixed = sum - (natural[flexible] ?? 0);
    const isTight = fixed > space * 0.6;
    const widths = natural.map((each, column) => {
      if (isTight) return (each / sum) * space;
      return column === flexible ? space - fixed : each;
    });
    return { widths, gap };
  }

  /** The first column, and all others below one another. */
  function stackedAt(size: number, width: number): { widths: number[]; gap: number } {
    const gap = GAP.least * layout.g;
    const first = Math.max(...cells.map(([cell = '']) => widthOf(cell, size)));
    const rest = Math.max(1, width - first - gap);
    return { widths: [first, rest, rest], gap };
  }

  function widthOf(text: string, size: number): number {
    if (text === '') return 0;
    const wide = { width: 1e5, height: 1e5, largest: size, smallest: size };
    return layout.textLayout.fit(text, { ...room.style, tabular: true }, wide).width + 1;
  }
}

/** In pixels. */
export function rowHeight(parts: readonly RowPart[]): number {
  return Math.max(...parts.map(({ text, y }) => y + text.height));
}

/** Of rows with this padding above and below each, in pixels. */
export function heightOf(rows: readonly (readonly RowPart[])[], padding: number): number {
  return rows.reduce((sum, row) => sum + rowHeight(row) + 2 * padding, 0);
}

/** A price, or the value that stands under the prices of other items. */
function nameAndValue(item: string): string[] {
  const { name, price } = splitPrice(item);
  if (price !== undefined) return [name, price];
  const quantity = splitValue(item);
  return [quantity.name, quantity.value ?? ''];
}

/** The parts of every item, if all have the same number of them. */
function programmeOf(items: readonly string[]): string[][] | undefined {
  const rows = items.map((item) => item.split(SEPARATOR));
  const count = rows[0]?.length ?? 1;
  if (count < 2 || count > MAX_PARTS) return undefined;
  return rows.every((row) => row.length === count) ? rows : undefined;
}

/** The times or dates that all items begin with, and what is then. */
function timesOf(items: readonly string[]): string[][] | undefined {
  const rows = items.flatMap((item) => {
    const [, time, rest] = TIME_FIRST.exec(item.trim()) ?? [];
    return time === undefined || rest === undefined ? [] : [[time, rest]];
  });
  return rows.length === items.length ? rows : undefined;
}
