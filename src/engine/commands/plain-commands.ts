/** The commands of `contract/job-commands.ts` that are one change of each job. */
import {
  JOB_COMMAND_NAMES,
  JOB_COMMANDS,
  type JobCommand,
  type JobCommandChange,
  type JobCommandName,
} from '../../contract/job-commands.ts';
import type { UndoCommand } from '../../contract/undo-words.ts';
import { userMessage } from '../../contract/user-message.ts';
import { NotPossibleNowError } from '../engine-error.ts';
import type { JobRow } from '../jobs/job-row.ts';
import { changeEach } from './by-id.ts';
import type { Needs } from './command-context.ts';
import type { Commands } from './handlers.ts';

type PlainCommandName = {
  [Name in JobCommandName]: (typeof JOB_COMMANDS)[Name] extends { change: object } ? Name : never;
}[JobCommandName];

type PlainCommands = Pick<Commands['jobs'], PlainCommandName>;

export function plainCommands({
  store,
  clock,
  runtime,
}: Needs<'store' | 'clock' | 'runtime'>): PlainCommands {
  const apply = (job: JobRow, { from, ofArchived }: JobCommand, change: JobCommandChange): void => {
    const isArchived = job.archivedAt !== null;
    // A wait: the service is still asked to cancel its render.
    const isPutAway = 'remove' in change || ('archive' in change && change.archive);
    const isWaiting = isPutAway && job.nextTryAt !== null;
    if (!from.includes(job.state) || (ofArchived === true && !isArchived) || isWaiting)
      throw new NotPossibleNowError(userMessage(change.refused));
    if ('remove' in change) store.jobs.remove(job.id, clock.now());
    else if ('archive' in change) store.jobs.archive(job.id, change.archive ? clock.now() : null);
    else {
      const ended = change.endsReason === true ? { failure: null } : {};
      store.jobs.move(job.id, change.move, clock.now(), ended);
    }
  };

  const commands = JOB_COMMAND_NAMES.flatMap((name) => {
    const command: JobCommand = JOB_COMMANDS[name];
    const { change } = command;
    if (change === undefined) return [];
    const run: PlainCommands['hold'] = async ({ ids }) => {
      const undo = command.undo ? store.undo.begin(name as UndoCommand, clock.now()) : undefined;
      const changed = await changeEach(ids, store, (job) => apply(job, command, change), {
        ...(undo && { undo }),
      });
      if (!('move' in change)) runtime.rowsChanged();
      return changed;
    };
    return [[name, run] as const];
  });
  return Object.fromEntries(commands) as PlainCommands;
}
