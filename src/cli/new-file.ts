import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { userMessage } from '../contract/user-message.ts';
import { codeOf } from '../engine/error-codes.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { CommandContext } from './command-context.ts';
import { relativePath } from './display/report.ts';
import { visibleText } from './display/text-cells.ts';

/** Error codes of a full disk or an exceeded quota. */
const DISK_FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** A file for an export cannot be written, or exists already. */
export class ExportFileError extends EngineError {
  constructor(file: string, cause: unknown) {
    const exists = codeOf(cause) === 'EEXIST';
    const message = userMessage(exists ? 'file-exists' : 'file-not-writable', { file });
    const code = exists ? 'not-possible-now' : 'folder-unusable';
    super({ code, ...message }, { cause });
  }
}

/**
 * Writes an export to a new file, or to standard output when no file is given.
 *
 * @throws {ExportFileError}
 */
export async function writeExport(
  out: string | undefined,
  pieces: Iterable<string>,
  { stdout, cwd }: CommandContext,
): Promise<void> {
  if (out === undefined) {
    // A file gets titles unchanged; a terminal would interpret control characters in them.
    for (const piece of pieces) stdout.write(stdout.isTTY ? visibleText(piece) : piece);
    return;
  }
  const file = path.resolve(cwd, out);
  try {
    await writeFile(file, pieces, { flag: 'wx' });
  } catch (error) {
    const code = codeOf(error) ?? '';
    // A truncated table would look complete.
    if (DISK_FULL_CODES.has(code)) await rm(file, { force: true });
    throw new ExportFileError(file, error);
  }
  stdout.write(`Written to ${relativePath(file, cwd)}.\n`);
}
