import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { undrawableTexts } from '../../../../src/engine/commands/undrawable-texts.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { BatchReadings } from '../../../../src/engine/intake/batch-readings.ts';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

function readingOf(lines: readonly string[]) {
  const reading = readBatch(
    { name: 'a.csv', content: lines.join('\n') },
    storyboardProfile.request,
  );
  expect(reading.errors).toEqual([]);
  return reading;
}

/** The warnings, and the characters that were asked about. */
async function warningsOf(lines: readonly string[], undrawable: readonly string[] | null) {
  const reading = readingOf(lines);
  const asked: string[][] = [];
  const issues = await undrawableTexts(reading.rows, reading, (characters) => {
    asked.push([...characters]);
    return Promise.resolve(undrawable && new Set(undrawable));
  });
  return { issues, asked };
}

test('warns of the cells with characters that no font can draw, by row and column', async () => {
  const lines = ['Title,message', 'Brot 𓀀 und ж,Neu', 'Käse,𓀀𓀁', 'Wein,Süß'];
  const { issues, asked } = await warningsOf(lines, ['𓀀', '𓀁']);
  expect(asked).toEqual([['𓀀', 'ж', '𓀁']]);
  expect(issues).toMatchObject([
    {
      severity: 'warning',
      kind: 'text-undrawable',
      row: 2,
      column: 'title',
      cell: 'Brot 𓀀 und ж',
      message: 'Row 2, Title: no font on this computer can draw 𓀀',
    },
    { row: 3, message: 'Row 3, message: no font on this computer can draw 𓀀 𓀁' },
  ]);
});

test('names the column of the language, and a cell of several shapes once', async () => {
  const lines = ['title[de],title[en],aspect', 'Brot,Bread 𓀀,"16:9, 9:16"'];
  const { issues } = await warningsOf(lines, ['𓀀']);
  expect(issues).toMatchObject([
    { column: 'title[en]', message: 'Row 2, title[en]: no font on this computer can draw 𓀀' },
  ]);
  expect(issues).toHaveLength(1);
});

test('asks nothing about Latin texts, and warns of nothing that is not known', async () => {
  expect(await warningsOf(['title', 'Crème brûlée – 5 €'], [])).toEqual({ issues: [], asked: [] });
  expect((await warningsOf(['title', '𓀀'], null)).issues).toEqual([]);
  const reading = readingOf(['title', '𓀀']);
  expect(await undrawableTexts(reading.rows, reading, undefined)).toEqual([]);
});

test('names the entry of a list in JSON, and its file among several', async () => {
  const source = (name: string) => ({ name, content: '[{"title":"One"},{"title":"𓀀"}]' });
  const alone = readBatch(source('a.json'), storyboardProfile.request);
  const warn = (reading: typeof alone) =>
    undrawableTexts(reading.rows, reading, () => Promise.resolve(new Set(['𓀀'])));
  expect(await warn(alone)).toMatchObject([
    { row: 2, message: 'Entry 2, title: no font on this computer can draw 𓀀' },
  ]);
  const joined = { ...source('a.json'), further: [source('b.json')] };
  const both = readBatch(joined, storyboardProfile.request);
  const [first, second] = await warn(both);
  expect(first).toMatchObject({ row: 2, message: expect.stringContaining('a.json') as string });
  expect(second).toMatchObject({ row: 4, message: expect.stringContaining('b.json') as string });
});

test('warns of no path of a picture, which is not drawn', async () => {
  const { rows, ...reading } = readingOf(['title', 'One']);
  const values = [['picture', `/写真/a.png#sha256=${'0'.repeat(64)}`] as const];
  const asked: string[] = [];
  await undrawableTexts(
    rows.map(({ row, rowInFile, variant }) => ({ row, rowInFile, variant, values })),
    reading,
    (characters) => {
      asked.push(...characters);
      return Promise.resolve(new Set());
    },
  );
  expect(asked).toEqual([]);
});

test('looks at the captions of a file, and not at its name', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, '𓀂.srt'), '00:00:01,000 --> 00:00:02,000\n𓀀 ж');
  const source = { name: 'a.csv', content: 'Title,captions\nOne,𓀂.srt\nTwo,𓀁', folder };
  const reading = await new BatchReadings().read(source, storyboardProfile.request);
  const issues = await undrawableTexts(reading.rows, reading, () =>
    Promise.resolve(new Set(['𓀀', '𓀁', '𓀂'])),
  );
  expect(issues).toMatchObject([
    { row: 2, message: 'Row 2, captions: no font on this computer can draw 𓀀' },
    { row: 3, message: 'Row 3, captions: no font on this computer can draw 𓀁' },
  ]);
});

test('reads captions that several rows name once', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'a.srt'), '00:00:01,000 --> 00:00:02,000\n𓀀 ж');
  const source = { name: 'a.csv', content: 'Title,captions\nOne,a.srt\nTwo,a.srt', folder };
  const reading = await new BatchReadings().read(source, storyboardProfile.request);
  const rows = reading.rows.map((row, index) => ({
    row: row.row,
    rowInFile: row.rowInFile,
    variant: row.variant,
    get values() {
      if (index === 1) rmSync(path.join(folder, 'a.srt'));
      return row.values;
    },
  }));
  const issues = await undrawableTexts(rows, reading, () => Promise.resolve(new Set(['𓀀'])));
  expect(issues).toMatchObject([{ row: 2 }, { row: 3 }]);
});
