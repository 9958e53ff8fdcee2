import type { Client, RetryPlan } from '../../../contract/contract.ts';
import {
  JOB_COMMANDS,
  type JobCommand,
  type JobCommandName,
} from '../../../contract/job-commands.ts';
import { priceOf } from '../../../contract/retry-price.ts';
import type { Queue } from '../../../host/queue.ts';
import type { CommandContext } from '../../command-context.ts';
import { formatCount } from '../../display/numbers.ts';
import { failureText } from '../../display/failure-text.ts';
import { amountWords } from '../../display/service-words.ts';
import { plainText } from '../../display/safe-text.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { readNamedJobs } from '../../read-jobs.ts';
import { finishedJobIds, selectJobIds, type JobSelection } from './choose-jobs.ts';
import { noJobsText } from './no-jobs.ts';
import { printOtherServices } from './other-services.ts';
import {
  exitCodeOfChange,
  remindToStart,
  withJobs,
  withServiceOption,
  type JobsOptions,
} from './with-jobs.ts';
import { writeEvent } from '../../write-event.ts';

export interface ChangeOptions extends JobsOptions, JobSelection {
  /** Also renders videos that were paid for and that the service no longer has. */
  readonly payAgain: boolean;
  /** Selects the videos of batches that can be cleared away. */
  readonly finished?: boolean;
}

/** Runs a command on the jobs with the given ids, or on the selected ones. */
export function changeJobs(
  name: JobCommandName,
  givenIds: readonly string[],
  options: ChangeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout } = context;
  const { payAgain } = options;
  const command: JobCommand = JOB_COMMANDS[name];
  const isRetry = name === 'retry';
  return withJobs(options, context, async (queue) => {
    const { client } = queue;
    const isNamed = givenIds.length > 0;
    const selected = isNamed
      ? [...new Set(givenIds)]
      : options.finished === true
        ? await finishedJobIds(client)
        : await selectJobIds(
            client,
            command.ofArchived === true ? { ...options, archived: true } : options,
            command.selects ?? command.from,
          );
    const ids = isNamed || !isRetry ? selected : await withoutRefused(client, selected);
    const left = selected.length - ids.length;
    if (left > 0 && !options.json) stdout.write(`${leftOutText(left)}\n`);
    if (ids.length === 0) {
      if (options.json) writeEvent(context, { event: 'changed', changed: 0, refused: [] });
      else stdout.write(`${left > 0 ? 'There are no others.' : nothingText(name, options)}\n`);
      await printOtherServices(client, options, context);
      return EXIT.allSaved;
    }
    const plan = isRetry ? await client.jobs.planRetry({ ids }) : undefined;
    if (plan && !options.json)
      for (const line of retryLines(plan, payAgain)) stdout.write(`${line}\n`);
    const { changed, refused, step } = await (isRetry
      ? client.jobs.retry({ ids, payAgain })
      : client.jobs[name]({ ids }));
    if (options.json) {
      writeEvent(context, { event: 'changed', changed, refused, step, ...(plan && { plan }) });
    }
    for (const { id, failure } of refused) {
      const text = failureText(withServiceOption(failure, options));
      context.stderr.write(`${await describeJob(client, id)}: ${text}\n`);
    }
    if (options.json || changed === 0) return exitCodeOfChange(refused.length);
    stdout.write(`${command.did.en(changed)}.\n`);
    if (command.startsWork) remindToStart(queue, context);
    if (name === 'cancel') await remindToCancel(queue, ids, context);
    return exitCodeOfChange(refused.length);
  });
}

function nothingText(name: JobCommandName, options: ChangeOptions): string {
  if (options.finished === true) return 'No batch is finished.';
  const { selects, from, ofArchived }: JobCommand = JOB_COMMANDS[name];
  if (ofArchived === true) return noJobsText({ ...options, archived: true });
  return noJobsText(options, selects ?? from);
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

export function retryLines(plan: RetryPlan, payAgain: boolean): string[] {
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
    const price = priceOf(plan, payAgain);
    const cost =
      price === null
        ? `uses up to ${videos} of your quota`
        : `costs about ${amountWords(price.amount, price.unit, price.currency)} (estimate)`;
    lines.push(`${videos} ${paid === 1 ? 'is' : 'are'} rendered, which ${cost}.`);
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

/** Without those that were refused because of their content: the user must name them. */
async function withoutRefused(client: Client, ids: readonly string[]): Promise<string[]> {
  const left = new Set<string>();
  for await (const jobs of readNamedJobs(client, ids)) {
    for (const { id, failure } of jobs) if (failure?.code === 'content-refused') left.add(id);
  }
  return ids.filter((id) => !left.has(id));
}

function leftOutText(count: number): string {
  const [videos, was, them] =
    count === 1 ? ['1 video', 'was', 'it'] : [formatCount(count, 'video'), 'were', 'them'];
  return `${videos} that ${was} refused because of the content ${count === 1 ? 'is' : 'are'} left out. Change ${them}, or name ${them} by id to send the same again.`;
}

/** A job's id and title; only the id if the job cannot be read. */
export async function describeJob(client: Client, id: string): Promise<string> {
  try {
    const { job } = await client.jobs.show({ id });
    return `${id} “${plainText(job.title)}”`;
  } catch {
    return id;
  }
}
