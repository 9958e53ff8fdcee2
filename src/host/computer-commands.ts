import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { JobDetails } from '../contract/job.ts';
import type { Summary } from '../contract/summary.ts';
import { userMessage } from '../contract/user-message.ts';
import { BatchUnknownError, NotPossibleNowError } from '../engine/engine-error.ts';
import type { Computer } from './computer.ts';
import { diagnosticsText } from './diagnostics.ts';
import type { Log } from './log.ts';

/** Enough lines to show what led to an error, and few enough to paste. */
const LOG_LINES = 50;

/** Looks up files: in an engine of this process or of another one. */
export interface FileRecords {
  showJob(id: string): Promise<JobDetails>;
  summary(): Summary | Promise<Summary>;
}

/**
 * Resolves jobs and batches to files. A page sends ids, never paths, so it can open only what the
 * engine saved; the engine saves only files that begin like a video.
 */
export class ComputerCommands {
  readonly #records: FileRecords;
  readonly #computer: Computer;
  readonly #log: Pick<Log, 'recent'>;

  constructor(records: FileRecords, computer: Computer, log: Pick<Log, 'recent'>) {
    this.#records = records;
    this.#computer = computer;
    this.#log = log;
  }

  async openFile(id: string): Promise<void> {
    await this.#computer.open(await this.#savedFile(id));
  }

  async showFile(id: string): Promise<void> {
    await this.#computer.show(await this.#savedFile(id));
  }

  async openFolder(batchId: string | undefined): Promise<void> {
    const folder = await this.#folderOf(batchId);
    if (!(await exists(folder))) {
      throw new NotPossibleNowError(userMessage('folder-not-yet', { folder }));
    }
    await this.#computer.open(folder);
  }

  async diagnostics(): Promise<string> {
    const { node, electron, chrome } = process.versions;
    return diagnosticsText({
      summary: await this.#records.summary(),
      log: this.#log.recent(LOG_LINES),
      now: Date.now(),
      versions: { node, electron, chrome },
    });
  }

  /**
   * Waits for nothing but the look-up: the operating system accepts a drag only while the pointer
   * moves.
   */
  async dragOut(ids: readonly string[]): Promise<void> {
    const files = await Promise.all(ids.map((id) => this.#recordedFile(id)));
    if (!files.every((file) => existsSync(file)))
      throw new NotPossibleNowError(userMessage('file-moved'));
    await this.#computer.dragOut(files);
  }

  async #folderOf(batchId: string | undefined): Promise<string> {
    const { batches, defaultFolder } = await this.#records.summary();
    if (batchId === undefined) return defaultFolder;
    const batch = batches.find(({ id }) => id === batchId);
    if (!batch) throw new BatchUnknownError();
    return batch.folder;
  }

  async #savedFile(id: string): Promise<string> {
    const file = await this.#recordedFile(id);
    if (!(await exists(file))) throw new NotPossibleNowError(userMessage('file-moved'));
    return file;
  }

  async #recordedFile(id: string): Promise<string> {
    const { job } = await this.#records.showJob(id);
    if (job.state !== 'done' || job.file === null) {
      throw new NotPossibleNowError(userMessage('not-saved-yet'));
    }
    return job.file.path;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
