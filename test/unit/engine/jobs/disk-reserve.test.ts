import { mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DiskReserve } from '../../../../src/engine/jobs/disk-reserve.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

test('a reserve that cannot be written is not complete', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'spool.reserve');
  mkdirSync(file);
  const reserve = new DiskReserve(folder);
  reserve.refill();
  expect(reserve.isWhole).toBe(false);

  rmdirSync(file);
  const sizes: boolean[] = [];
  const after = new DiskReserve(folder);
  after.listen(() => sizes.push(after.isWhole));
  after.refill();
  expect(after.isWhole).toBe(true);
  after.shrink();
  expect(sizes).toEqual([true, false]);
});
