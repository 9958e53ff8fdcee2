/** Tables that the user opened are noticed when another program has saved them. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WatchedTables } from '../../../src/main/watched-tables.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const NEVER_MS = 2 ** 31 - 1;

async function watching() {
  const file = path.join(temporaryFolder(), 'a.csv');
  const changed: string[] = [];
  const tables = new WatchedTables((name) => changed.push(name), NEVER_MS);
  onTestFinished(() => tables.close());
  writeFileSync(file, 'title\nOne');
  await tables.add(file);
  /** How many changes a look reports. */
  const look = async (): Promise<number> => {
    changed.length = 0;
    await tables.look();
    return changed.length;
  };
  return { tables, file, look };
}

it('reports each saving once, when it is complete', async () => {
  const { file, look } = await watching();
  expect(await look()).toBe(0);
  writeFileSync(file, '');
  expect(await look()).toBe(0);
  writeFileSync(file, 'title\nO');
  expect(await look()).toBe(0);
  writeFileSync(file, 'title\nOne\nTwo');
  expect([await look(), await look(), await look()]).toEqual([0, 1, 0]);
});

it('reports a file that another one replaced, also when it was gone in between', async () => {
  const { file, look } = await watching();
  rmSync(file);
  expect([await look(), await look()]).toEqual([0, 0]);
  writeFileSync(`${file}.tmp`, 'title\nOne\nTwo\nThree');
  renameSync(`${file}.tmp`, file);
  expect([await look(), await look(), await look()]).toEqual([0, 1, 0]);
});

it('looks by itself', async () => {
  const changed = Promise.withResolvers<string>();
  const tables = new WatchedTables(changed.resolve, 1);
  onTestFinished(() => tables.close());
  const file = path.join(temporaryFolder(), 'a.csv');
  writeFileSync(file, 'title');
  await tables.add(file);
  writeFileSync(file, 'title\nOne');
  expect(await changed.promise).toBe(file);
});

it('ignores pictures and folders', async () => {
  const { tables, look } = await watching();
  const folder = temporaryFolder();
  const picture = path.join(folder, 'a.png');
  writeFileSync(picture, 'one');
  await tables.add(folder);
  await tables.add(picture);
  writeFileSync(picture, 'another');
  expect([await look(), await look()]).toEqual([0, 0]);
});
