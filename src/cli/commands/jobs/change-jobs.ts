import type { Client, RetryPlan } from '../../../contract/contract.ts';
import type { JobState } from '../../../contract/job-states.ts';
import { startsFrom } from '../../../engine/jobs/lifecycle.ts';
import type { CommandContext } from '../../command-context.ts';
import { countWords } from '../../display/numbers.ts';
import { failureWords } from '../../display/sentences.ts';
import { plainText } from '../../display/text-cells.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { idsOfChoice, type JobChoice } from './choose-jobs.ts';
import { tellOtherServices } from './other-services.ts';
import {
  exitCodeOfChange,
  sayWhoGoesOn,
  withJobs,
  writeEvent,
  type JobsSettings,
} from './with-jobs.ts';

/** Something that is done with several jobs. */
export interface JobChange {
  readonly act: (client: Client, ids: string[]) => ReturnType<Client['jobs']['hold']>;
  /** Which of a choice it is meant for, where the user does not say which states. */
  readonly usually: readonly JobState[];
  /** The outcome: `are on hold`. */
  readonly outcome: readonly [one: string, several: string];
  /** Whether something goes on afterwards that needs a running Spool. */
  readonly goesOn: boolean;
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
    act: (client, ids) => client.jobs.retry({ ids, payAgain }),
    // Cancelled videos did not fail; they can be retried by id.
    usually: ['failed', 'rejected'],
    outcome: ['is retried', 'are retried'],
    goesOn: true,
    async plan(client, ids) {
      const plan = await client.jobs.planRetry({ ids });
      return { plan, lines: retryWords(plan, payAgain) };
    },
  };
}

export const JOB_CHANGES = {
  hold: {
    act: (client, ids) => client.jobs.hold({ ids }),
    usually: startsFrom('hold'),
    outcome: ['is on hold', 'are on hold'],
    goesOn: false,
  },
  release: {
    act: (client, ids) => client.jobs.resume({ ids }),
    usually: [...startsFrom('release'), ...startsFrom('confirm')],
    outcome: ['is in the queue', 'are in the queue'],
    goesOn: true,
  },
  cancel: {
    act: (client, ids) => client.jobs.cancel({ ids }),
    // Quota is spent on what has been sent: that is abandoned one by one, by its id or its state.
    usually: startsFrom('cancel'),
    outcome: ['is cancelled', 'are cancelled'],
    goesOn: false,
  },
} as const satisfies Readonly<Record<string, JobChange>>;

/** Does something with the jobs that are named, or those that are chosen. */
export function changeJobs(
  change: JobChange,
  named: readonly string[],
  settings: JobsSettings & JobChoice,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout } = context;
  return withJobs(settings, context, async (queue) => {
    const { client } = queue;
    const ids =
      named.length > 0 ? [...new Set(named)] : await idsOfChoice(client, settings, change.usually);
    if (ids.length === 0) {
      if (settings.json) writeEvent(context, { event: 'changed', changed: 0, refused: [] });
      else stdout.write('There are no such videos.\n');
      await tellOtherServices(client, settings, context);
      return EXIT.allSaved;
    }
    const planned = await change.plan?.(client, ids);
    if (!settings.json) for (const line of planned?.lines ?? []) stdout.write(`${line}\n`);
    const { changed, refused } = await change.act(client, ids);
    if (settings.json) {
      const plan = planned ? { plan: planned.plan } : {};
      writeEvent(context, { event: 'changed', changed, refused, ...plan });
    }
    for (const { id, failure } of refused) {
      context.stderr.write(`${await nameOf(client, id)}: ${failureWords(failure)}\n`);
    }
    if (settings.json || changed === 0) return exitCodeOfChange(refused.length);
    const [one, several] = change.outcome;
    stdout.write(`${countWords(changed, 'video')} ${changed === 1 ? one : several}.\n`);
    if (change.goesOn) sayWhoGoesOn(queue, context);
    return exitCodeOfChange(refused.length);
  });
}

function retryWords({ downloads, renders, gone }: RetryPlan, payAgain: boolean): string[] {
  const paid = renders + (payAgain ? gone : 0);
  const lines: string[] = [];
  if (downloads > 0) {
    lines.push(
      `${countWords(downloads, 'video')} ${downloads === 1 ? 'is' : 'are'} downloaded, which is free.`,
    );
  }
  if (paid > 0) {
    const videos = countWords(paid, 'video');
    lines.push(
      `${videos} ${paid === 1 ? 'is' : 'are'} rendered, for up to ${videos} of the quota.`,
    );
  }
  if (gone > 0 && !payAgain) {
    const videos = countWords(gone, 'video');
    const [were, them] = gone === 1 ? ['was', 'it'] : ['were', 'them'];
    lines.push(
      `The service no longer has ${videos} that ${were} paid for. It is asked about ${them} again, which is free.`,
      `To render ${them} again for ${videos} of the quota, add --pay-again.`,
    );
  }
  return lines;
}

/** As a person knows it: by its title, where it has one. */
async function nameOf(client: Client, id: string): Promise<string> {
  try {
    const { job } = await client.jobs.show({ id });
    return `${id} “${plainText(job.title)}”`;
  } catch {
    return id;
  }
}
