import { stat } from 'node:fs/promises';
import path from 'node:path';
import { MAX_BATCH_BYTES } from '../contract/batch-limits.ts';
import { userMessage, type UserMessage } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import { codeOf } from '../engine/error-codes.ts';
import { contentOf, pictureBatch } from './picture-folder.ts';
import { FileRefusedError, readBoundedFile } from './bounded-file.ts';

/** The batch could not be read from disk; the message says why. */
export class BatchFileError extends EngineError {}

/** A batch file, as it is on the disk. */
export interface ReadFile {
  readonly name: string;
  readonly bytes: Buffer<ArrayBuffer>;
  /** Absolute; the pictures that it names are there. */
  readonly folder: string;
}

/**
 * Reads a batch file, as bytes. A folder with one table is that table; one of pictures is a batch
 * with a row for each picture.
 *
 * @throws {BatchFileError} when the file is missing, not a file, or too large.
 */
export async function readBatchFile(file: string): Promise<ReadFile> {
  try {
    if ((await stat(file)).isDirectory()) return await readFolder(file);
    const bytes = await readBoundedFile(file, MAX_BATCH_BYTES);
    return { name: path.basename(file), bytes, folder: path.dirname(file) };
  } catch (cause) {
    if (cause instanceof BatchFileError) throw cause;
    throw unreadable(sentenceFor(file, cause), cause);
  }
}

async function readFolder(folder: string): Promise<ReadFile> {
  // A document that a Mac shows as a file, with pictures of its pages.
  if (/\.numbers$/i.test(folder)) {
    throw unreadable(userMessage('file-is-numbers', { name: path.basename(folder) }));
  }
  const { tables, pictures } = await contentOf(folder);
  const [table, ...others] = tables;
  if (table !== undefined && others.length === 0) return readBatchFile(path.join(folder, table));
  if (table !== undefined) {
    throw unreadable(userMessage('batch-folder-tables', { file: folder, count: tables.length }));
  }
  if (pictures.length === 0) throw unreadable(userMessage('batch-file-folder', { file: folder }));
  return pictureBatch(folder, pictures);
}

function sentenceFor(file: string, cause: unknown): UserMessage {
  if (cause instanceof FileRefusedError) {
    return userMessage(
      cause.reason === 'too-large' ? 'batch-file-too-large' : 'batch-file-not-regular',
      {
        file,
      },
    );
  }
  switch (codeOf(cause)) {
    case 'ENOENT':
      return userMessage('batch-file-gone', { file });
    case 'EACCES':
    case 'EPERM':
      return userMessage('batch-file-forbidden', { file });
    default:
      return userMessage('batch-file-unreadable', { file });
  }
}

function unreadable(why: UserMessage, cause?: unknown): BatchFileError {
  return new BatchFileError({ code: 'batch-unreadable', ...why }, { cause });
}
