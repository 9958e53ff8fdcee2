import type { AddedBatch } from '../contract/batch.ts';
import type { Client } from '../contract/contract.ts';
import type { Job } from '../contract/job.ts';
import type { Summary } from '../contract/summary.ts';
import { endingOf, type BatchEnding, type BatchProgress } from './batch-progress.ts';
import { readJobs, readNamedJobs } from './read-jobs.ts';

export interface WaitResult {
  /** `null` when the wait was interrupted. */
  readonly ending: BatchEnding | null;
  readonly progress: BatchProgress | undefined;
}

/**
 * Watches batches until none of them can progress without the user, or until `signal` is aborted.
 */
export async function waitForBatches(
  client: Client,
  added: readonly AddedBatch[],
  onProgress: (progress: BatchProgress) => void,
  signal: AbortSignal,
): Promise<WaitResult> {
  const jobs = new Map<string, Job>();
  let progress: BatchProgress | undefined;
  let relist = true;
  try {
    for await (const update of await client.watch({}, { signal })) {
      if (relist || update.relist) {
        for (const { batchId, inOtherBatches } of added) {
          for (const job of await listBatch(client, batchId)) jobs.set(job.id, job);
          for await (const page of readNamedJobs(client, inOtherBatches)) {
            for (const job of page) jobs.set(job.id, job);
          }
        }
        relist = false;
      }
      for (const job of update.jobs) if (jobs.has(job.id)) jobs.set(job.id, job);
      progress = progressOf(added, jobs, update.summary);
      onProgress(progress);
      const ending = endingOf(progress);
      if (ending !== null) return { ending, progress };
    }
  } catch (error) {
    // Over a connection, an aborted watch ends with an error.
    if (!signal.aborted) throw error;
  }
  return { ending: null, progress };
}

/** Every job of a batch, in queue order. */
export async function listBatch(client: Client, batchId: string): Promise<Job[]> {
  const jobs: Job[] = [];
  for await (const page of readJobs(client, { batchId })) jobs.push(...page);
  return jobs;
}

function progressOf(
  added: readonly AddedBatch[],
  jobs: ReadonlyMap<string, Job>,
  summary: Summary,
): BatchProgress {
  const ids = new Set(added.map(({ batchId }) => batchId));
  const named = (idsOf: (batch: AddedBatch) => readonly string[]): Job[] =>
    [...new Set(added.flatMap(idsOf))].flatMap((id) => jobs.get(id) ?? []);
  const batches = summary.batches.filter(({ id }) => ids.has(id));
  return {
    name: batches.map(({ name }) => name).join(', '),
    // All batches of one command have the same folder.
    folder: batches[0]?.folder ?? summary.defaultFolder,
    // A batch of the same name may contain rows that are no longer in the file: those are not
    // shown.
    jobs: named(({ jobIds }) => jobIds),
    awaited: named(({ inOtherBatches }) => inOtherBatches),
    summary,
  };
}
