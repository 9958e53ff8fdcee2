/**
 * Recognises that this process may open no more files (`ulimit -n`). The error names a file or folder,
 * but says nothing about it.
 */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { codeOf } from './error-codes.ts';

/** With fewer, a process cannot work: a database alone opens three. */
const NEEDED = 8;

const CODES: readonly (string | undefined)[] = ['EMFILE', 'ENFILE'];

export function isFileLimit(error: unknown): boolean {
  if (CODES.includes(codeOf(error))) return true;
  // SQLite does not say why it cannot open a file, and has closed the others by now.
  return codeOf(error) === 'ERR_SQLITE_ERROR' && !canOpen(NEEDED);
}

function canOpen(files: number): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < files) opened.push(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return !CODES.includes(codeOf(error));
  } finally {
    for (const file of opened) closeSync(file);
  }
}
