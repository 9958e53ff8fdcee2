import type { Client } from '../../contract/contract.ts';
import type { Failure } from '../../contract/failure.ts';
import { obstacleOf } from '../../contract/flow.ts';
import type { Job } from '../../contract/job.ts';
import type { Summary } from '../../contract/summary.ts';
import { isIn } from '../../contract/job-states.ts';
import { chosenJobs } from '../commands/jobs/choose-jobs.ts';
import { hindranceWords } from '../display/progress-view.ts';
import { countWords } from '../display/numbers.ts';
import { failureWords } from '../display/sentences.ts';
import type { Finding } from './finding.ts';

export interface Fetching {
  /** Jobs whose file is missing or damaged. */
  readonly ids: readonly string[];
  readonly interrupted: AbortSignal;
  readonly now: () => number;
}

/** Fetches videos again, without rendering, and waits until they are saved or cannot be. */
export async function fetchAgain(
  client: Client,
  { ids, interrupted, now }: Fetching,
): Promise<Finding> {
  const { refused } = await client.jobs.fetch({ ids: [...ids] });
  const wanted = new Set(ids.filter((id) => !refused.some((each) => each.id === id)));
  const { jobs, hindrance } = await settled(client, wanted, interrupted, now);
  const saved = jobs.filter(({ state }) => state === 'done').length;
  const message = `${countWords(saved, 'video')} downloaded again, without rendering.`;
  const why = [...refused.map(({ failure }) => failure), ...failuresOf(jobs)].map(failureWords);
  const reasons = [...new Set(hindrance === null ? why : [hindrance, ...why])];
  return saved === ids.length
    ? { check: 'files', state: 'good', message }
    : {
        ...{ check: 'files', state: 'bad' },
        message: `${message} ${ids.length - saved} could not be.`,
        ...(reasons.length === 0 ? {} : { advice: reasons.join(' ') }),
      };
}

interface Settled {
  readonly jobs: readonly Job[];
  /** What keeps them from being fetched for as long as the user does nothing; `null`: nothing. */
  readonly hindrance: string | null;
}

async function settled(
  client: Client,
  wanted: ReadonlySet<string>,
  interrupted: AbortSignal,
  now: () => number,
): Promise<Settled> {
  const jobs = new Map<string, Job>();
  let isListed = false;
  try {
    for await (const update of await client.watch({}, { signal: interrupted })) {
      const { summary } = update;
      if (!isListed || update.relist) {
        for await (const page of chosenJobs(client, {}, summary.batches)) {
          for (const job of page) if (wanted.has(job.id)) jobs.set(job.id, job);
        }
        isListed = true;
      }
      for (const job of update.jobs) if (wanted.has(job.id)) jobs.set(job.id, job);
      const moving = [...jobs.values()].filter(({ state }) => isIn('active', state));
      if (moving.length === 0) return { jobs: [...jobs.values()], hindrance: null };
      const hindrance = hindranceOf(summary, now());
      if (hindrance !== null) return { jobs: [...jobs.values()], hindrance };
    }
  } catch (error) {
    // Over a connection, a watch that is cut short ends with an error.
    if (!interrupted.aborted) throw error;
  }
  return { jobs: [...jobs.values()], hindrance: 'It was interrupted; the next Spool goes on.' };
}

/** What keeps every transfer from going on until the user does something; `null` when nothing. */
function hindranceOf(summary: Summary, now: number): string | null {
  const { flow, transfers } = summary;
  if (transfers.paused) return 'Transfers are paused.';
  const code = obstacleOf(flow)?.code;
  const isForGood =
    (flow.state === 'paused' && flow.what === 'everything') ||
    code === 'key-missing' ||
    code === 'key-refused';
  return isForGood ? hindranceWords(summary, now) : null;
}

function failuresOf(jobs: readonly Job[]): Failure[] {
  return jobs.flatMap(({ state, failure }) =>
    state === 'done' || failure === null ? [] : failure,
  );
}
