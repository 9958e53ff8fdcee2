import { stat } from 'node:fs/promises';
import type { JobFiles } from '../jobs/job-files.ts';

/**
 * Whether another job has its saved file at this path, even where its own path is spelt differently:
 * file systems of Windows and macOS ignore case, Windows has short names (`LAUNCH~1.MP4`), and links
 * lead to folders.
 */
export async function isFileOfOther(
  target: string,
  jobId: number,
  files: Pick<JobFiles, 'isFileOfOther' | 'savedFiles'>,
): Promise<boolean> {
  if (files.isFileOfOther(target, jobId)) return true;
  const there = await identityOf(target);
  if (there === null) return false;
  for (const file of files.savedFiles(there.bytes, jobId)) {
    const other = await identityOf(file);
    if (other?.device === there.device && other.number === there.number) return true;
  }
  return false;
}

/** Identifies a file in its file system; `null` when there is none. */
async function identityOf(file: string) {
  try {
    const { dev: device, ino: number, size } = await stat(file, { bigint: true });
    return { device, number, bytes: Number(size) };
  } catch {
    return null;
  }
}
