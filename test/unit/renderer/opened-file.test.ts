import { expect, test } from 'vitest';
import { openedFile } from '../../../src/renderer/state/offered-file.ts';

test('a file that the system opened is read with its folder, which its pictures are in', async () => {
  const base64 = Buffer.from('title,picture\nBoat,boat.png\n').toString('base64');
  const opened = { path: '/trip/table.csv', name: 'table.csv', folder: '/trip', base64 };
  const read = await openedFile(opened).read();
  expect(read).toMatchObject({ kind: 'file', file: { name: 'table.csv', folder: '/trip' } });
});
