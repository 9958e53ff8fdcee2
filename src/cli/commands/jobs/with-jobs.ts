import type { Failure } from '../../../contract/failure.ts';
import { EngineError } from '../../../engine/engine-error.ts';
import { localOrigin } from '../../../host/local-port.ts';
import { localFolder } from '../../../host/service-link.ts';
import { failureOf } from '../../../host/failures.ts';
import type { Queue } from '../../../host/queue.ts';
import type { CommandContext } from '../../command-context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { openReadOnlyQueue, warnIfExposed, withQueue } from '../../open-queue.ts';
import type { QueueOptions } from '../../options.ts';
import { resolveQueueSettings } from '../../queue-settings.ts';
import { writeEvent } from '../../write-event.ts';

/** Options of every command that lists or changes jobs. */
export interface JobsOptions extends Pick<QueueOptions, 'dataDir' | 'service'> {
  /** One JSON object a line on standard output. */
  readonly json?: boolean;
}

/**
 * Runs `work` with a queue, whether or not a Spool is running. With `--json`, a failure is also
 * written as an event; the caller writes it for people.
 */
export async function withJobs(
  options: JobsOptions,
  context: CommandContext,
  work: (queue: Queue) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    const queue = await openReadOnlyQueue(await resolveQueueSettings(options), context);
    warnIfExposed(options.dataDir, context);
    return await withQueue(queue, work);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    if (options.json) writeEvent(context, { event: 'failed', failure });
    throw new EngineError(withServiceOption(failure, options), { cause: error });
  }
}

/** The failure, with the option that shows the video if another service of the queue has it. */
export function withServiceOption<Kind extends Failure>(
  failure: Kind,
  { dataDir }: Pick<JobsOptions, 'dataDir'>,
): Kind {
  const { origin } = failure;
  if (origin === undefined) return failure;
  const service = origin === localOrigin(localFolder(dataDir)) ? 'local' : origin;
  return { ...failure, message: `${failure.message} Add --service ${service}.` };
}

/** Reminds the user that changes take effect only when a Spool runs, if none does. */
export function remindToStart({ primary }: Queue, { stdout }: CommandContext): void {
  if (primary !== null) return;
  stdout.write('No Spool is running here. To continue, start one, for example with spool web.\n');
}

/** @returns the exit code for scripts, non-zero if some changes were refused */
export function exitCodeOfChange(refused: number): ExitCode {
  return refused === 0 ? EXIT.allSaved : EXIT.someFailed;
}
