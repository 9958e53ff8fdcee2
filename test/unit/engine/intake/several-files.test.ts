import { describe, expect, it } from 'vitest';
import { MAX_BATCH_BYTES, MAX_BATCH_FILES } from '../../../../src/contract/batch-limits.ts';
import { batchSourceSchema } from '../../../../src/contract/batch.ts';
import { textsOf } from '../../../../src/engine/intake/cell.ts';
import { readBatchAside } from '../../../../src/engine/intake/read-batch-aside.ts';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

const { request } = storyboardProfile;

type File = readonly [name: string, content: string];

const sourceOf = ([[name, content], ...further]: readonly [File, ...File[]]) => ({
  name,
  content,
  further: further.map(([furtherName, text]) => ({ name: furtherName, content: text })),
});

const read = (...files: readonly [File, ...File[]]) => readBatch(sourceOf(files), request);

describe('several files as one batch', () => {
  it('have their rows one after another, in the order of the files', () => {
    const { rows, errors, rowCount, files } = read(
      ['a.csv', 'title,aspect\nOne,16:9\n\nTwo,1:1'],
      ['b.jsonl', '{"title": "Three", "aspect": "9:16"}'],
      ['c.csv', 'aspect;title\n1:1;Four'],
    );
    expect(errors).toEqual([]);
    expect(rows.map(({ title }) => title)).toEqual(['One', 'Two', 'Three', 'Four']);
    expect(rows.map(({ rowInFile }) => rowInFile)).toEqual([2, 4, 1, 2]);
    expect(rows.map(({ index }) => index)).toEqual([1, 2, 3, 4]);
    expect(rowCount).toBe(4);
    expect(rows.map(({ row }) => row)).toEqual([2, 4, 5, 7]);
    expect(files).toMatchObject([
      { name: 'a.csv', rowsBefore: 0 },
      { name: 'b.jsonl', rowsBefore: 4 },
      { name: 'c.csv', rowsBefore: 5 },
    ]);
  });

  it.each([
    ['skipped', 'title,notes\nOne,a\nTwo,b', { skipRows: [2, 3] }, {}],
    ['kept', 'title,notes\nOne,a\n\nSource: a list,', { keepRows: [4] }, {}],
    [
      'sent with another request',
      'title,no\nOne,1\n,2',
      {},
      { template: { body: { name: '{{no}}' } } },
    ],
  ])(
    'number rows alike whether rows of a file before are %s or not',
    (_, first, reading, options) => {
      const second = { name: 'b.csv', content: 'title,no\nThree,3' };
      const source = { name: 'a.csv', content: first, further: [second] };
      const numbered = [
        readBatch(source, request),
        readBatch({ ...source, reading }, request, options),
      ];
      const [before, after] = numbered.map(({ files }) => files[1]?.rowsBefore);
      const [rows, rowsAfter] = numbered.map((each) => each.rows.length);
      expect(rowsAfter).not.toBe(rows);
      expect(after).toBe(before);
    },
  );

  it('are matched by the names of their columns, however each file spells them', () => {
    const { rows, errors, fileColumns } = read(
      ['a.csv', 'Title,Notes\nOne,x'],
      ['b.csv', 'notes,TITLE,aspect\ny,Two,1:1'],
      ['c.csv', 'headline\nThree'],
    );
    expect(errors).toEqual([]);
    expect(fileColumns).toEqual(['Title', 'Notes', 'aspect']);
    expect(rows.map(({ title, values }) => [title, textsOf(values).Notes ?? ''])).toEqual([
      ['One', 'x'],
      ['Two', 'y'],
      ['Three', ''],
    ]);
  });

  it('keep apart two columns that one file has', () => {
    const { errors, fileColumns } = read(
      ['a.csv', 'title\nOne'],
      ['b.csv', 'title,headline\nTwo,Deux'],
    );
    expect(fileColumns).toEqual(['title', 'headline']);
    expect(errors.map(({ message }) => message)).toEqual([
      'Two columns match the same field: “title” and “headline”.',
    ]);
  });

  it('name the file and the row number in it in every error', () => {
    const { errors, invalidRows } = read(
      ['films.csv', 'title,aspect\nOne,16:9\nTwo,3:2'],
      ['shorts.csv', 'title,aspect\nThree,1:1\nFour,9:5\nFive,1:1,x'],
      ['rest.json', '[{"title": "Six", "aspect": "2:2"}, 7]'],
    );
    expect(errors.map(({ message }) => message.replace(/(is not one of).*/, '$1'))).toEqual([
      '“films.csv”: Row 3, aspect: “3:2” is not one of',
      '“shorts.csv”: Row 3, aspect: “9:5” is not one of',
      expect.stringMatching(/^“shorts\.csv”: Row 4 does not match the header/),
      '“rest.json”: Entry 1, aspect: “2:2” is not one of',
      expect.stringMatching(/^“rest\.json”: Entry 2 is not a JSON object/),
    ]);
    expect(errors.map(({ row }) => row)).toEqual([3, 6, 7, 8, 9]);
    expect(invalidRows.map(({ name }) => name)).toEqual(['Two', 'Four', 'Five', 'Six', '7']);
  });

  it('name a row without a title by its number in its file', () => {
    const options = { template: { body: { name: '{{aspect}}' } } };
    const source = sourceOf([
      ['a.csv', 'aspect\n1:1'],
      ['b.csv', 'aspect\n16:9'],
    ]);
    expect(readBatch(source, request, options).rows.map(({ title }) => title)).toEqual([
      'Row 2',
      'Row 2',
    ]);
  });

  it.each([
    ['a.csv', '', 'batch-empty', '“a.csv” has no rows to make videos from.'],
    ['a.csv', 'title\n', 'batch-empty', '“a.csv” has no rows to make videos from.'],
    [
      'a.csv',
      '\0\0\0',
      'batch-unreadable',
      '“a.csv” is neither a text nor a workbook. Save the table as .xlsx or CSV.',
    ],
  ])('name %s when it has no readable row', (name, content, code, message) => {
    const good: File = ['good.csv', 'title\nOne'];
    for (const reading of [read([name, content], good), read(good, [name, content])]) {
      expect(reading.errors).toEqual([expect.objectContaining({ code, message })]);
    }
  });

  it.each([
    [['launch-week-1.csv', 'launch-week-2.csv'], 'launch-week'],
    [['Week 12 (a).csv', 'Week 12 (b).csv'], 'Week 12'],
    [['take1.csv', 'take2.csv', 'take10.csv'], 'take'],
    [['monday.csv', 'month.csv'], 'monday'],
    [['shorts.csv', 'films.csv'], 'shorts'],
    [['week.csv', 'week.csv'], 'week'],
    [['1.csv', '2.csv'], '1'],
  ])('are named after the common beginning of %s', ([first = '', ...further], name) => {
    const content = 'title\nOne';
    expect(read([first, content], ...further.map((each): File => [each, content])).name).toBe(name);
  });

  // abuse.md 44
  it('share the limits of one batch', async () => {
    const rows = (count: number): string => `title\n${'a\n'.repeat(count)}`;
    const columns = (from: number): string =>
      `${['title', ...Array.from({ length: 600 }, (_, at) => `c${from + at}`)].join(',')}\nOne${','.repeat(600)}`;
    // Empty cells count as well.
    const sparse = `{${Array.from({ length: 900 }, (_, at) => `"c${at}": 1`).join()}}\n${'{"c1": 1}\n'.repeat(6_000)}`;
    const messages = async (...files: readonly [File, ...File[]]): Promise<string[]> =>
      (await readBatchAside(sourceOf(files), request)).errors.map(({ message }) => message);
    expect(await messages(['a.csv', rows(60_000)], ['b.csv', rows(60_000)])).toEqual([
      'Together, the files have more than 100,000 rows. Add them as several batches.',
    ]);
    expect(await messages(['a.csv', columns(0)], ['b.csv', columns(600)])).toEqual([
      'Together, the files have more than 1,000 columns. Add them as several batches.',
    ]);
    expect(await messages(['a.jsonl', sparse], ['b.jsonl', sparse])).toEqual([
      'Together, the files have more than 10,000,000 cells. Add them as several batches.',
    ]);
    const half = 'x'.repeat(MAX_BATCH_BYTES / 2);
    const file = { name: 'a.csv', content: half };
    expect(batchSourceSchema.safeParse({ ...file, further: [file] }).success).toBe(true);
    expect(batchSourceSchema.safeParse({ ...file, further: [file, file] }).success).toBe(false);
    const many = Array.from({ length: MAX_BATCH_FILES }, () => ({ name: 'a', content: '' }));
    expect(batchSourceSchema.safeParse({ ...file, further: many }).success).toBe(false);
  });
});
