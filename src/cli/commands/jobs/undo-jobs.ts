/** `spool jobs undo`: undoes the last command that changed jobs, or lists what can be undone. */
import { UNDO_WORDS } from '../../../contract/undo-words.ts';
import type { UndoStep } from '../../../contract/undo.ts';
import type { CommandContext } from '../../command-context.ts';
import { formatTimestamp } from '../../display/numbers.ts';
import { failureText } from '../../display/failure-text.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { describeJob } from './change-jobs.ts';
import { exitCodeOfChange, withJobs, type JobsOptions } from './with-jobs.ts';
import { writeEvent } from '../../write-event.ts';

export interface UndoOptions extends JobsOptions {
  /** Lists the steps instead. */
  readonly list?: true;
}

/** @param id of a step; the last one that is not undone when left out */
export function undoJobs(
  id: string | undefined,
  options: UndoOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout, stderr } = context;
  return withJobs(options, context, async ({ client }) => {
    const steps = await client.jobs.undoSteps();
    if (options.list) return listSteps(steps, options, context);
    const step = id ?? steps.find(({ undoneAt }) => undoneAt === null)?.id;
    if (step === undefined) {
      if (options.json) writeEvent(context, { event: 'undone', changed: 0, refused: [] });
      else stdout.write('There is nothing to undo.\n');
      return EXIT.allSaved;
    }
    const { command, changed, refused } = await client.jobs.undo({ step });
    if (options.json) writeEvent(context, { event: 'undone', step, command, changed, refused });
    else if (changed > 0) stdout.write(`Undone: ${UNDO_WORDS[command].en(changed)}.\n`);
    for (const { id: job, failure } of refused)
      stderr.write(`${await describeJob(client, job)}: ${failureText(failure)}\n`);
    return exitCodeOfChange(refused.length);
  });
}

function listSteps(
  steps: readonly UndoStep[],
  { json }: UndoOptions,
  context: CommandContext,
): ExitCode {
  for (const step of steps) {
    if (json) {
      writeEvent(context, { event: 'step', ...step });
      continue;
    }
    const { id, at, command, jobs, undoneAt } = step;
    const undone = undoneAt === null ? '' : ' (undone)';
    context.stdout.write(
      `${id.padStart(4)}  ${formatTimestamp(at)}  ${UNDO_WORDS[command].en(jobs)}${undone}\n`,
    );
  }
  if (!json && steps.length === 0) context.stdout.write('There is nothing to undo.\n');
  return EXIT.allSaved;
}
