import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { contract } from '../contract/contract.ts';
import type { JobDetails } from '../contract/job.ts';
import type { Summary } from '../contract/summary.ts';
import { userMessage } from '../contract/user-message.ts';
import { folderIssue } from '../engine/files/folder-path.ts';
import type { Handlers } from '../engine/commands/handlers.ts';
import { BatchUnknownError, NotPossibleNowError } from '../engine/engine-error.ts';
import type { Computer } from './computer.ts';
import { diagnosticsText } from './diagnostics.ts';
import type { Log } from './log.ts';
import { trashSaved } from './trash-saved.ts';

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
export function computerCommands(
  records: FileRecords,
  computer: Computer,
  log: Pick<Log, 'recent'>,
): Handlers<typeof contract.computer> {
  const folderOf = async (batchId: string | undefined): Promise<string> => {
    const { batches, defaultFolder } = await records.summary();
    if (batchId === undefined) return defaultFolder;
    const batch = batches.find(({ id }) => id === batchId);
    if (!batch) throw new BatchUnknownError();
    return batch.folder;
  };

  const recordedFile = async (id: string): Promise<string> => {
    const { job } = await records.showJob(id);
    if (job.state !== 'done' || job.file === null) {
      throw new NotPossibleNowError(userMessage('not-saved-yet'));
    }
    return job.file.path;
  };

  const savedFile = async (id: string): Promise<string> => {
    const file = await recordedFile(id);
    if (!(await exists(file))) throw new NotPossibleNowError(userMessage('file-moved'));
    return file;
  };

  return {
    abilities: () => computer.abilities,

    openFile: async ({ id }) => computer.open(await savedFile(id)),

    showFile: async ({ id }) => computer.show(await savedFile(id)),

    trashFiles: ({ ids }) =>
      trashSaved(
        ids,
        (id) => records.showJob(id),
        (file) => computer.trash(file),
      ),

    async openFolder({ batchId }) {
      const folder = await folderOf(batchId);
      if (!(await exists(folder))) {
        throw new NotPossibleNowError(userMessage('folder-not-yet', { folder }));
      }
      await computer.open(folder);
    },

    async chooseFolder({ startIn }) {
      return { folder: await computer.chooseFolder(safeStart(startIn)) };
    },

    async chooseFiles({ startIn, ...question }) {
      const start = safeStart(startIn);
      const files = await computer.chooseFiles(
        start === undefined ? question : { ...question, startIn: start },
      );
      return { files: [...files] };
    },

    /**
     * Waits for nothing but the look-up: the operating system accepts a drag only while the pointer
     * moves.
     */
    async dragOut({ ids }) {
      const files = await Promise.all(ids.map(recordedFile));
      if (!files.every((file) => existsSync(file)))
        throw new NotPossibleNowError(userMessage('file-moved'));
      await computer.dragOut(files);
    },

    async diagnostics() {
      const { node, electron, chrome } = process.versions;
      const text = diagnosticsText({
        summary: await records.summary(),
        log: log.recent(LOG_LINES),
        now: Date.now(),
        versions: { node, electron, chrome },
      });
      return { text };
    },

    async *pageRequests(_, signal) {
      yield* computer.pageRequests(signal);
    },

    async *updates(_, signal) {
      yield* computer.updates(signal);
    },

    restartToUpdate: () => computer.restartToUpdate(),
  };
}

/** On Windows, opening a network folder would send the user's name to the network. */
function safeStart(folder: string | undefined): string | undefined {
  return folder !== undefined && folderIssue(folder) === null ? folder : undefined;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
