import type { Batch } from '../../../contract/batch.ts';
import type { Client } from '../../../contract/contract.ts';
import type { Job } from '../../../contract/job.ts';
import type { JobState } from '../../../contract/job-states.ts';
import { inEnglish } from '../../../contract/user-message.ts';
import { EngineError } from '../../../engine/engine-error.ts';
import { summaryOf } from '../../../host/summary-of.ts';
import { plainText } from '../../display/text-cells.ts';

/** The most that one call may list (`contract/contract.ts`). */
const PAGE = 1000;

const TOLD_BATCHES = 5;

/** Which jobs a command is for, as typed. What is left out does not narrow it. */
export interface JobChoice {
  /** A batch's name or its id. */
  readonly batch?: string;
  readonly state?: readonly JobState[];
  /** Looked for in titles, without regard to case. */
  readonly search?: string;
}

/** No batch has that name or id. */
export class NoSuchBatchError extends EngineError {
  constructor(name: string, batches: readonly Batch[]) {
    const those = batches.slice(-TOLD_BATCHES).map((batch) => `“${plainText(batch.name)}”`);
    const known = those.length === 0 ? 'There is none.' : `The latest are ${those.join(', ')}.`;
    super({ code: 'batch-unknown', ...inEnglish(`There is no batch “${name}”. ${known}`) });
  }
}

/** Several batches have the name; their ids tell them apart. */
export class BatchAmbiguousError extends EngineError {
  constructor(name: string, batches: readonly Batch[]) {
    const those = batches.map(({ id, folder }) => `${id} (${plainText(folder)})`).join(', ');
    const message = `Several batches are called “${name}”: ${those}.`;
    super({ code: 'value-invalid', ...inEnglish(message) });
  }
}

/**
 * The jobs that are chosen, in queue order, a page at a time.
 *
 * @throws {NoSuchBatchError} or {@link BatchAmbiguousError} for a batch that is none, or several
 */
export async function* chosenJobs(
  client: Client,
  { batch, state, search }: JobChoice,
  batches: readonly Batch[],
): AsyncGenerator<readonly Job[]> {
  const filter = {
    ...(batch === undefined ? {} : { batchId: batchCalled(batch, batches).id }),
    ...(state === undefined ? {} : { states: [...state] }),
    ...(search === undefined ? {} : { search }),
  };
  for (let offset = 0; ; offset += PAGE) {
    const { jobs } = await client.jobs.list({ ...filter, offset, limit: PAGE });
    if (jobs.length > 0) yield jobs;
    if (jobs.length < PAGE) return;
  }
}

/**
 * The ids of the jobs that are chosen, in queue order.
 * @param usually which of them are meant where the user does not say which states
 */
export async function idsOfChoice(
  client: Client,
  choice: JobChoice,
  usually: readonly JobState[],
): Promise<string[]> {
  const { batches } = await summaryOf(client);
  const ids: string[] = [];
  for await (const jobs of chosenJobs(client, { state: usually, ...choice }, batches)) {
    ids.push(...jobs.map(({ id }) => id));
  }
  return ids;
}

function batchCalled(text: string, batches: readonly Batch[]): Batch {
  const named = batches.filter(({ name }) => name === text);
  if (named.length > 1) throw new BatchAmbiguousError(text, named);
  const batch = named[0] ?? batches.find(({ id }) => id === text);
  if (batch === undefined) throw new NoSuchBatchError(text, batches);
  return batch;
}
