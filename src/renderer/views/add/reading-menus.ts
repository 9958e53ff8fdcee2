/** The menus of the line that says how a file was read. */
import type { BatchPlan } from '../../../contract/batch.ts';
import type { ReadingChoices, TableReading } from '../../../contract/table-reading.ts';
import {
  ENCODINGS,
  isSeparator,
  QUOTES,
  SEPARATORS,
  type Encoding,
  type Separator,
} from '../../../contract/text-reading.ts';
import type { MenuItem } from '../../design/menu-item.ts';
import type { ViewTexts } from '../../texts/en-views.ts';

type Texts = ViewTexts['add']['reading'];

/** Makes a choice, in addition to those made before; `undefined` takes one back. */
export type Choose = (change: {
  readonly [Key in keyof ReadingChoices]: ReadingChoices[Key] | undefined;
}) => void;

/** For a sheet, or a turned table, whose rows have other numbers. */
const OTHER_ROWS = { headerRow: undefined, skipRows: undefined, keepRows: undefined };

export function turnTable(choose: Choose): void {
  choose({ turn: true, ...OTHER_ROWS });
}

/** Rows below the header that can be the header, too. */
const MAX_BELOW = 6;
const MAX_ABOVE = 12;
/** Characters of headers that are offered as separators. */
const MAX_CHARACTERS = 8;

export function headerItems(
  plan: Pick<BatchPlan, 'fileColumns' | 'samples'>,
  reading: TableReading,
  rowsBefore: number,
  texts: Texts,
  choose: Choose,
): MenuItem[] {
  const { headerRow } = reading;
  const above = reading.leftOut
    .filter(
      ({ row, reason }) =>
        (reason === 'above-header' || reason === 'comment') && row < (headerRow ?? 0),
    )
    .slice(-MAX_ABOVE)
    .map(({ row, text }) => ({ row, text }));
  const here = headerRow === null ? [] : [{ row: headerRow, text: plan.fileColumns.join(' · ') }];
  const below = plan.samples
    .map(({ row, cells }) => ({
      row: row - rowsBefore,
      text: Object.values(cells)
        .filter((cell) => cell.trim() !== '')
        .join(' · '),
    }))
    .filter(({ row }) => row > (headerRow ?? 0))
    .slice(0, MAX_BELOW);
  const shown = new Set(below.map(({ row }) => row));
  const others = reading.undecided.filter(
    ({ looksLike, row }) => looksLike === 'other-table' && !shown.has(row),
  );
  return [...above, ...here, ...below, ...others].map(({ row, text }) => ({
    key: String(row),
    label: texts.row(row, text),
    checked: row === headerRow,
    onselect: () => {
      choose({ headerRow: row });
    },
  }));
}

export function sheetItems(
  { sheet, sheets }: TableReading,
  texts: Texts,
  choose: Choose,
): MenuItem[] {
  return sheets.map(({ name, isHidden }) => ({
    key: name,
    label: name,
    ...(isHidden ? { note: texts.hiddenSheet } : {}),
    checked: name === sheet,
    onselect: () => {
      // Another sheet may not be on its side.
      choose({ sheet: name, turn: undefined, ...OTHER_ROWS });
    },
  }));
}

/** Those that fit the file come first. */
export function encodingItems(
  { encoding, encodingSample }: TableReading,
  samples: Partial<Record<Encoding, string>>,
  texts: Texts,
  choose: Choose,
): MenuItem[] {
  const sampleOf = (each: Encoding): string =>
    samples[each] ?? (each === encoding ? (encodingSample ?? '') : '');
  const fits = (each: Encoding): boolean => each === encoding || !sampleOf(each).includes('\ufffd');
  const rank = (each: Encoding): number => (each === encoding ? 0 : fits(each) ? 1 : 2);
  const ordered = [...ENCODINGS].sort((one, other) => rank(one) - rank(other));
  return ordered.map((each) => ({
    key: each,
    label: texts.encodings[each],
    ...(fits(each) && sampleOf(each) !== '' ? { note: sampleOf(each) } : {}),
    group: fits(each) ? 'fits' : 'others',
    checked: each === encoding,
    onselect: () => {
      choose({ encoding: each });
    },
  }));
}

export function separatorLabel(separator: Separator | null, { separators }: Texts): string {
  const named: Readonly<Record<string, string>> = separators;
  return named[separator ?? 'none'] ?? `“${separator}”`;
}

/** @param headers of the file: any character in them may separate cells */
export function separatorItems(
  { separator, quotes }: TableReading,
  headers: readonly string[],
  texts: Texts,
  choose: Choose,
): MenuItem[] {
  const inHeaders = Array.from(headers.join('')).filter(
    (each) => each !== ' ' && isSeparator(each),
  );
  const separators = new Set([
    ...SEPARATORS,
    ...(separator === null ? [] : [separator]),
    ...inHeaders.slice(0, MAX_CHARACTERS),
  ]);
  return [
    ...[...separators, null].map((each) => ({
      key: each ?? 'none',
      label: separatorLabel(each, texts),
      group: 'separators',
      checked: each === separator,
      onselect: () => {
        choose({ separator: each ?? 'none' });
      },
    })),
    ...QUOTES.map((each) => ({
      key: `quotes ${each}`,
      label: texts.quotes[each],
      group: 'quotes',
      checked: each === quotes,
      onselect: () => {
        choose({ quotes: each });
      },
    })),
  ];
}

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'sv', 'ja', 'de-CH'];
const NUMBER = 1234.5;

/** @param names of languages */
export function languageItems(
  { language }: TableReading,
  names: Intl.DisplayNames,
  choose: Choose,
): MenuItem[] {
  const all = [...new Set([...(language === null ? [] : [language]), ...LANGUAGES])];
  return all.map((each) => ({
    key: each,
    label: names.of(each) ?? each,
    note: new Intl.NumberFormat(each, { minimumFractionDigits: 2 }).format(NUMBER),
    checked: each === language,
    onselect: () => {
      choose({ language: each });
    },
  }));
}

/** Rows left out can be included, unless they are above the header. */
export function leftOutItems(
  { leftOut }: TableReading,
  { skipRows = [], keepRows = [] }: ReadingChoices,
  texts: Texts,
  choose: Choose,
): MenuItem[] {
  return leftOut.map(({ row, reason, text }) => {
    const isAbove = reason === 'above-header' || reason === 'comment';
    return {
      key: String(row),
      label: isAbove ? texts.row(row, text) : texts.include(row, text),
      note: texts.reasons[reason],
      onselect: () => {
        if (isAbove) choose({ headerRow: row });
        else if (reason === 'hidden') choose({ leaveOutHidden: undefined });
        else if (reason === 'chosen') choose({ skipRows: skipRows.filter((each) => each !== row) });
        else choose({ keepRows: [...keepRows, row] });
      },
    };
  });
}

/** Numbers of all rows of a range. */
export function rowsIn({ row, end }: TableReading['undecided'][number]): number[] {
  return Array.from({ length: end - row + 1 }, (_, at) => row + at);
}

/** Ranges that may be no videos, without those whose rows the user left out of the batch. */
export function undecidedIn(
  { undecided }: TableReading,
  rowsBefore: number,
  { leftOut }: Pick<BatchPlan, 'leftOut'>,
): TableReading['undecided'] {
  const out = new Set(leftOut.map(({ row }) => row));
  return undecided.filter((range) => !rowsIn(range).every((row) => out.has(row + rowsBefore)));
}

export function undecidedItems(
  undecided: TableReading['undecided'],
  { skipRows = [], keepRows = [] }: ReadingChoices,
  texts: Texts,
  choose: Choose,
): MenuItem[] {
  const all = undecided.flatMap(rowsIn);
  const allItem: MenuItem = {
    key: 'all',
    label: texts.leaveAllOut(all.length),
    group: 'all',
    onselect: () => {
      choose({ skipRows: [...skipRows, ...all] });
    },
  };
  const items = undecided.flatMap((range): MenuItem[] => {
    const { row, end, text } = range;
    return [
      {
        key: `out ${row}`,
        label: texts.leaveRowsOut(row, end, text),
        group: String(row),
        onselect: () => {
          choose({ skipRows: [...skipRows, ...rowsIn(range)] });
        },
      },
      {
        key: `in ${row}`,
        label: texts.makeVideos(row, end),
        group: String(row),
        onselect: () => {
          choose({ keepRows: [...keepRows, ...rowsIn(range)] });
        },
      },
    ];
  });
  return undecided.length > 1 ? [allItem, ...items] : items;
}

export function hiddenItems(
  { leaveOutHidden = false }: ReadingChoices,
  texts: Texts,
  choose: Choose,
): MenuItem[] {
  return [false, true].map((out) => ({
    key: String(out),
    label: out ? texts.leaveOutHidden : texts.readHidden,
    checked: out === leaveOutHidden,
    onselect: () => {
      choose({ leaveOutHidden: out ? true : undefined });
    },
  }));
}
