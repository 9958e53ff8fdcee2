import { statfsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DiskRoom } from '../../../../src/engine/downloads/disk.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

/** A folder, and more than half of the space on its disk: other programs change the rest. */
function folderAndMost(): [folder: string, bytes: number] {
  const folder = temporaryFolder();
  const { bavail, bsize } = statfsSync(folder);
  return [folder, Math.floor(bavail * bsize * 0.6)];
}

test('two transfers cannot reserve the same space', async () => {
  const [folder, most] = folderAndMost();
  const room = new DiskRoom();
  const [one, other] = [{}, {}];

  const lacking = await Promise.all([one, other].map((owner) => room.claim(owner, folder, most)));
  expect(lacking.filter((bytes) => bytes > 0)).toHaveLength(1);

  room.release(one);
  expect(await room.claim(other, folder, most)).toBe(0);
});

test('a transfer’s reservation replaces its former one, and shrinks as it is used', async () => {
  const [folder, most] = folderAndMost();
  const room = new DiskRoom();
  const [one, other] = [{}, {}];

  expect(await room.claim(one, folder, most)).toBe(0);
  expect(await room.claim(one, folder, most)).toBe(0);
  expect(await room.claim(other, folder, most)).toBeGreaterThan(0);
  room.shrink(one, 0);
  expect(await room.claim(other, folder, most)).toBe(0);
});
