import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import type { IntakeRow } from '../../../../src/engine/intake/intake-row.ts';
import { readBatchAside } from '../../../../src/engine/intake/read-batch-aside.ts';
import { readBatch, tableOptions } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

const { request } = storyboardProfile;

/** A row keeps bytes, which are not compared. */
const contentOf = ({ row, rowInFile, index, variant, title, preset, values, body }: IntakeRow) => [
  [row, rowInFile, index, variant, title, preset],
  values,
  body,
];

const read = (name: string, content: string) => readBatchAside({ name, content }, request);

/** The only message of a reading. */
async function messageOf(name: string, content: string): Promise<string> {
  const { errors, rows } = await read(name, content);
  expect(rows).toEqual([]);
  expect(errors).toHaveLength(1);
  return errors[0]?.message ?? '';
}

/** Processor time of this process, all its threads included, in milliseconds. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const MIB = 1024 * 1024;

// Each text of a cell is compared with the names of columns: one of 5 MB took seconds.
test('no column has a name of many thousands of characters', () => {
  const { columnOf } = tableOptions(request, {});
  expect(columnOf(` title${' '.repeat(900)}`)).toBe('title');
  expect(columnOf(` title${' '.repeat(1_000)}`)).toBeUndefined();
});

// abuse.md 44
describe('a table beyond every size', () => {
  const many = '“a.csv” has more than 100,000 rows. Split it and add the parts.';
  const cells = 'has more than 10,000,000 cells. Split it and add the parts.';
  it.each([
    ['8 million rows', 'a.csv', () => 'title\n' + 'a\n'.repeat(8 * MIB), many],
    ['16 million blank rows', 'a.csv', () => 'title\n' + '\n'.repeat(16 * MIB), many],
    [
      '16,000 equal headers',
      'a.csv',
      () => Array(16_000).fill('title').join(',') + '\nx',
      '“a.csv” has more than 1,000 columns.',
    ],
    [
      'a row of 16 million cells',
      'a.csv',
      () => 'title\nx' + ','.repeat(16 * MIB),
      '“a.csv” has more than 1,000 columns.',
    ],
    [
      '90,000 rows of 700 empty cells',
      'a.csv',
      () => 'title\n' + (','.repeat(700) + '\n').repeat(90_000),
      `“a.csv” ${cells}`,
    ],
    [
      'a list of 16 million numbers',
      'a.json',
      () => `[${'1,'.repeat(16 * MIB)}1]`,
      '“a.json” has more than 100,000 rows. Split it and add the parts.',
    ],
    [
      'an entry of 16 million lists',
      'a.json',
      () => `[{"a":[${'[],'.repeat(16 * MIB)}[]]}]`,
      `“a.json” ${cells}`,
    ],
    [
      'an entry of 100,000 names',
      'a.json',
      () => `[{${Array.from({ length: 100_000 }, (_, index) => `"c${index}":1`).join(',')}}]`,
      '“a.json” has more than 1,000 columns.',
    ],
    [
      '8 million lines',
      'a.jsonl',
      () => '{}\n'.repeat(8 * MIB),
      '“a.jsonl” has more than 100,000 rows. Split it and add the parts.',
    ],
    [
      'a quotation that never ends',
      'a.csv',
      () => 'title\n"' + '""a,\n'.repeat(MIB),
      '“a.csv” has more than 100,000 rows. Split it and add the parts.',
    ],
  ])(
    'is refused with one message and within 2 s of processor time: %s',
    async (_, name, content, sentence) => {
      const text = content();
      let message = '';
      const cpu = await cpuOf(async () => (message = await messageOf(name, text)));
      expect(message).toBe(sentence);
      expect(cpu).toBeLessThan(2_000);
    },
  );

  it('reads 100,000 rows, and no more', async () => {
    const rows = (count: number): string => 'title\n' + 'A video\n'.repeat(count);
    expect((await read('a.csv', rows(100_000))).rows).toHaveLength(100_000);
    expect((await read('a.csv', rows(100_002))).errors).toHaveLength(1);
  });

  const lines = Array.from({ length: 20_000 }, (_, index) =>
    index % 50 === 0 ? `,x${index}` : `Video ${index},${5 + (index % 20)}`,
  );
  const names = Array.from({ length: 300 }, (_, index) => `c${index}`);
  it.each([
    ['of many bytes', 'a.csv', ['title,seconds', ...lines].join('\n')],
    ['of many cells', 'a.csv', ['title', ...names.slice(1)].join(',') + '\nx'.repeat(1_000)],
    [
      'of many cells as JSON',
      'a.json',
      `[{"title":"x",${names.map((name) => `"${name}":1`).join(',')}}${',{}'.repeat(1_500)}]`,
    ],
  ])('is read on another thread, with the same result: one %s', async (_, name, content) => {
    const source = { name, content };
    const before = process.threadCpuUsage();
    const here = readBatch(source, request, { show: 7_000 });
    const inline = process.threadCpuUsage(before);
    const expected = { ...here, rows: here.rows.map(contentOf) };
    let wait = Infinity;
    // Up to three times: now and then this thread collects what other tests left.
    for (let reading = 0; reading < 3 && wait >= inline.user / 2; reading += 1) {
      const between = process.threadCpuUsage();
      const aside = await readBatchAside(source, request, { show: 7_000 });
      wait = process.threadCpuUsage(between).user;
      // `toEqual` takes a second of processor time.
      const same = isDeepStrictEqual({ ...aside, rows: aside.rows.map(contentOf) }, expected);
      expect(same).toBe(true);
    }
    expect(wait).toBeLessThan(inline.user / 2);
  });
});

it('numbers equal headers in one pass', async () => {
  const line = (cell: string): string => Array(1_000).fill(cell).join(',');
  const { fileColumns } = await read('a.csv', `${line('x')}\n${line('y')}`);
  expect(fileColumns).toHaveLength(1_000);
  expect(fileColumns.at(-1)).toBe('x (1000)');
});
