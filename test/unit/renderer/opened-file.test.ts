import { expect, test } from 'vitest';
import { offeredFile, openedFile } from '../../../src/renderer/state/offered-file.ts';

test('a file that the system opened is read with its folder, which its pictures are in', async () => {
  const base64 = Buffer.from('title,picture\nBoat,boat.png\n').toString('base64');
  const opened = { path: '/trip/table.csv', name: 'table.csv', folder: '/trip', base64 };
  const read = await openedFile(opened).read();
  expect(read).toMatchObject({ kind: 'file', file: { name: 'table.csv', folder: '/trip' } });
});

test('a picture that a browser hands over without its folder is a problem that says so', async () => {
  const picture = new File(['…'], 'boat.png', { type: 'image/png' });
  expect(await offeredFile(picture).read()).toEqual({
    kind: 'problem',
    problem: { kind: 'picture-without-folder' },
  });
});
