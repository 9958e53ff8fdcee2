/**
 * Undoes what the user did lately, job by job: each is again exactly as it was, or stays as it is
 * for a reason. What was undone is written together with the record of it, so that a stop at any
 * point loses neither.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isIn, type JobState } from '../../contract/job-states.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { Undone } from '../../contract/undo.ts';
import { nameKey } from '../downloads/file-name.ts';
import { nameBelow, type SettledName } from '../downloads/naming.ts';
import { EngineError, NotPossibleNowError } from '../engine-error.ts';
import { finishRenames, renameFiles } from '../flow/renamer.ts';
import type { RenameIntent } from '../jobs/job-files.ts';
import { fileNameOf, type JobRow } from '../jobs/job-row.ts';
import type { MoveName } from '../jobs/lifecycle.ts';
import type { ChangedJob, Columns } from '../jobs/undo-log.ts';
import type { CommandContext, Needs } from './command-context.ts';
import type { Commands } from './handlers.ts';
import { settleNamesOf } from './names-in-folder.ts';
import { assertPaidOnce, assertRenderedOnce } from './paid-twice.ts';

type UndoCommands = Pick<Commands['jobs'], 'undo' | 'undoSteps'>;

/** Jobs in one transaction, as in `changeEach`. */
const AT_A_TIME = 2000;

/** The moves back, by the state that a command left and the one before it. */
const MOVES_BACK: Readonly<Record<string, readonly MoveName[]>> = {
  'held to queued': ['release'],
  'queued to held': ['hold'],
  'cancelled to held': ['restore'],
  'cancelled to queued': ['restore', 'release'],
};

/** Columns that belong to what is sent. */
const SENT_COLUMNS = ['body_sha256', 'row_values', 'template_id', 'position', 'priority'];

interface Step {
  readonly id: number;
  readonly refused: Undone['refused'];
}

export function undoCommands(
  context: Needs<'store' | 'clock' | 'runtime' | 'naming' | 'renaming' | 'stop'>,
): UndoCommands {
  const { store, clock, runtime, naming, renaming, stop } = context;

  const undoEach = async (step: Step): Promise<number> => {
    let changed = 0;
    for (;;) {
      const some = store.undo.jobsOf(step.id, AT_A_TIME);
      if (some.length === 0) return changed;
      const names = await namesOf(some, context);
      store.transactions.write(() => {
        for (const job of some) {
          const refusal = refusalOf(() => undoJob(job, names, context));
          if (refusal === null) changed += 1;
          else step.refused.push({ id: String(job.jobId), failure: refusal.failure });
          store.undo.settle(step.id, job.jobId);
        }
      });
      await nextTurn();
    }
  };

  const undoRenames = async (step: Step): Promise<number> => {
    await finishRenames(store, clock, stop);
    const jobs = store.undo.jobsOf(step.id, store.undo.left(step.id));
    const taken = takenNames(jobs, store);
    const going = store.transactions.write(() =>
      jobs.flatMap((job): RenameIntent[] => {
        store.undo.settle(step.id, job.jobId);
        let intents: readonly RenameIntent[] = [];
        const refusal = refusalOf(() => {
          intents = renameBack(job, taken, store);
          const intended = store.files.planRenames(intents);
          if (intended.size < intents.length)
            throw new NotPossibleNowError(userMessage('rename-changed'));
        });
        if (refusal === null) return [...intents];
        step.refused.push({ id: String(job.jobId), failure: refusal.failure });
        return [];
      }),
    );
    const { refused } = await renameFiles(store, clock, stop);
    for (const { id } of going) {
      const failure = refused.get(id);
      if (failure) step.refused.push({ id: String(id), failure });
    }
    runtime.backUp();
    return going.length - going.filter(({ id }) => refused.has(id)).length;
  };

  return {
    undoSteps: () => [...store.undo.steps()],

    async undo({ step: id }) {
      const found = store.undo.find(Number(id));
      if (found?.undoneAt !== null) throw new NotPossibleNowError(userMessage('undo-no-step'));
      const { command } = found;
      const step: Step = { id: Number(id), refused: [] };
      const changed = await (command === 'rename'
        ? renaming.run(() => naming.run(() => undoRenames(step)))
        : naming.run(() => undoEach(step)));
      store.undo.end(step.id, clock.now());
      runtime.rowsChanged();
      return { command, changed, refused: step.refused };
    },
  };
}

/** Runs `work`. @returns the error that it throws for the user, `null` without one */
function refusalOf(work: () => void): EngineError | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

/** @throws {NotPossibleNowError} */
function undoJob(
  { jobId, was, became }: ChangedJob,
  names: ReadonlyMap<number, SettledName>,
  { store, clock }: Needs<'store' | 'clock'>,
): void {
  const { jobs, order } = store;
  const job = jobs.get(jobId);
  assertAsLeft(job, became, store.undo.columnsOf(jobId, 'body' in became));
  const { state, position, archived_at: archivedAt, file_name: _name, ...columns } = was;
  if (job.state === 'cancelled' && state !== undefined) {
    if (job.attempts > 0 || job.remoteId !== null)
      throw new NotPossibleNowError(userMessage('undo-was-sent'));
    assertRenderedOnce(job, store);
  }
  if (typeof was.body_sha256 === 'string') {
    const { body_sha256: bodySha256, duplicate_of: of = job.duplicateOf } = was;
    const group = of === null ? jobId : Number(of);
    assertPaidOnce({ id: jobId, bodySha256, group }, store, 'paid-twice');
  }
  const settled = names.get(jobId);
  if (settled?.kind === 'skipped')
    throw new NotPossibleNowError(userMessage('name-kept', { name: settled.name }));

  if (typeof state === 'string') {
    // At one time, by which the history recognises them as one act of the user.
    const now = clock.now();
    for (const move of MOVES_BACK[`${job.state} to ${state}`] ?? []) jobs.move(jobId, move, now);
  }
  if (archivedAt !== undefined)
    jobs.archive(jobId, archivedAt === null ? null : Number(archivedAt));
  jobs.restore(jobId, { ...columns, ...(settled ? { file_name: settled.name } : {}) });
  if (typeof position === 'number') order.putBack(jobId, position);
}

/** @throws {NotPossibleNowError} for a job that is not as the change left it */
function assertAsLeft(job: JobRow, became: Columns, now: Columns): void {
  const isSent =
    !isIn('unsent', job.state) && job.state !== 'cancelled' && job.state !== 'rejected';
  if (isSent && SENT_COLUMNS.some((name) => name in became))
    throw new NotPossibleNowError(userMessage('undo-sent'));
  if (Object.keys(became).every((name) => now[name] === became[name])) return;
  const wasUnsent = typeof became.state === 'string' && isIn('unsent', became.state as JobState);
  throw new NotPossibleNowError(userMessage(isSent && wasUnsent ? 'undo-sent' : 'undo-changed'));
}

/** The names that jobs get again, or others where those are taken; by job id. */
async function namesOf(
  changed: readonly ChangedJob[],
  { store }: Needs<'store'>,
): Promise<ReadonlyMap<number, SettledName>> {
  const names = changed.flatMap(({ jobId, was, became }) => {
    const job = store.jobs.find(jobId);
    // A cancelled job gives up its name.
    const isNamed = became.state === 'cancelled' || was.file_name !== undefined;
    if (job === null || !isNamed) return [];
    const { file_name: name = job.fileName } = was;
    return [{ job, name: fileNameOf({ ...job, fileName: name === null ? null : String(name) }) }];
  });
  return settleNamesOf(names, store);
}

/** By folder, the keys of names that jobs outside of the step have. */
function takenNames(
  changed: readonly ChangedJob[],
  { files, batches, jobs }: CommandContext['store'],
) {
  const ids = changed.map(({ jobId }) => jobId);
  const folders = new Set(jobs.pick(ids).map(({ batchId }) => batches.get(batchId).folder));
  return new Map(
    [...folders].map((folder) => [folder, new Set(files.namesIn(folder, ids).map(nameKey))]),
  );
}

/** What gives a job's file its name back; nothing if it has that name. @throws {NotPossibleNowError} */
function renameBack(
  { jobId, was, became }: ChangedJob,
  taken: ReturnType<typeof takenNames>,
  { jobs, batches }: CommandContext['store'],
): readonly RenameIntent[] {
  const { state, filePath, batchId } = jobs.get(jobId);
  const { folder } = batches.get(batchId);
  const name = String(was.file_name);
  if (state !== 'done' || filePath === null)
    throw new NotPossibleNowError(userMessage('rename-gone'));
  const present = nameBelow(folder, filePath);
  if (present === name) return [];
  if (present !== became.file_name) throw new NotPossibleNowError(userMessage('undo-changed'));
  if (taken.get(folder)?.has(nameKey(name)) === true)
    throw new NotPossibleNowError(userMessage('name-taken', { name }));
  return [{ id: jobId, filePath, renameTo: name }];
}
