import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { userMessage } from '../contract/user-message.ts';
import { codeOf } from '../engine/error-codes.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { CommandContext } from './command-context.ts';
import { relativePath } from './display/report.ts';
import { visibleText } from './display/safe-text.ts';
import { writeEvent } from './write-event.ts';

/** Error codes of a full disk or an exceeded quota. */
const DISK_FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** A file for an export cannot be written, or exists already. */
class ExportFileError extends EngineError {
  constructor(file: string, cause: unknown) {
    const exists = codeOf(cause) === 'EEXIST';
    const message = userMessage(exists ? 'file-exists' : 'file-not-writable', { file });
    const code = exists ? 'not-possible-now' : 'folder-unusable';
    super({ code, ...message }, { cause });
  }
}

/** An export as it is written. */
export interface WrittenExport {
  /** A new file; standard output when left out. */
  readonly out?: string | undefined;
  /** Whether standard output gets JSON: the document, or where it was written. */
  readonly json?: boolean | undefined;
}

/**
 * Writes an export to a new file, or to standard output when no file is given.
 *
 * @throws {ExportFileError}
 */
export async function writeExport(
  { out, json = false }: WrittenExport,
  pieces: Iterable<string | Uint8Array>,
  context: CommandContext,
): Promise<void> {
  const { stdout, cwd } = context;
  if (out !== undefined) {
    const file = path.resolve(cwd, out);
    await writeNewFile(file, pieces);
    if (json) writeEvent(context, { event: 'written', file });
    else stdout.write(`Written to ${relativePath(file, cwd)}.\n`);
    return;
  }
  if (json) {
    writeEvent(context, { event: 'document', text: [...pieces].map(textOf).join('') });
    return;
  }
  for (const piece of pieces) {
    // A file gets titles unchanged; a terminal would interpret control characters in them.
    stdout.write(stdout.isTTY ? visibleText(textOf(piece)) : piece);
  }
}

async function writeNewFile(file: string, pieces: Iterable<string | Uint8Array>): Promise<void> {
  try {
    await writeFile(file, pieces, { flag: 'wx' });
  } catch (error) {
    const code = codeOf(error) ?? '';
    // A truncated table would look complete.
    if (DISK_FULL_CODES.has(code)) await rm(file, { force: true });
    throw new ExportFileError(file, error);
  }
}

function textOf(piece: string | Uint8Array): string {
  return typeof piece === 'string' ? piece : Buffer.from(piece).toString();
}
