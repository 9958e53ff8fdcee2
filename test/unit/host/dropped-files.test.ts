import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { BatchFileError, readBatchFile } from '../../../src/host/batch-file.ts';
import { batchesOf } from '../../../src/host/dropped-files.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** A folder with files, whose content does not matter. */
function folderOf(...names: string[]): string {
  const folder = temporaryFolder();
  for (const name of names) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), 'title\nOne\n');
  }
  return folder;
}

async function dropped(folder: string, ...names: string[]) {
  const batches = batchesOf(names.map((name) => path.join(folder, name)));
  return Promise.all(
    batches.map(async (batch) => {
      const file = await batch.read();
      return {
        at: path.relative(folder, batch.path),
        in: path.relative(folder, file.folder),
        file,
      };
    }),
  );
}

it('pictures of one folder become one batch, sorted as people sort, with their names as titles', async () => {
  const folder = folderOf('Trip/10 Red_boat.jpg', 'Trip/2 Tree.PNG', 'Trip/1 Lake.webp');
  const [batch, ...others] = await dropped(
    folder,
    'Trip/10 Red_boat.jpg',
    'Trip/2 Tree.PNG',
    'Trip/1 Lake.webp',
  );
  expect(others).toEqual([]);
  expect(batch).toMatchObject({ at: 'Trip', in: 'Trip', file: { name: 'Trip.json' } });
  expect(JSON.parse(batch!.file.bytes.toString())).toEqual([
    { title: '1 Lake', picture: '1 Lake.webp' },
    { title: '2 Tree', picture: '2 Tree.PNG' },
    { title: '10 Red boat', picture: '10 Red_boat.jpg' },
  ]);
});

it('pictures that are dropped with their table belong to it', async () => {
  const folder = folderOf('Week.csv', 'a.jpg', 'Media/b.jpg', 'Other/c.jpg');
  const batches = await dropped(folder, 'a.jpg', 'Week.csv', 'Media/b.jpg', 'Other/c.jpg');
  expect(batches.map(({ at }) => at)).toEqual(['Week.csv', 'Other']);
  expect(batches[0]).toMatchObject({ in: '', file: { name: 'Week.csv' } });
});

it('the results of a table belong to it', async () => {
  const folder = folderOf(
    ...['Week.csv', 'Week.results.csv', 'Week-2.results.csv', 'Race.results.csv'],
    ...['Shop/Week.csv', 'Shop/Week.results.csv'],
  );
  const names = ['Week.results.csv', 'Week.csv', 'Week-2.results.csv', 'Race.results.csv', 'Shop'];
  const batches = await dropped(folder, ...names);
  expect(batches.map(({ file }) => file.name)).toEqual([
    'Week.csv',
    // No table has its name: its content says what it is.
    'Race.results.csv',
    'Week.csv',
  ]);
  const [alone] = await dropped(folder, 'Week.results.csv');
  expect(alone?.file.name).toBe('Week.results.csv');
});

it('a table of brands belongs to the table that is dropped with it, or in its folder', async () => {
  const folder = folderOf('Week.csv', 'brands.csv', 'Shop/Marken.xlsx', 'Shop/Week.csv');
  const batches = await dropped(folder, 'brands.csv', 'Week.csv', 'Shop');
  expect(batches.map(({ file }) => file.name)).toEqual(['Week.csv', 'Week.csv']);
  const [alone] = await dropped(folder, 'brands.csv');
  expect(alone).toMatchObject({ file: { name: 'brands.csv' } });
});

it('a folder is its table, or its pictures', async () => {
  const folder = folderOf('Shop/Week.csv', 'Shop/a.jpg', 'Trip/a.jpg', 'Trip/.b.jpg');
  const batches = await dropped(folder, 'Shop', 'Trip');
  expect(batches.map(({ file }) => file.name)).toEqual(['Week.csv', 'Trip.json']);
  expect(batches[0]).toMatchObject({ in: 'Shop' });
  expect(JSON.parse(batches[1]!.file.bytes.toString())).toHaveLength(1);
});

it.each([
  [['a.csv', 'b.csv', 'c.jpg'], /is a folder with 2 tables\. Open one of them\.$/],
  [['notes.txt'], /is a folder without a table or pictures\.$/],
])('a folder of %j cannot be added, and the error says why', async (names, message) => {
  const folder = folderOf(...names);
  await expect(readBatchFile(folder)).rejects.toThrow(BatchFileError);
  await expect(readBatchFile(folder)).rejects.toThrow(message);
});

it('a document that is a folder on a Mac is no folder of pictures', async () => {
  const folder = folderOf('Plan.numbers/preview.jpg', 'Plan.numbers/Index.zip');
  const batch = readBatchFile(path.join(folder, 'Plan.numbers'));
  await expect(batch).rejects.toThrow('“Plan.numbers” is a Numbers document.');
});
