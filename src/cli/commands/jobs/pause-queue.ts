import { summaryOf } from '../../../host/summary-of.ts';
import type { CommandContext } from '../../command-context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { remindToStart, withJobs, type JobsOptions } from './with-jobs.ts';
import { writeEvent } from '../../write-event.ts';

export interface PauseOptions extends JobsOptions {
  /** Also stops tracking and downloading submitted videos. */
  readonly everything?: boolean;
}

/** Stops sending until the queue is resumed, in this run and the next ones. */
export function pauseQueue(
  { everything, ...options }: PauseOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const what = everything ? 'everything' : 'sending';
  return withJobs(options, context, async ({ client }) => {
    const { origin } = (await summaryOf(client)).service;
    await client.queue.pause({ origin, what });
    if (options.json) writeEvent(context, { event: 'paused', what });
    else context.stdout.write(`${PAUSED[what]}\n`);
    return EXIT.allSaved;
  });
}

/** Resumes a queue that was paused, or that stopped until the user has checked it. */
export function resumeQueue(options: JobsOptions, context: CommandContext): Promise<ExitCode> {
  return withJobs(options, context, async (queue) => {
    const { origin } = (await summaryOf(queue.client)).service;
    await queue.client.queue.resume({ origin });
    if (options.json) {
      writeEvent(context, { event: 'resumed' });
    } else {
      context.stdout.write('The queue is resumed.\n');
      remindToStart(queue, context);
    }
    return EXIT.allSaved;
  });
}

const PAUSED = {
  sending:
    'Sending is paused until spool queue resume. Videos already sent are tracked and downloaded.',
  everything: 'Sending, tracking and downloading are paused until spool queue resume.',
} as const;
