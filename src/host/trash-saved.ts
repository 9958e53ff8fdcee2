/** Moves files of saved videos to the system's trash. */
import { lstat } from 'node:fs/promises';
import type { Changed } from '../contract/contract.ts';
import type { JobDetails } from '../contract/job.ts';
import { userMessage } from '../contract/user-message.ts';
import { NotPossibleNowError } from '../engine/engine-error.ts';
import { failureOf } from './failures.ts';

/** A file that is no longer as it was saved stays, and is reported. */
export async function trashSaved(
  ids: readonly string[],
  showJob: (id: string) => Promise<JobDetails>,
  trash: (file: string) => Promise<void>,
): Promise<Pick<Changed, 'changed' | 'refused'>> {
  const refused: Changed['refused'] = [];
  for (const id of ids) {
    try {
      const { job } = await showJob(id);
      if (job.state !== 'done' || job.file === null)
        throw new NotPossibleNowError(userMessage('not-saved-yet'));
      const found = await lstat(job.file.path).catch(() => null);
      // Somebody else's file may have its name now.
      if (!found?.isFile() || found.size !== job.file.bytes)
        throw new NotPossibleNowError(userMessage('trash-changed'));
      await trash(job.file.path);
    } catch (error) {
      const failure =
        failureOf(error) ??
        ({ code: 'not-possible-now', ...userMessage('trash-refused') } as const);
      refused.push({ id, failure });
    }
  }
  return { changed: ids.length - refused.length, refused };
}
