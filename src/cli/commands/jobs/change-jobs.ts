import type { Client, RetryPlan } from '../../../contract/contract.ts';
import type { Job } from '../../../contract/job.ts';
import type { JobState } from '../../../contract/job-states.ts';
import { MOVES } from '../../../engine/jobs/lifecycle.ts';
import type { Queue } from '../../../host/queue.ts';
import type { CommandContext } from '../../command-context.ts';
import { formatCount } from '../../display/numbers.ts';
import { failureText } from '../../display/failure-text.ts';
import { plainText } from '../../display/text-cells.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { readNamedJobs } from '../../read-jobs.ts';
import { selectJobIds, type JobSelection } from './choose-jobs.ts';
import { printOtherServices } from './other-services.ts';
import {
  exitCodeOfChange,
  remindToStart,
  withJobs,
  withServiceOption,
  writeEvent,
  type JobsOptions,
} from './with-jobs.ts';

/** A change that can be applied to several jobs. */
export interface JobChange {
  readonly apply: (client: Client, ids: string[]) => ReturnType<Client['jobs']['hold']>;
  /** The states it applies to when the user selects jobs without naming states. */
  readonly defaultStates: readonly JobState[];
  /** The outcome: `are on hold`. */
  readonly outcome: readonly [one: string, several: string];
  /** Whether work follows that needs a running Spool. */
  readonly needsRunningSpool: boolean;
  /** Jobs that are left out unless the user names them. */
  readonly leavesOut?: (job: Job) => boolean;
  /** What the change will cost, if anything: as data for programs, and as lines for people. */
  readonly plan?: (client: Client, ids: string[]) => Promise<ChangePlan>;
}

interface ChangePlan {
  readonly plan: object;
  readonly lines: readonly string[];
}

/** @param payAgain also renders videos that were paid for and that the service no longer has */
export function retry(payAgain: boolean): JobChange {
  return {
    apply: (client, ids) => client.jobs.retry({ ids, payAgain }),
    // Cancelled videos did not fail; they can be retried by id.
    defaultStates: ['failed', 'rejected'],
    outcome: ['is retried', 'are retried'],
    needsRunningSpool: true,
    leavesOut: ({ failure }) => failure?.code === 'content-refused',
    async plan(client, ids) {
      const plan = await client.jobs.planRetry({ ids });
      return { plan, lines: retryLines(plan, payAgain) };
    },
  };
}

export const JOB_CHANGES = {
  hold: {
    apply: (client, ids) => client.jobs.hold({ ids }),
    defaultStates: MOVES.hold.from,
    outcome: ['is on hold', 'are on hold'],
    needsRunningSpool: false,
  },
  release: {
    apply: (client, ids) => client.jobs.release({ ids }),
    defaultStates: MOVES.release.from,
    outcome: ['is in the queue', 'are in the queue'],
    needsRunningSpool: true,
  },
  cancel: {
    apply: (client, ids) => client.jobs.cancel({ ids }),
    // Submitted videos have spent quota: those must be abandoned explicitly, by id or state.
    defaultStates: MOVES.cancel.from,
    outcome: ['is cancelled', 'are cancelled'],
    needsRunningSpool: false,
  },
} as const satisfies Readonly<Record<string, JobChange>>;

/** Applies a change to the jobs with the given ids, or to the selected ones. */
export function changeJobs(
  change: JobChange,
  givenIds: readonly string[],
  options: JobsOptions & JobSelection,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout } = context;
  return withJobs(options, context, async (queue) => {
    const { client } = queue;
    const isNamed = givenIds.length > 0;
    const selected = isNamed
      ? [...new Set(givenIds)]
      : await selectJobIds(client, options, change.defaultStates);
    const ids =
      isNamed || !change.leavesOut
        ? selected
        : await withoutJobs(client, selected, change.leavesOut);
    const left = selected.length - ids.length;
    if (left > 0 && !options.json) stdout.write(`${leftOutText(left)}\n`);
    if (ids.length === 0) {
      if (options.json) writeEvent(context, { event: 'changed', changed: 0, refused: [] });
      else stdout.write('There are no such videos.\n');
      await printOtherServices(client, options, context);
      return EXIT.allSaved;
    }
    const planned = await change.plan?.(client, ids);
    if (!options.json) for (const line of planned?.lines ?? []) stdout.write(`${line}\n`);
    const { changed, refused } = await change.apply(client, ids);
    if (options.json) {
      const plan = planned ? { plan: planned.plan } : {};
      writeEvent(context, { event: 'changed', changed, refused, ...plan });
    }
    for (const { id, failure } of refused) {
      const text = failureText(withServiceOption(failure, options));
      context.stderr.write(`${await describeJob(client, id)}: ${text}\n`);
    }
    if (options.json || changed === 0) return exitCodeOfChange(refused.length);
    const [one, several] = change.outcome;
    stdout.write(`${formatCount(changed, 'video')} ${changed === 1 ? one : several}.\n`);
    if (change.needsRunningSpool) remindToStart(queue, context);
    if (change === JOB_CHANGES.cancel) await remindToCancel(queue, ids, context);
    return exitCodeOfChange(refused.length);
  });
}

/** A render continues, and costs, until a Spool has asked the service to cancel it. */
async function remindToCancel(
  { client, primary }: Queue,
  ids: readonly string[],
  { stdout }: CommandContext,
): Promise<void> {
  if (primary !== null) return;
  const { jobs } = await client.jobs.list({ states: ['abandoned'], offset: 0, limit: 1000 });
  const left = jobs.filter(({ id, wait }) => ids.includes(id) && wait?.reason === 'cancelling');
  if (left.length === 0) return;
  const [videosAre, them] =
    left.length === 1 ? ['1 video is', 'it'] : [`${formatCount(left.length, 'video')} are`, 'them'];
  stdout.write(
    `${videosAre} still rendering. Spool asks the service to cancel ${them} when it next runs, for example with spool web.\n`,
  );
}

function retryLines(plan: RetryPlan, payAgain: boolean): string[] {
  const { downloads, renders, gone, contentRefused } = plan;
  const paid = renders + (payAgain ? gone : 0);
  const lines: string[] = [];
  if (downloads > 0) {
    lines.push(
      `${formatCount(downloads, 'video')} ${downloads === 1 ? 'is' : 'are'} downloaded, which is free.`,
    );
  }
  if (paid > 0) {
    const videos = formatCount(paid, 'video');
    lines.push(
      `${videos} ${paid === 1 ? 'is' : 'are'} rendered, which uses up to ${videos} of your quota.`,
    );
  }
  if (contentRefused > 0) {
    const were = contentRefused === 1 ? 'was' : 'were';
    lines.push(
      `${formatCount(contentRefused, 'video')} ${were} refused because of the content, and may be refused, and charged for, again.`,
    );
  }
  if (gone > 0 && !payAgain) {
    const videos = formatCount(gone, 'video');
    const [were, them] = gone === 1 ? ['was', 'it'] : ['were', 'them'];
    lines.push(
      `The service does not deliver ${videos} that ${were} paid for. Spool asks about ${them} again, which is free.`,
      `To render ${them} again, which uses ${videos} of your quota, add --pay-again.`,
    );
  }
  return lines;
}

async function withoutJobs(
  client: Client,
  ids: readonly string[],
  isLeftOut: (job: Job) => boolean,
): Promise<string[]> {
  const left = new Set<string>();
  for await (const jobs of readNamedJobs(client, ids)) {
    for (const job of jobs) if (isLeftOut(job)) left.add(job.id);
  }
  return ids.filter((id) => !left.has(id));
}

function leftOutText(count: number): string {
  const [videos, was, them] =
    count === 1 ? ['1 video', 'was', 'it'] : [formatCount(count, 'video'), 'were', 'them'];
  return `${videos} that ${was} refused because of the content ${count === 1 ? 'is' : 'are'} left out. Change ${them}, or name ${them} by id to send the same again.`;
}

/** A job's id and title; only the id if the job cannot be read. */
async function describeJob(client: Client, id: string): Promise<string> {
  try {
    const { job } = await client.jobs.show({ id });
    return `${id} “${plainText(job.title)}”`;
  } catch {
    return id;
  }
}
