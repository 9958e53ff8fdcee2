import { stat } from 'node:fs/promises';
import { tell } from '../contract/told.ts';
import { BatchUnknownError, NotPossibleNowError } from '../engine/engine-error.ts';
import type { Engine } from '../engine/engine.ts';
import type { Computer } from './computer.ts';
import { diagnosticsText } from './diagnostics.ts';
import type { Log } from './log.ts';

/** Enough to see what came before the trouble, and short enough to paste. */
const LOG_LINES = 50;

/**
 * Finds the files that a page means. A page names jobs and batches, never paths, so it can open
 * nothing that the engine did not save; and all that the engine saves begins like a video.
 */
export class ComputerCommands {
  readonly #engine: Pick<Engine, 'showJob' | 'summary'>;
  readonly #computer: Computer;
  readonly #log: Pick<Log, 'recent'>;

  constructor(
    engine: Pick<Engine, 'showJob' | 'summary'>,
    computer: Computer,
    log: Pick<Log, 'recent'>,
  ) {
    this.#engine = engine;
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
    const folder = this.#folderOf(batchId);
    if (!(await exists(folder))) {
      throw new NotPossibleNowError(tell('folder-not-yet', { folder }));
    }
    await this.#computer.open(folder);
  }

  diagnostics(): string {
    const { node, electron, chrome } = process.versions;
    return diagnosticsText({
      summary: this.#engine.summary(),
      log: this.#log.recent(LOG_LINES),
      now: Date.now(),
      versions: { node, electron, chrome },
    });
  }

  async dragOut(ids: readonly string[]): Promise<void> {
    await this.#computer.dragOut(await Promise.all(ids.map((id) => this.#savedFile(id))));
  }

  #folderOf(batchId: string | undefined): string {
    const { batches, defaultFolder } = this.#engine.summary();
    if (batchId === undefined) return defaultFolder;
    const batch = batches.find(({ id }) => id === batchId);
    if (!batch) throw new BatchUnknownError();
    return batch.folder;
  }

  async #savedFile(id: string): Promise<string> {
    const { job } = await this.#engine.showJob(id);
    if (job.state !== 'done' || job.file === null) {
      throw new NotPossibleNowError(tell('not-saved-yet'));
    }
    if (!(await exists(job.file.path))) {
      throw new NotPossibleNowError(tell('file-moved'));
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
