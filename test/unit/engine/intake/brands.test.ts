import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BatchReadings } from '../../../../src/engine/intake/batch-readings.ts';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { withFiles } from '../../../../src/engine/intake/batch-files.ts';
import { RowFileChecks } from '../../../../src/engine/intake/check-files.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { noisePng } from '../../../rigs/pictures.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const BRANDS = [
  'Name,Accent colour,Background,Logo,Closing,Look,Notes',
  'Nordleinen,#e4572e,#fbf3e7,mark.png,nordleinen.example,Market,ask Ada',
  'Südlicht,#0a7d5a,,,,,',
].join('\n');

/** Reads a table beside these files. */
async function read(table: string, files: Readonly<Record<string, string | Buffer>>) {
  const folder = temporaryFolder();
  const all = { 'mark.png': noisePng(8, 8), ...files };
  for (const [name, content] of Object.entries(all)) {
    writeFileSync(path.join(folder, name), content);
  }
  return readIn(folder, table);
}

async function readIn(folder: string | undefined, table: string, isForm = false) {
  const source = { name: 'Table.csv', content: table, isForm, ...(folder && { folder }) };
  const { rows, errors, warnings } = await new BatchReadings().read(
    source,
    storyboardProfile.request,
  );
  return {
    bodies: rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>),
    errors: errors.map(({ message }) => message),
    warnings: warnings.map(({ message }) => message),
  };
}

it('the form of a video has no table of brands, wherever its files are', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'brands.csv'), BRANDS);
  const row = 'title,brand\nOne,Südlicht';
  expect((await readIn(folder, row)).bodies).toMatchObject([{ theme: { accent: '#0a7d5a' } }]);
  const { bodies, warnings } = await readIn(folder, row, true);
  expect(bodies[0]).not.toHaveProperty('theme');
  expect(warnings).toEqual([expect.stringContaining('Brands are not used.')]);
});

describe('the brand of a row', () => {
  it('fills its empty cells, and the row’s own values stay', async () => {
    const table = 'title,marke,accent\nOne,nordleinen,\nTwo,Südlicht,#112233\nThree,,';
    const { bodies, errors, warnings } = await read(table, { 'brands.csv': BRANDS });
    expect([errors, warnings]).toEqual([[], []]);
    const [one, two, three] = bodies;
    expect(one).toMatchObject({
      look: 'market',
      theme: { accent: '#e4572e', background: '#fbf3e7' },
      logo: expect.stringMatching(/^sha256:/) as unknown,
      scenes: [{ text: 'One' }, { kind: 'title', text: 'nordleinen.example' }],
    });
    expect(one).not.toHaveProperty('brand');
    expect(two).toMatchObject({ look: 'picture', theme: { accent: '#112233' } });
    expect(two!.theme).not.toHaveProperty('background');
    expect(three).not.toHaveProperty('theme');
  });

  it.each([
    ['Marken.json', '[{"marke":"A","farbe":"#102030"}]'],
    ['BRANDS.tsv', 'brand\tcolour\nA\t#102030'],
  ])('may be in %s', async (name, content) => {
    const { bodies } = await read('title,brand\nOne,A', { [name]: content });
    expect(bodies).toMatchObject([{ theme: { accent: '#102030' } }]);
  });

  it('makes another request when it changes, as a changed cell does', async () => {
    const table = 'title,brand\nOne,A';
    const before = await read(table, { 'brands.csv': 'brand,accent\nA,#102030' });
    const after = await read(table, { 'brands.csv': 'brand,accent\nA,#102031' });
    expect(after.bodies).not.toEqual(before.bodies);
  });

  it.each([
    ['brand,accent\nB,#102030', '“A” is no brand in “brands.csv”.'],
    [
      'brand,accent\nA,reddish\nB,#102030',
      'names a brand with an error in “brands.csv”: Row 2, accent:',
    ],
    ['brand,accent\nA,#102030\na,#102031', '“a” has two rows in “brands.csv”. Keep one.'],
    ['accent\n#102030', 'names a brand with an error in “brands.csv”:'],
    [
      'brand,backgruond\nA,#102030',
      'names a brand with an error in “brands.csv”: “backgruond” is not used.',
    ],
    ['', 'is an empty file. Export it again.'],
    ['brand,logo\nA,none.png', 'logo: is not in the table’s folder.'],
    ['brand,logo\nA,../../mark.png', 'logo: leads out of the table’s folder.'],
  ])('is an error of its row with brands.csv %j', async (brands, reason) => {
    const { bodies, errors } = await read('title,brand\nOne,A', { 'brands.csv': brands });
    expect(bodies).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(reason);
  });

  it('is an error of the rows that name it only', async () => {
    const brands = 'brand,accent\nA,reddish\nB,#102030';
    const { bodies, errors } = await read('title,brand\nOne,A\nTwo,B', { 'brands.csv': brands });
    expect(bodies).toMatchObject([{ title: 'Two', theme: { accent: '#102030' } }]);
    expect(errors).toHaveLength(1);
  });

  it('is refused where two tables have brands, and where the table is outside', async () => {
    const files = { 'brands.csv': BRANDS, 'marken.csv': BRANDS };
    expect((await read('title,brand\nOne,A', files)).errors[0]).toContain('two tables of brands');
    const outer = temporaryFolder();
    const folder = path.join(outer, 'inside');
    mkdirSync(folder);
    writeFileSync(path.join(outer, 'secret.csv'), BRANDS);
    symlinkSync(path.join(outer, 'secret.csv'), path.join(folder, 'brands.csv'));
    expect((await readIn(folder, 'title,brand\nOne,Nordleinen')).errors).toEqual([
      expect.stringContaining('leads out of the table’s folder'),
    ]);
  });

  it('is ignored with one warning where no table has brands', async () => {
    const table = 'title,brand\nOne,Acme\nTwo,Emca';
    const unused = 'Row 2, brand: names a brand, but there is no table “brands” beside this one';
    for (const { bodies, errors, warnings } of [
      await read(table, {}),
      await readIn(undefined, table),
    ]) {
      expect(bodies).toHaveLength(2);
      expect([errors, warnings]).toEqual([[], [expect.stringContaining(unused)]]);
    }
  });
});

// abuse.md 70
it.each(['captions', 'brand', 'picture'])(
  'a %s that looks like a checked file is none',
  async (column) => {
    const table = `title,${column}\nOne,/etc/passwd#sha256=${'0'.repeat(64)}`;
    const { bodies, errors } = await read(table, {});
    expect(bodies).toEqual([]);
    expect(errors).toEqual([
      `Row 2, ${column}: leads out of the table’s folder. Put the file into this folder.`,
    ]);
  },
);

it('a folder that cannot be listed is an error, since its rows would be others without brands', async () => {
  const folder = path.join(temporaryFolder(), 'x'.repeat(300));
  const { bodies, errors } = await readIn(folder, 'title,brand\nOne,A');
  expect(bodies).toEqual([]);
  expect(errors).toEqual([expect.stringContaining('the folder of the table cannot be read')]);
});

it('a missing brand or file of a row is named beside the errors of its cells', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'brands.csv'), 'brand,accent\nA,#ff0000\n');
  const { errors } = await readIn(
    folder,
    'title,seconds,brand,picture\nOne,long,B,\nTwo,long,A,none.jpg\nThree,5,A,none.jpg',
  );
  expect(errors).toEqual([
    expect.stringContaining('Row 2, seconds'),
    expect.stringContaining('Row 2, brand'),
    expect.stringContaining('Row 3, seconds'),
    expect.stringContaining('Row 3, picture'),
    expect.stringContaining('Row 4, picture'),
  ]);
});

it('lets other work have its turn between rows', async () => {
  const rows = Array.from({ length: 2000 }, (_, row) => `Row ${row},A`);
  const source = { name: 'Table.csv', content: ['title,brand', ...rows].join('\n') };
  const reading = readBatch(source, storyboardProfile.request);
  let [turns, isRead] = [0, false];
  const checked = withFiles(reading, source, new RowFileChecks(), () => true).finally(
    () => (isRead = true),
  );
  while (!isRead) {
    await setImmediate();
    turns += 1;
  }
  expect((await checked).rows).toHaveLength(2000);
  expect(turns).toBeGreaterThan(3);
});
