import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { BatchSource } from '../contract/batch.ts';
import { decodeText } from '../contract/batch-text.ts';
import { EngineError } from '../engine/engine-error.ts';

const MOST_BYTES = 16 * 1024 * 1024;

/** The batch could not be read from disk, for a reason its sentence tells. */
export class BatchFileError extends EngineError {}

/**
 * Reads a batch's file as text.
 *
 * @throws {BatchFileError} when it is missing, not a file, or too large.
 */
export async function readBatchFile(file: string): Promise<BatchSource> {
  try {
    const { size } = await stat(file);
    if (size > MOST_BYTES) throw unreadable(`${file} is larger than 16 MiB, which no batch is.`);
    return { name: path.basename(file), content: decodeText(await readFile(file)) };
  } catch (cause) {
    if (cause instanceof BatchFileError) throw cause;
    throw unreadable(sentenceFor(file, cause), cause);
  }
}

function sentenceFor(file: string, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'ENOENT':
      return `There is no file ${file}.`;
    case 'EISDIR':
      return `${file} is a folder, not a batch.`;
    case 'EACCES':
    case 'EPERM':
      return `${file} may not be read by this user.`;
    default:
      return `${file} cannot be read.`;
  }
}

function unreadable(message: string, cause?: unknown): BatchFileError {
  return new BatchFileError({ code: 'batch-unreadable', message }, { cause });
}
