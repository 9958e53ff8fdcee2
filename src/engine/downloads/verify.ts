import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { inspectMp4 } from './mp4.ts';
import { readerOf } from './mp4-boxes.ts';
import { isMissing } from '../error-codes.ts';
import { NO_WAITING } from './safe-open.ts';

/** What is known of a file from elsewhere: from the service, or from when it was saved. */
export interface Expected {
  readonly bytes?: number;
  /** Hex, lower case. */
  readonly sha256?: string;
}

/** The result of checking a saved file. */
export type Verification =
  | {
      readonly kind: 'intact';
      readonly bytes: number;
      readonly sha256: string;
      readonly durationSeconds: number | null;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged'; readonly reason: UserMessage };

const READ_BYTES = 1024 * 1024;

/**
 * Reads a saved file from the disk again: its length, its container and its SHA-256.
 *
 * @param path absolute
 * @param onBytes called with the size of every piece that was read, in bytes.
 * @throws the signal's reason when aborted, or the file system's error when it cannot be read.
 */
export async function verifyFile(
  path: string,
  { bytes, sha256 }: Expected,
  signal: AbortSignal,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Verification> {
  // Opening a pipe at this path would wait for a writer.
  await using file = await open(path, constants.O_RDONLY | NO_WAITING).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (file === null) return { kind: 'missing' };
  const stats = await file.stat();
  if (!stats.isFile()) return { kind: 'damaged', reason: userMessage('file-is-none') };
  if (bytes !== undefined && stats.size !== bytes) {
    const reason = userMessage('file-of-other-size', { found: stats.size, expected: bytes });
    return { kind: 'damaged', reason };
  }
  const report = await inspectMp4(readerOf(file), stats.size, signal);
  if (report.kind === 'cut') return { kind: 'damaged', reason: userMessage('file-cut') };
  if (report.kind === 'broken') return { kind: 'damaged', reason: report.reason };
  signal.throwIfAborted();
  const { hash } = await hashOf(file, Infinity, (read) => {
    onBytes(read);
    signal.throwIfAborted();
  });
  const digest = hash.digest('hex');
  if (sha256 !== undefined && digest !== sha256) {
    return { kind: 'damaged', reason: userMessage('file-changed') };
  }
  const { durationSeconds } = report;
  return { kind: 'intact', bytes: stats.size, sha256: digest, durationSeconds };
}

/**
 * Hashes the first `end` bytes of a file, or all of a shorter one; also returns how many there
 * were.
 */
export async function hashOf(
  file: FileHandle,
  end: number,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<{ readonly hash: Hash; readonly bytes: number }> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  let bytes = 0;
  while (bytes < end) {
    const length = Math.min(buffer.length, end - bytes);
    const { bytesRead } = await file.read(buffer, 0, length, bytes);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
    onBytes(bytesRead);
  }
  return { hash, bytes };
}
