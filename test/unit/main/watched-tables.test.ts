/** Tables that the user opened are noticed when another program saves them. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { WatchedTables } from '../../../src/main/watched-tables.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

function watching() {
  const folder = temporaryFolder();
  const changed: string[] = [];
  const tables = new WatchedTables((file) => changed.push(path.basename(file)), 5);
  onTestFinished(() => tables.close());
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  return { tables, changed, write };
}

it('reports each saving, also of a file that was gone in between', async () => {
  const { tables, changed, write } = watching();
  const file = write('a.csv', 'title\nOne');
  tables.add(file);
  await expect
    .poll(() => {
      // The first look may come after the first change.
      if (changed.length === 0) write('a.csv', `title\n${'x'.repeat(Math.random() * 100)}`);
      return changed.length;
    })
    .toBeGreaterThan(0);
  rmSync(file);
  const before = changed.length;
  write('a.csv', 'title\nOne\nTwo\nThree');
  await expect.poll(() => changed.length).toBeGreaterThan(before);
  expect(new Set(changed)).toEqual(new Set(['a.csv']));
});

it('ignores pictures and folders', () => {
  const { tables } = watching();
  // Nothing is left to unwatch.
  tables.add('/pictures');
  tables.add('/pictures/a.png');
  tables.close();
});
