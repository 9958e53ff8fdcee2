import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { Failure } from '../../contract/failure.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import { nameKey, withRemark } from '../downloads/file-name.ts';
import { nameBelow, pathBelow } from '../downloads/naming.ts';
import {
  exists,
  moveIntoPlace,
  TargetExistsError,
  undoHalfMove,
  UnsyncedMoveError,
} from '../downloads/place.ts';
import { verifyFile } from '../downloads/verify.ts';
import { codeOf } from '../error-codes.ts';
import { makeFolder } from '../files/make-folder.ts';
import { pathInside } from '../files/path-inside.ts';
import { syncFolder } from '../files/replace-file.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import { untilWritten } from '../jobs/transactions.ts';
import { markMissing } from './saved-files.ts';

/**
 * How long an indexer may hold a file; after the first such timeout, other files are not waited
 * for.
 */
const MAX_RETRY_MS = 2000;

/** A file to be moved. Paths are absolute. */
interface RenameTask {
  readonly job: JobRow;
  readonly folder: string;
  /** The path that it returns to when it cannot have its new name. */
  readonly home: string;
  readonly to: string;
  at: string;
  /** There was no file at `at`: one that is there now is another row's. */
  isGone: boolean;
}

export interface RenameOutcome {
  readonly renamed: number;
  /** By the job's id; each of these files has its old name. */
  readonly refused: ReadonlyMap<number, Failure>;
}

/**
 * Continues the renaming that a stopped engine left. No other process may be renaming.
 * @param stop leaves the rest to the next start
 */
export async function finishRenames(store: Store, clock: Clock, stop: AbortSignal): Promise<void> {
  const tasks = tasksIn(store);
  for (const task of tasks) await reconcile(task, store, clock, stop);
  if (tasks.length > 0) await renameFiles(store, clock, stop);
}

/**
 * Moves files to the names that are stored for them. A file gives up a name before another file
 * takes it; where names form a cycle (a ↔ b, or a ↔ A on a disk that ignores case), one file waits
 * under a temporary name. Each move is stored before the next begins, so that after a stop at any
 * point at most one file is not where the store says, and that one is found by its content.
 *
 * No other process may be renaming.
 * @param stop leaves the rest to the next start
 */
export async function renameFiles(
  store: Store,
  clock: Clock,
  stop: AbortSignal,
): Promise<RenameOutcome> {
  const tasks = tasksIn(store);
  const run = new RenameRun(store, clock, stop);
  const waiting = new Map(tasks.map((task) => [nameKey(task.at), task]));
  for (const task of tasks) {
    if (stop.aborted) break;
    await run.work(task, waiting);
  }
  return run.end();
}

function tasksIn({ jobs, batches }: Store): readonly RenameTask[] {
  return jobs.renaming().flatMap((job): RenameTask[] => {
    const { id, filePath, fileName, renameTo } = job;
    if (filePath === null || renameTo === null) return [];
    const { folder } = batches.get(job.batchId);
    const wasAside =
      fileName !== null && filePath === temporaryName(pathBelow(folder, fileName), id);
    const home = wasAside ? pathBelow(folder, fileName) : filePath;
    return [{ job, folder, home, at: filePath, to: pathBelow(folder, renameTo), isGone: false }];
  });
}

/** Reconciles disk and store after a stop in the middle of a move. */
async function reconcile(
  task: RenameTask,
  store: Store,
  clock: Clock,
  stop: AbortSignal,
): Promise<void> {
  const { job, at, to } = task;
  const { fileBytes: bytes, fileSha256: sha256 } = job;
  const paths = [temporaryName(at, job.id), to].filter((each) => each !== at);
  try {
    if (await exists(at)) {
      for (const each of paths) await undoHalfMove(at, each);
      return;
    }
    if (bytes === null || sha256 === null) return;
    for (const each of paths) {
      const found = await verifyFile(each, { bytes, sha256 }, stop);
      if (found.kind !== 'intact') continue;
      // The stopped engine may not have made the new name durable.
      await syncFolder(path.dirname(each));
      await untilWritten(() => writeMove(task, each, store, clock), clock, stop);
      return;
    }
  } catch {
    // For example, a drive is disconnected. The move is tried as it is, and a failure is reported.
  }
}

class RenameRun {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #stop: AbortSignal;
  readonly #refused = new Map<number, Failure>();
  readonly #done = new Set<RenameTask>();
  /**
   * Folders that files were moved out of, or could not be moved into, each with the batch's folder.
   */
  readonly #left = new Map<string, string>();
  #renamed = 0;
  #retryForMs = MAX_RETRY_MS;

  constructor(store: Store, clock: Clock, stop: AbortSignal) {
    this.#store = store;
    this.#clock = clock;
    this.#stop = stop;
  }

  /**
   * Renames a file, and before it the files that have its new name. They are removed from
   * `waiting`.
   * @param waiting files that were not handled yet, by the key of their present path
   */
  async work(first: RenameTask, waiting: Map<string, RenameTask>): Promise<void> {
    // It may have been moved already, to free its name for another one.
    if (this.#done.has(first)) return;
    const chain = new Set<RenameTask>();
    let next: RenameTask | undefined = first;
    for (; next && !chain.has(next); next = waiting.get(nameKey(next.to))) chain.add(next);
    for (const task of chain) {
      this.#done.add(task);
      waiting.delete(nameKey(task.at));
    }
    if (next) await this.#move(next, temporaryName(next.at, next.job.id));
    for (const task of [...chain].toReversed()) await this.#deliver(task);
  }

  async end(): Promise<RenameOutcome> {
    for (const [folder, top] of this.#left) await removeEmptied(folder, top);
    return { renamed: this.#renamed, refused: this.#refused };
  }

  async #deliver(task: RenameTask): Promise<void> {
    const { job, to, home } = task;
    const why = await this.#move(task, to);
    if (why === null) {
      this.#renamed += 1;
      return;
    }
    // It is retried at the next start.
    if (this.#stop.aborted) return;
    if (task.at !== home) await this.#move(task, home);
    this.#refused.set(job.id, { code: 'not-possible-now', ...why });
    await untilWritten(() => this.#giveUp(task), this.#clock, this.#stop);
  }

  #giveUp({ job: { id }, isGone }: RenameTask): void {
    const { jobs, transactions } = this.#store;
    transactions.write(() => {
      jobs.change(id, { renameTo: null });
      if (isGone && jobs.get(id).state === 'done') markMissing(this.#store, id, this.#clock);
    });
  }

  /** @returns why not, or `null` */
  async #move(task: RenameTask, target: string): Promise<UserMessage | null> {
    const { at, folder } = task;
    try {
      task.isGone ||= !(await exists(at));
      if (task.isGone) return userMessage('rename-gone');
      this.#left.set(path.dirname(target), folder);
      await makeFolder(path.dirname(target));
      await moveIntoPlace(at, target, false, this.#clock, this.#stop, this.#retryForMs);
    } catch (error) {
      // On a failing disk too, the row states where the file is now.
      if (!(error instanceof UnsyncedMoveError)) {
        const name = path.basename(target);
        if (error instanceof TargetExistsError) return userMessage('name-taken', { name });
        this.#retryForMs = 0;
        return userMessage('rename-refused', { name, code: codeOf(error) ?? 'unknown' });
      }
    }
    this.#left.set(path.dirname(at), folder);
    const write = () => writeMove(task, target, this.#store, this.#clock);
    await untilWritten(write, this.#clock, this.#stop);
    task.at = target;
    return null;
  }
}

/** Beside the file, under a name that explains itself to a user who sees it. */
function temporaryName(file: string, jobId: number): string {
  const { dir, base } = path.parse(file);
  return path.join(dir, withRemark(base, `renaming ${jobId}`));
}

function writeMove(
  { job, folder, home, to }: RenameTask,
  at: string,
  store: Store,
  clock: Clock,
): void {
  if (at !== to) {
    store.jobs.change(job.id, { filePath: at });
    return;
  }
  const change = { filePath: at, fileName: job.renameTo, renameTo: null };
  const note = userMessage('renamed', { from: nameBelow(folder, home), to: nameBelow(folder, to) });
  store.jobs.move(job.id, 'rename', clock.now(), change, note);
}

/** Removes a folder and its parents below `top`, as long as they are empty. */
async function removeEmptied(folder: string, top: string): Promise<void> {
  if (pathInside(top, folder) === null) return;
  try {
    await rmdir(folder);
  } catch {
    return;
  }
  await removeEmptied(path.dirname(folder), top);
}
