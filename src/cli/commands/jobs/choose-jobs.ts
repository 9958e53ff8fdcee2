import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Batch } from '../../../contract/batch.ts';
import type { Client } from '../../../contract/contract.ts';
import type { Job, JobFilter } from '../../../contract/job.ts';
import { isFinished, type JobState } from '../../../contract/job-states.ts';
import { userMessage } from '../../../contract/user-message.ts';
import { EngineError } from '../../../engine/engine-error.ts';
import { summaryOf } from '../../../host/summary-of.ts';
import { plainText } from '../../display/safe-text.ts';
import { readJobs } from '../../read-jobs.ts';

const MAX_LISTED_BATCHES = 5;

/** Filters for jobs, as typed. A filter left out does not narrow the selection. */
export interface JobSelection {
  /** A batch's name or its id. */
  readonly batch?: string;
  readonly state?: readonly JobState[];
  /** Searched in titles, case-insensitively. */
  readonly search?: string;
  /** Only archived jobs; without it, only the others. */
  readonly archived?: boolean;
}

type NamedBatch = Pick<Batch, 'id' | 'name' | 'folder'>;

/** No batch has that name or id. */
export class NoSuchBatchError extends EngineError {
  constructor(name: string, batches: readonly NamedBatch[]) {
    const those = batches.slice(-MAX_LISTED_BATCHES).map((batch) => `“${plainText(batch.name)}”`);
    const message =
      those.length === 0
        ? userMessage('batch-name-unknown-none', { name })
        : userMessage('batch-name-unknown', { name, names: those.join(', ') });
    super({ code: 'batch-unknown', ...message });
  }
}

/** Several batches have the name; their ids distinguish them. */
export class BatchAmbiguousError extends EngineError {
  constructor(name: string, batches: readonly NamedBatch[]) {
    const those = batches.map(({ id, folder }) => `${id} (${plainText(folder)})`).join(', ');
    super({
      code: 'value-invalid',
      ...userMessage('batch-name-ambiguous', { name, batches: those }),
    });
  }
}

/**
 * The selected jobs in queue order, page by page, without those that lose their state meanwhile.
 *
 * @throws the reason of an interruption
 * @throws {NoSuchBatchError} or {@link BatchAmbiguousError} if the batch is unknown or ambiguous
 */
export async function* selectJobs(
  client: Client,
  selection: JobSelection,
  interrupted: AbortSignal,
): AsyncGenerator<readonly Job[]> {
  const filter = await filterOf(client, selection);
  for await (const read of readJobs(client, filter)) {
    // Without a turn of the event loop, no signal would be noticed.
    await nextTurn();
    interrupted.throwIfAborted();
    const jobs = read.filter(({ state }) => filter.states?.includes(state) ?? true);
    if (jobs.length > 0) yield jobs;
  }
}

/**
 * The ids of the selected jobs, in queue order.
 * @param defaultStates the states to select if the user names none
 */
export async function selectJobIds(
  client: Client,
  choice: JobSelection,
  defaultStates: readonly JobState[],
): Promise<string[]> {
  const filter = await filterOf(client, { state: defaultStates, ...choice });
  const { ids } = await client.jobs.ids(filter);
  return ids;
}

/** The given ids, each one time, or those of the selected jobs if none are given. */
export function givenOrSelectedIds(
  client: Client,
  givenIds: readonly string[],
  choice: JobSelection,
  defaultStates: readonly JobState[],
): Promise<string[]> {
  return givenIds.length > 0
    ? Promise.resolve([...new Set(givenIds)])
    : selectJobIds(client, choice, defaultStates);
}

/** The ids of all jobs of batches that can be cleared away. */
export async function finishedJobIds(client: Client): Promise<string[]> {
  const { batches } = await summaryOf(client);
  const pages = batches
    .filter(({ counts }) => isFinished(counts))
    .map(({ id: batchId }) => client.jobs.ids({ batchId, archived: false }));
  return (await Promise.all(pages)).flatMap(({ ids }) => ids);
}

async function filterOf(
  client: Client,
  { batch, state, search, archived = false }: JobSelection,
): Promise<JobFilter> {
  const batchId =
    batch === undefined ? undefined : findBatch(batch, await client.batches.list()).id;
  return { batchId, states: state, search, archived };
}

function findBatch(text: string, batches: readonly NamedBatch[]): NamedBatch {
  const named = batches.filter(({ name }) => name === text);
  if (named.length > 1) throw new BatchAmbiguousError(text, named);
  const batch = named[0] ?? batches.find(({ id }) => id === text);
  if (batch === undefined) throw new NoSuchBatchError(text, batches);
  return batch;
}
