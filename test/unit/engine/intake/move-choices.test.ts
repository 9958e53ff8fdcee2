import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { BatchOptions, CellEdits } from '../../../../src/contract/batch.ts';
import { moveChoices } from '../../../../src/engine/intake/move-choices.ts';
import {
  requestTemplateSchema,
  type RequestTemplate,
} from '../../../../src/engine/intake/request-template.ts';
import type { TableFile } from '../../../../src/engine/intake/tables/table-source.ts';

const profile: RequestTemplate = requestTemplateSchema.parse({
  title: 'title',
  columns: {
    title: { type: 'text', required: true },
    seconds: { type: 'number', min: 1, max: 60 },
    accent: { type: 'text' },
  },
  preset: [],
  body: { name: '{{title}}', seconds: '{{seconds}}', accent: '{{accent}}' },
});

type Moved = Extract<ReturnType<typeof moveChoices>, { kind: 'moved' }>;

/** The choices as they are for the later version, as if all were new. */
function move(
  from: string | TableFile,
  to: string | TableFile,
  options: BatchOptions = {},
): Omit<Moved, 'kind'> {
  const [earlier, later] = [from, to].map((file) =>
    typeof file === 'string' ? { name: 'a.csv', content: file } : file,
  ) as [TableFile, TableFile];
  const moved = moveChoices(earlier, later, profile, options);
  if (moved.kind === 'unreadable') throw new Error(moved.failure.message);
  return moved.kind === 'moved' ? moved : { options, readings: [later.reading ?? {}], lost: [] };
}

const TABLE = 'title,seconds,accent\nOne,5,\nTwo,6,\nThree,7,red\n';
const EDITS = { edits: { 3: { accent: 'blue' } } };

describe('a correction follows its row', () => {
  test.each([
    ['below an inserted one', 'title,seconds,accent\nNew,6,\nOne,5,\nTwo,6,\n', 4],
    ['in a sorted table', 'title,seconds,accent\nTwo,6,\nThree,7,red\nOne,5,\n', 2],
    ['with columns in another order', 'accent,title,seconds\n,One,5\n,Two,6\n', 3],
    ['with another column', 'title,lang,seconds,accent\nTwo,de,6,\nOne,en,5,\n', 2],
    ['with other quotes and separators', '"title";"seconds";"accent"\r\n"Two";"6";""\r\n', 2],
    ['as JSON', '[{"title":"Three"},{"title":"Two","seconds":"6","accent":""}]', 2],
    ['with another name of another column', 'Titel,seconds,accent\nTwo,6,\nOne,5,\n', 2],
  ])('%s', (_, after, row) => {
    expect(move(TABLE, after, EDITS)).toMatchObject({
      options: { edits: { [row]: { accent: 'blue' } } },
      lost: [],
    });
  });

  test.each([
    ['of which another cell has changed', 'title,seconds,accent\nOne,5,\nTwo,9,\n'],
    ['of which the cell has changed', 'title,seconds,accent\nOne,5,\nTwo,6,red\n'],
    ['that was doubled', 'title,seconds,accent\nTwo,6,\nTwo,6,\n'],
    ['that is gone', 'title,seconds,accent\nNew,6,\n'],
    ['in a column with another name', 'title,seconds,tint\nOne,5,\nTwo,6,\n'],
    ['in a column that is gone', 'title,seconds\nOne,5\nTwo,6\n'],
    ['in another table of that name', 'name,seconds,accent\nOne,5,\nZwei,6,\n'],
    ['with texts in each other’s columns', 'seconds,title,accent\nTwo,6,\nOne,5,\n'],
  ])('or is named: of a row %s', (_, after) => {
    expect(move(TABLE, after, EDITS)).toMatchObject({
      options: { edits: {} },
      lost: [{ choice: 'edit', file: null, row: 3, name: 'Two', column: 'accent', text: 'blue' }],
    });
  });

  it('among equal ones, if there are as many and no row was moved', () => {
    const table = (...titles: string[]): string => ['title', ...titles].join('\n');
    const edits = { 4: { title: 'Second' } };
    const before = table('A', 'B', 'A', 'C');
    const after = (...titles: string[]): CellEdits | undefined =>
      move(before, table(...titles), { edits }).options.edits;
    expect(after('New', 'A', 'B', 'A')).toEqual({ 5: { title: 'Second' } });
    expect(after('A', 'B', 'C')).toEqual({});
    expect(after('A', 'A', 'B', 'C')).toEqual({});
    expect(after('A', 'A', 'B', 'A', 'C')).toEqual({});
  });
});

it('moves every other choice about rows and columns, or names it', () => {
  const reading = { headerRow: 2, skipRows: [3, 6], keepRows: [4, 7] };
  const lines = ['Spring', 'title,seconds', 'Skip,5', 'Total,5', 'One,5', 'Gone,8', 'Sum,9'];
  const options: BatchOptions = {
    columns: { accent: 'seconds', seconds: null },
    duplicateRows: { 5: 'render', 9: 'skip' },
    leaveOut: [5],
  };
  const before = { name: 'a.csv', content: lines.join('\n'), reading };
  const after = ['Our spring', '2026', 'seconds,title', '5,One', '5,Skip', '5,Total'].join('\n');
  const moved = move(before, { name: 'a.csv', content: after, reading }, options);
  expect(moved.readings).toEqual([{ headerRow: 3, skipRows: [5], keepRows: [6] }]);
  expect(moved.options).toEqual({
    columns: options.columns,
    duplicateRows: { 4: 'render' },
    edits: {},
    leaveOut: [4],
  });
  expect(moved.lost.map(({ choice, row, name }) => [choice, row, name])).toEqual([
    ['skipped', 6, 'Gone'],
    ['kept', 7, 'Sum'],
    ['duplicate', 9, ''],
  ]);
  const other = { name: 'a.csv', content: 'Name,Text\nOne,Two', reading };
  expect(move(before, other, options).lost.map(({ choice }) => choice)).toEqual([
    ...['header', 'skipped', 'skipped', 'kept', 'kept', 'duplicate', 'duplicate'],
    ...['column', 'left-out'],
  ]);
});

it('tells files of one name apart by their folders', () => {
  const file = (folder: string, content: string): TableFile => ({ name: 'a.csv', folder, content });
  const [may, june] = [file('/may', 'title\nOne\nTwo'), file('/june', 'title\nOne\nThree')];
  const edits = { 2: { title: 'May' }, 5: { title: 'June' } };
  const moved = moveChoices({ ...may, further: [june] }, june, profile, { edits });
  expect(moved).toMatchObject({
    options: { edits: { 2: { title: 'June' } } },
    lost: [{ choice: 'edit', row: 2, text: 'May' }],
  });
});

it('keeps choices where they are while a file is only read in another way', () => {
  const content = 'Bücher\ntitle;accent\nOne;grün\nTwo;\n';
  const reading = { headerRow: 2, skipRows: [3] };
  const file = (choices: TableFile['reading']): TableFile => ({
    name: 'a.csv',
    content: Buffer.from(content, 'latin1'),
    reading: choices,
  });
  const edits = { 4: { accent: 'red' } };
  const otherwise = { ...reading, encoding: 'iso-8859-2' } as const;
  const same = moveChoices(file(reading), file(otherwise), profile, { edits });
  expect(same).toEqual({ kind: 'same' });
  // The column is another one without the separator.
  const whole = move(file(reading), file({ ...reading, separator: 'none' }), { edits });
  expect(whole.readings).toEqual([{ ...reading, separator: 'none' }]);
  expect(whole.lost).toMatchObject([{ choice: 'edit', row: 4, column: 'accent' }]);
});

it('moves nothing to a file without rows', () => {
  for (const content of ['', 'title,seconds,accent\n', '{"title":', new Uint8Array(40)]) {
    const to = { name: 'a.csv', content };
    expect(moveChoices({ name: 'a.csv', content: TABLE }, to, profile, EDITS)).toMatchObject({
      kind: 'unreadable',
    });
  }
});

/** Its cells, which no other row has as an array even if their texts are equal. */
type Video = readonly string[];

const COLUMNS = ['title', 'seconds', 'accent'];
const text = fc.constantFrom('A', 'B', 'C', 'D');
const video = fc.tuple(text, fc.constantFrom('5', '6'), fc.constantFrom('', 'x'));
const place = fc.nat({ max: 20 });
const column = fc.nat({ max: 2 });

/** What somebody does to a table in another program. */
const change = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'double', 'move', 'write', 'sort'),
  place,
  to: place,
  column,
  video,
});

type Change = typeof change extends fc.Arbitrary<infer Given> ? Given : never;

function changed(
  videos: readonly Video[],
  { kind, place: given, to, column: by, video: typed }: Change,
): readonly Video[] {
  const at = given % Math.max(videos.length, 1);
  const taken = videos[at];
  if (kind === 'insert' || taken === undefined) return videos.toSpliced(at, 0, [...typed]);
  switch (kind) {
    case 'delete':
      return videos.toSpliced(at, 1);
    case 'double':
      return videos.toSpliced(to % videos.length, 0, [...taken]);
    case 'move':
      return videos.toSpliced(at, 1).toSpliced(to % videos.length, 0, taken);
    case 'write':
      return videos.with(at, taken.with(by, typed[by] ?? ''));
    default:
      return videos.toSorted((one, other) => (one[by] ?? '').localeCompare(other[by] ?? ''));
  }
}

test('whatever is done to a table, no choice is about another row than before, and none is lost silently', () => {
  fc.assert(
    fc.property(
      fc.array(video, { minLength: 1, maxLength: 8 }),
      fc.array(fc.tuple(place, column), { maxLength: 4 }),
      fc.array(place, { maxLength: 2 }),
      fc.array(change, { maxLength: 4 }),
      fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      (videos, edited, out, changes, order) => {
        const before = videos.map((cells): Video => [...cells]);
        const after = changes.reduce(changed, before);
        fc.pre(after.length > 0);
        const file = (rows: readonly Video[], columns: readonly number[]): string =>
          [COLUMNS, ...rows].map((row) => columns.map((at) => row[at]).join()).join('\n');
        const rowOf = (at: number): number => (at % before.length) + 2;
        const edits: Record<string, Record<string, string>> = {};
        // Each text names its row and column.
        for (const [at, name] of edited.map(([at, by]) => [rowOf(at), COLUMNS[by] ?? ''] as const))
          (edits[at] ??= {})[name] = `${at} ${name}`;
        const leaveOut = [...new Set(out.map(rowOf))].sort();
        const moved = move(file(before, [0, 1, 2]), file(after, order), { edits, leaveOut });

        const count = (rows: readonly Video[], cells: Video): number =>
          rows.filter((row) => row.join() === cells.join()).length;
        const isSame = (row: number, now: number): boolean => {
          const [was, is] = [before[row - 2]!, after[now - 2]!];
          const isAlike = count(before, was) === count(after, was) && was.join() === is.join();
          return was === is || isAlike;
        };
        let kept = moved.options.leaveOut?.length ?? 0;
        for (const [now, cells] of Object.entries(moved.options.edits ?? {})) {
          for (const [name, typed] of Object.entries(cells)) {
            kept += 1;
            expect(typed.endsWith(` ${name}`)).toBe(true);
            expect(isSame(Number.parseInt(typed, 10), Number(now))).toBe(true);
          }
        }
        const wanted = [
          ...Object.values(edits).flatMap((cells) => Object.values(cells)),
          ...leaveOut,
        ];
        expect(kept + moved.lost.length).toBe(wanted.length);
        for (const { choice, row, text: typed = '' } of moved.lost) {
          const { [row! - 2]: was = [] } = before;
          expect(choice === 'edit' ? typed.startsWith(`${row} `) : leaveOut.includes(row!)).toBe(
            true,
          );
          // What can be told is not lost.
          expect([count(before, was), count(after, was)]).not.toEqual([1, 1]);
        }
      },
    ),
    { numRuns: 100 },
  );
});
