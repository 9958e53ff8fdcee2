import { execFile } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';

const run = promisify(execFile);

/**
 * The folder of a real file system of `mib` MiB that really gets full, until the test is over. The
 * test is skipped, and says why, where this machine does not let us mount one.
 */
export async function smallDisk(test: TestContext, mib: number): Promise<string> {
  if (process.platform !== 'linux') test.skip('small file systems are mounted on Linux only');
  const folder = await mkdtemp(path.join(tmpdir(), 'spool-disk-'));
  test.onTestFinished(() => rmdir(folder));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'none', folder]);
  } catch {
    test.skip('mounting a file system needs root');
  }
  test.onTestFinished(async () => {
    await run('umount', ['-l', folder]);
  });
  return folder;
}
