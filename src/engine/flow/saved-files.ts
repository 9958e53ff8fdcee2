import { stat } from 'node:fs/promises';
import { userMessage } from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import { pathBelow } from '../downloads/naming.ts';
import type { PartLocks } from '../downloads/part-locks.ts';
import { discardLeftRecord } from '../downloads/part-record.ts';
import { exists } from '../downloads/place.ts';
import { verifyFile } from '../downloads/verify.ts';
import type { JobFiles } from '../jobs/job-files.ts';
import { fileNameOf, type JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';

/** The most downloads at the same time (`contract/settings.ts`). */
const MAX_PARALLEL = 8;

/** Files checked between two reads of the database. */
const AT_A_TIME = 200;

/**
 * Checks whether every saved file is still where it was saved, except those of archived jobs. Only a file that is certainly gone
 * counts: one on a drive that cannot be read now is left alone.
 * @returns how many more are missing than were known
 */
export async function checkFiles(store: Store, clock: Clock, stop: AbortSignal): Promise<number> {
  let missing = 0;
  const ids = store.jobs.ids('done');
  for (let start = 0; start < ids.length && !stop.aborted; start += AT_A_TIME) {
    const jobs = store.jobs.pick(ids.slice(start, start + AT_A_TIME));
    missing += await checkFilesOf(jobs, store, clock, stop);
  }
  return missing;
}

/**
 * The same for a few jobs.
 * @param stop checked after each disk access: the store may be closed by then
 */
export async function checkFilesOf(
  jobs: readonly JobRow[],
  store: Store,
  clock: Clock,
  stop: AbortSignal,
): Promise<number> {
  const gone = await Promise.all(jobs.map(isGone));
  if (stop.aborted) return 0;
  let missing = 0;
  store.transactions.write(() => {
    jobs.forEach(({ id, filePath }, index) => {
      const now = store.jobs.find(id);
      if (gone[index] !== true || now?.state !== 'done') return;
      // It has been renamed, or is about to be.
      if (now.filePath !== filePath || now.renameTo !== null) return;
      markMissing(store, id, clock);
      missing += 1;
    });
  });
  return missing;
}

/**
 * Finds files that were missing and are back, such as on a drive that was disconnected.
 * @param ids of jobs; those without a missing file are skipped
 * @returns the ids of those that were found
 */
export async function findMissing(
  ids: readonly number[],
  { jobs }: Store,
  clock: Clock,
  stop: AbortSignal,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const { id, state, filePath, fileBytes: bytes, fileSha256: sha256 } of jobs.pick(ids)) {
    if (state !== 'missing' || filePath === null || bytes === null || sha256 === null) continue;
    // One that cannot be read counts as missing.
    const file = await verifyFile(filePath, { bytes, sha256 }, stop).catch(() => null);
    if (stop.aborted) break;
    const now = jobs.get(id);
    if (file?.kind !== 'intact' || now.state !== 'missing' || now.filePath !== filePath) continue;
    jobs.move(id, 'markFound', clock.now(), { failure: null });
    found.add(id);
  }
  return found;
}

/** Records that a saved file is gone. */
export function markMissing(store: Store, jobId: number, clock: Clock): void {
  store.jobs.move(jobId, 'markMissing', clock.now(), {}, userMessage('file-gone'));
}

async function isGone({ filePath }: JobRow): Promise<boolean> {
  return filePath === null || !(await exists(filePath).catch(() => true));
}

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

/**
 * Removes what a killed process left: the records and locks beside the files that were saved last,
 * and the locks of parts that were being downloaded. The user may never resume those.
 */
export async function discardLeftFiles(
  { jobs, batches }: Store,
  locks: PartLocks,
  clock: Clock,
): Promise<void> {
  for (const { filePath, remoteId } of jobs.lastSaved(MAX_PARALLEL)) {
    if (filePath === null || remoteId === null) continue;
    // A record that cannot be removed does no harm.
    await discardLeftRecord(filePath, remoteId).catch(() => undefined);
    await locks.discardLeft(filePath, clock);
  }
  for (const job of jobs.first(['ready'], MAX_PARALLEL)) {
    const target = pathBelow(batches.get(job.batchId).folder, fileNameOf(job));
    await locks.discardLeft(target, clock);
  }
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
