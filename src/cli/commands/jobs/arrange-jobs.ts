/** `spool jobs edit`, `move` and `prioritise`: changes videos that have not been sent. */
import { UNDO_WORDS, type UndoCommand } from '../../../contract/undo-words.ts';
import type { Changed, Client } from '../../../contract/contract.ts';
import type { RowsEdit } from '../../../contract/job.ts';
import { STATE_GROUPS, type JobState } from '../../../contract/job-states.ts';
import { failureText } from '../../display/failure-text.ts';
import type { CommandContext } from '../../command-context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { describeJob } from './change-jobs.ts';
import { givenOrSelectedIds, type JobSelection } from './choose-jobs.ts';
import { noJobsText } from './no-jobs.ts';
import { printOtherServices } from './other-services.ts';
import { exitCodeOfChange, withJobs, withServiceOption, type JobsOptions } from './with-jobs.ts';
import { writeEvent } from '../../write-event.ts';

export interface ArrangeOptions extends JobsOptions, JobSelection {}

export interface EditOptions extends ArrangeOptions {
  /** Values by column. */
  readonly set?: Readonly<Record<string, string>>;
  /** A column, and the text to find in it. */
  readonly replace?: { readonly field: string; readonly find: string };
  /** What the text is replaced by. */
  readonly with?: string;
  readonly ignoreCase?: true;
}

/** One of them is set. */
export interface Place {
  readonly before?: string;
  readonly first?: true;
  readonly last?: true;
}

/** Changes values of the selected rows, or replaces a text in one column. */
export function editJobs(
  ids: readonly string[],
  { set, replace, with: replacement, ignoreCase, ...options }: EditOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const edit: Omit<RowsEdit, 'ids'> = {
    ...(set && { values: set }),
    ...(replace && {
      replace: { ...replace, with: replacement ?? '', exact: ignoreCase !== true },
    }),
  };
  return arrange('edit', [...STATE_GROUPS.unsent, 'rejected'], ids, options, context, (jobs, of) =>
    jobs.editMany({ ids: of, ...edit }),
  );
}

/** Moves the selected rows, in their present order. */
export function moveJobs(
  ids: readonly string[],
  { before, first, ...options }: ArrangeOptions & Place,
  context: CommandContext,
): Promise<ExitCode> {
  return arrange('move', STATE_GROUPS.unsent, ids, options, context, async (jobs, of) => {
    const top = first ? (await jobs.list({ archived: false, limit: 1 })).jobs[0]?.id : undefined;
    return jobs.move({ ids: of, before: before ?? top ?? null });
  });
}

export const PRIORITIES = { high: 1, normal: 0, low: -1 } as const;
export type Priority = keyof typeof PRIORITIES;

/** Sends the selected rows earlier or later than others. */
export function prioritiseJobs(
  priority: Priority,
  ids: readonly string[],
  options: ArrangeOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return arrange('prioritise', STATE_GROUPS.unsent, ids, options, context, (jobs, of) =>
    jobs.prioritise({ ids: of, priority: PRIORITIES[priority] }),
  );
}

function arrange(
  command: UndoCommand,
  states: readonly JobState[],
  givenIds: readonly string[],
  options: ArrangeOptions,
  context: CommandContext,
  change: (jobs: Client['jobs'], ids: string[]) => Promise<Changed>,
): Promise<ExitCode> {
  const { stdout, stderr } = context;
  return withJobs(options, context, async ({ client }) => {
    const ids = await givenOrSelectedIds(client, givenIds, options, states);
    const none: Changed = { changed: 0, refused: [], step: null };
    const { changed, refused, step } = ids.length === 0 ? none : await change(client.jobs, ids);
    if (options.json) writeEvent(context, { event: 'changed', changed, refused, step });
    else if (changed > 0) stdout.write(`${UNDO_WORDS[command].en(changed)}.\n`);
    else if (refused.length === 0)
      stdout.write(`${ids.length === 0 ? noJobsText(options, states) : 'Nothing changed.'}\n`);
    if (ids.length === 0) await printOtherServices(client, options, context);
    for (const { id, failure } of refused) {
      const text = failureText(withServiceOption(failure, options));
      stderr.write(`${await describeJob(client, id)}: ${text}\n`);
    }
    return refused.length === 0 ? EXIT.allSaved : exitCodeOfChange(refused.length);
  });
}
