import type { Client } from '../../contract/contract.ts';
import type { Failure } from '../../contract/failure.ts';
import { obstacleOf } from '../../contract/flow.ts';
import type { Job } from '../../contract/job.ts';
import type { Summary } from '../../contract/summary.ts';
import { isIn } from '../../contract/job-states.ts';
import { selectJobs } from '../commands/jobs/choose-jobs.ts';
import { blockedText } from '../display/progress-view.ts';
import { formatCount } from '../display/numbers.ts';
import { failureText } from '../display/failure-text.ts';
import type { Finding } from './finding.ts';

export interface DownloadRequest {
  /** Jobs whose file is missing or damaged. */
  readonly ids: readonly string[];
  readonly interrupted: AbortSignal;
  readonly now: () => number;
}

/**
 * Downloads videos again, and waits until they are saved or cannot be. Where nothing is paid they are
 * rendered again, because the service keeps no saved video.
 */
export async function downloadAgain(
  client: Client,
  { ids, interrupted, now }: DownloadRequest,
): Promise<Finding> {
  const { refused } = await client.jobs.downloadAgain({ ids: [...ids] });
  const wanted = new Set(ids.filter((id) => !refused.some((each) => each.id === id)));
  const { jobs, blockedReason } = await waitUntilSettled(client, wanted, interrupted, now);
  const saved = jobs.filter(({ state }) => state === 'done').length;
  const message = `${formatCount(saved, 'video')} restored.`;
  const why = [...refused.map(({ failure }) => failure), ...collectFailures(jobs)].map(failureText);
  const reasons = [...new Set(blockedReason === null ? why : [blockedReason, ...why])];
  return saved === ids.length
    ? { check: 'files', state: 'good', message }
    : {
        check: 'files',
        state: 'bad',
        message: `${message} ${ids.length - saved} failed.`,
        ...(reasons.length === 0 ? {} : { advice: reasons.join(' ') }),
      };
}

interface WaitResult {
  readonly jobs: readonly Job[];
  /** What blocks the downloads until the user acts; `null` for nothing. */
  readonly blockedReason: string | null;
}

async function waitUntilSettled(
  client: Client,
  wanted: ReadonlySet<string>,
  interrupted: AbortSignal,
  now: () => number,
): Promise<WaitResult> {
  const jobs = new Map<string, Job>();
  let hasListed = false;
  try {
    for await (const update of await client.watch({}, { signal: interrupted })) {
      const { summary } = update;
      if (!hasListed || update.relist) {
        for await (const page of selectJobs(client, {}, interrupted)) {
          for (const job of page) if (wanted.has(job.id)) jobs.set(job.id, job);
        }
        hasListed = true;
      }
      for (const job of update.jobs) if (wanted.has(job.id)) jobs.set(job.id, job);
      const moving = [...jobs.values()].filter(({ state }) => isIn('active', state));
      if (moving.length === 0) return { jobs: [...jobs.values()], blockedReason: null };
      const blockedReason = blockedReasonOf(summary, now());
      if (blockedReason !== null) return { jobs: [...jobs.values()], blockedReason };
    }
  } catch (error) {
    // Over a connection, an aborted watch ends with an error.
    if (!interrupted.aborted) throw error;
  }
  return {
    jobs: [...jobs.values()],
    blockedReason: 'Interrupted. The downloads continue when Spool next runs.',
  };
}

/** What blocks all transfers until the user acts; `null` for nothing. */
function blockedReasonOf(summary: Summary, now: number): string | null {
  const { flow, transfers } = summary;
  if (transfers.paused) return 'Transfers are paused.';
  const code = obstacleOf(flow)?.code;
  const needsUser =
    (flow.state === 'paused' && flow.what === 'everything') ||
    code === 'key-missing' ||
    code === 'key-refused';
  return needsUser ? blockedText(summary, now) : null;
}

function collectFailures(jobs: readonly Job[]): Failure[] {
  return jobs.flatMap(({ state, failure }) =>
    state === 'done' || failure === null ? [] : failure,
  );
}
