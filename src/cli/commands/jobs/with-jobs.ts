import { escapedJson } from '../../../engine/escaped-json.ts';
import { defaultVideoFolder } from '../../../host/video-folder.ts';
import { failureOf } from '../../../host/failures.ts';
import type { Queue } from '../../../host/queue.ts';
import type { CommandContext } from '../../command-context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { lookAtQueue, tellExposure, withQueue } from '../../open-queue.ts';
import type { EngineSettings } from '../../settings.ts';

/** What every command takes that looks at jobs or arranges them. */
export interface JobsSettings extends Pick<EngineSettings, 'dataDir' | 'service'> {
  /** One JSON object a line on standard output. */
  readonly json?: boolean;
}

/**
 * Does something with the jobs of a queue, whether or not a Spool is running. With `--json`, a
 * failure is told to programs as well; whoever called tells it to people.
 */
export async function withJobs(
  settings: JobsSettings,
  context: CommandContext,
  work: (queue: Queue) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    const queue = await lookAtQueue(settings, defaultVideoFolder(), context);
    tellExposure(settings, context);
    return await withQueue(queue, work);
  } catch (error) {
    const failure = failureOf(error);
    if (settings.json && failure !== null) writeEvent(context, { event: 'failed', failure });
    throw error;
  }
}

/** One line for programs. */
export function writeEvent(
  { stdout }: CommandContext,
  event: Readonly<{ event: string }> & Readonly<Record<string, unknown>>,
): void {
  stdout.write(`${escapedJson(event)}\n`);
}

/** What was arranged while nothing runs waits for a Spool that does. */
export function sayWhoGoesOn({ primary }: Queue, { stdout }: CommandContext): void {
  if (primary !== null) return;
  stdout.write(
    'No Spool is running here. Work continues when one is started, such as spool web.\n',
  );
}

/** @returns what a script should go by when some of what it asked for was refused */
export function exitCodeOfChange(refused: number): ExitCode {
  return refused === 0 ? EXIT.allSaved : EXIT.someFailed;
}
