import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileRefusedError, readBoundedFile } from '../../../src/host/bounded-file.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

describe('a file that is read up to a limit', () => {
  it('may be exactly as large as that', async () => {
    const file = path.join(temporaryFolder(), 'week.csv');
    writeFileSync(file, '12345');
    expect((await readBoundedFile(file, 5)).toString()).toBe('12345');
    await expect(readBoundedFile(file, 4)).rejects.toMatchObject({ reason: 'too-large' });
  });

  // Files of `/proc` report a size of 0, as a file does that grows after it was opened.
  it.runIf(process.platform === 'linux')(
    'is refused if it has more than it said when it was opened',
    async () => {
      await expect(readBoundedFile('/proc/self/status', 100)).rejects.toMatchObject({
        reason: 'too-large',
      });
      expect((await readBoundedFile('/proc/self/status', 100_000)).toString()).toMatch(/^Name:/);
    },
  );

  it.skipIf(process.platform === 'win32')('is no folder, device or pipe', async () => {
    const folder = temporaryFolder();
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    mkdirSync(path.join(folder, 'folder'));
    await expect(readBoundedFile(pipe, 10)).rejects.toThrow(FileRefusedError);
    await expect(readBoundedFile('/dev/zero', 10)).rejects.toThrow(FileRefusedError);
    await expect(readBoundedFile(path.join(folder, 'folder'), 10)).rejects.toMatchObject({
      code: 'EISDIR',
    });
  });
});
