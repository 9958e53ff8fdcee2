/**
 * Known texts in tables of any encoding, separator, quotation marks, line ends and place of the
 * header: each text arrives as it was written, or its row is named.
 */
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type { Encoding, Separator } from '../../../../src/contract/text-reading.ts';
import { readBatch, type BatchReading } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { unaccounted } from '../../../rigs/account-for-rows.ts';
import { KNOWN_TEXTS } from '../../../rigs/known-texts.ts';
import type { TextRow } from '../../../rigs/table-texts.ts';

/** Printed with a failure; another one finds others. */
const SEED = Number(process.env.SPOOL_FUZZ_SEED ?? 34);
const RUNS = process.env.SPOOL_SOAK === '1' ? 1000 : 100;

type WrittenEncoding = keyof typeof KNOWN_TEXTS;

interface Shape {
  readonly separator: Separator;
  readonly quotes: 'needed' | 'always' | 'single';
  readonly lineEnd: '\r\n' | '\n' | '\r' | 'mixed';
  readonly hasMark: boolean;
  /** Lines above the header. */
  readonly above: readonly ('title' | 'date' | 'blank')[];
  readonly units: boolean;
  /** Whether the header is repeated in the middle. */
  readonly repeated: boolean;
  readonly footer: boolean;
  readonly trailing: 'none' | 'separator' | 'blank lines' | 'substitute';
  readonly isDeclared: boolean;
  /** Columns of the table, in order. */
  readonly columns: readonly string[];
  readonly startsWithSpace: boolean;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  separator: fc.constantFrom(',', ';', '\t', '|'),
  quotes: fc.constantFrom('needed', 'always', 'single'),
  lineEnd: fc.constantFrom('\r\n', '\n', '\r', 'mixed'),
  hasMark: fc.boolean(),
  above: fc.oneof(
    fc.constant([]),
    fc.array(fc.constantFrom('title', 'date', 'blank'), { maxLength: 4 }),
  ),
  units: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  repeated: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  footer: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  trailing: fc.constantFrom('none', 'separator', 'blank lines', 'substitute'),
  isDeclared: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  columns: fc.constantFrom(
    ['title', 'message'],
    ['Message', 'Title'],
    ['title', 'seconds', 'message'],
    ['id', 'title', 'notes', 'message'],
    ['Headline', 'text'],
  ),
  startsWithSpace: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
});

/** What is put into a text to make it harder. */
const twist = fc.constantFrom(
  (text: string) => text,
  (text: string) => text,
  (text: string) => `${text}, today; now`,
  (text: string) => `She said "${text}"`,
  (text: string) => `"${text}" she said`,
  (text: string) => `${text}\nsecond line`,
  (text: string) => `it's ${text}`,
  (text: string) => `${text} | more`,
  (text: string) => `5" ${text}`,
);

function rowsOf(encoding: WrittenEncoding): fc.Arbitrary<readonly TextRow[]> {
  return fc.constantFrom(...KNOWN_TEXTS[encoding]).chain((texts) => {
    const text = fc.tuple(fc.constantFrom(...texts), twist).map(([plain, with_]) => with_(plain));
    return fc.array(fc.tuple(text, text), { minLength: 3, maxLength: 10 });
  });
}

interface Written {
  readonly text: string;
  /** The row numbers, by index. */
  readonly rows: readonly number[];
}

/** The texts of a row in the columns of the table. */
function cellsOf([title, message]: TextRow, columns: readonly string[], at: number): string[] {
  return columns.map((column) => {
    if (/title|headline/i.test(column)) return title;
    if (/message|text/i.test(column)) return message;
    if (column === 'seconds') return String(4 + (at % 5));
    return column === 'id' ? String(100 + at) : '';
  });
}

function write(rows: readonly TextRow[], how: Shape): Written {
  const { separator, columns } = how;
  const mark = how.quotes === 'single' ? "'" : '"';
  const enclosed = (cell: string): string => mark + cell.replaceAll(mark, mark + mark) + mark;
  const lineOf = (cells: readonly string[]): string =>
    cells
      .map((cell) => {
        const isNeeded = [separator, mark, '\n', '\r'].some((each) => cell.includes(each));
        return how.quotes === 'always' || isNeeded ? enclosed(cell) : cell;
      })
      .join(separator + (how.startsWithSpace ? ' ' : ''));
  const lines: string[] = [];
  const numbers: number[] = [];
  if (how.isDeclared) lines.push(`sep=${separator}`);
  for (const each of how.above) {
    lines.push({ title: 'Our campaign', date: '2026-11-27', blank: '' }[each]);
  }
  lines.push(lineOf(columns));
  if (how.units) lines.push(lineOf(columns.map(() => '(text)')));
  for (const [at, row] of rows.entries()) {
    if (how.repeated && at === 2) lines.push(lineOf(columns));
    numbers.push(lines.length + 1);
    lines.push(lineOf(cellsOf(row, columns, at)));
  }
  if (how.footer) lines.push('', 'Source: marketing');
  const padded =
    how.trailing === 'separator'
      ? lines.map((line) => (line === '' ? '' : line + separator))
      : lines;
  const ends = { '\r\n': ['\r\n'], '\n': ['\n'], '\r': ['\r'], mixed: ['\r\n', '\n'] }[how.lineEnd];
  const text = padded.map((line, at) => line + (ends[at % ends.length] ?? '\n')).join('');
  const end = { none: '', separator: '', 'blank lines': '\n\n', substitute: '\u001a' }[
    how.trailing
  ];
  return { text: text + end, rows: numbers };
}

function encode(text: string, encoding: WrittenEncoding, hasMark: boolean): Buffer {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    return iconv.encode(text, encoding, { addBOM: hasMark });
  }
  return encoding === 'utf-8'
    ? Buffer.from((hasMark ? '\ufeff' : '') + text)
    : iconv.encode(text, encoding);
}

function read(content: Buffer, encoding?: Encoding): BatchReading {
  return readBatch({ name: 'Videos', content }, storyboardProfile.request, {
    language: 'en',
    reading: { encoding },
  });
}

describe('known texts in a table of any shape', () => {
  it.each(Object.keys(KNOWN_TEXTS) as WrittenEncoding[])('arrive in %s', (encoding) => {
    let tables = 0;
    let mistaken = 0;
    fc.assert(
      fc.property(rowsOf(encoding), shape, (rows, how) => {
        const { text, rows: numbers } = write(rows, how);
        const content = encode(text, encoding, how.hasMark);
        fc.pre(iconv.decode(content, encoding).replace(/^\ufeff/, '') === text);
        tables += 1;
        const reading = read(content);
        const found = reading.files[0]?.reading;
        if (found !== undefined && found !== null && found.encoding !== encoding) {
          // The user sees a sample of the text and chooses.
          expect(found.encodingSample).not.toBeNull();
          mistaken += 1;
        }
        const right = found?.encoding === encoding ? reading : read(content, encoding);
        // What apostrophes enclose over several lines may be two cells, so such rows are named.
        if (how.quotes !== 'single') expect(right.errors.map(({ message }) => message)).toEqual([]);
        expect(right.errors.filter(({ row }) => row === undefined)).toEqual([]);
        expect(unaccounted(rows, right, (index) => numbers[index] ?? 0)).toEqual([]);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(mistaken / tables).toBeLessThan(0.02);
  });
});
