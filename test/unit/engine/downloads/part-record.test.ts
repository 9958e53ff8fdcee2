import { rename } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  readRecord,
  writeRecord,
  type PartRecord,
} from '../../../../src/engine/downloads/part-record.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const record: PartRecord = {
  version: 1,
  video: 'vid_1',
  total: 8,
  offset: 4,
  isWhole: false,
  validator: { etag: null, lastModified: null },
  prefixSha256: '0'.repeat(64),
};

/** A file system on which a scanner locks the record for so many tries. */
function lockedFor(tries: number, platform: NodeJS.Platform, code = 'EPERM') {
  const waited: number[] = [];
  let left = tries;
  return {
    waited,
    platform,
    sleep: (ms: number) => Promise.resolve(void waited.push(ms)),
    rename: async (from: string, to: string): Promise<void> => {
      if (left-- > 0) throw Object.assign(new Error('It is held.'), { code });
      await rename(from, to);
    },
  };
}

test.each(['EPERM', 'EBUSY', 'EACCES'])(
  'waits on Windows for a virus scanner that holds the record (%s)',
  async (code) => {
    const target = path.join(temporaryFolder(), 'film.mp4');
    const system = lockedFor(3, 'win32', code);
    await writeRecord(target, record, system);
    expect(system.waited).toEqual([10, 20, 40]);
    expect(await readRecord(target)).toEqual(record);
  },
);

test('fails when the record is locked for longer, and leaves it unchanged', async () => {
  const target = path.join(temporaryFolder(), 'film.mp4');
  await writeRecord(target, record);
  const system = lockedFor(100, 'win32');
  const written = writeRecord(target, { ...record, offset: 6 }, system);
  await expect(written).rejects.toThrow('It is held.');
  expect(system.waited.reduce((sum, ms) => sum + ms)).toBe(630);
  expect(await readRecord(target)).toEqual(record);
});

test('does not wait on other systems, where such a refusal is permanent', async () => {
  const target = path.join(temporaryFolder(), 'film.mp4');
  const system = lockedFor(1, 'linux', 'EACCES');
  await expect(writeRecord(target, record, system)).rejects.toThrow('It is held.');
  expect(system.waited).toEqual([]);
});
