import { codeOf } from '../error-codes.ts';

/** The disk, and not the network, refused. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
  readonly code: string;
  constructor(cause: unknown) {
    super('The disk refused.', { cause });
    this.code = codeOf(cause) ?? 'unknown';
  }
}

/** Less room on the disk than the rest of the file needs. */
export class NoSpaceError extends Error {
  override readonly name = 'NoSpaceError';
  readonly neededBytes: number;
  constructor(neededBytes: number) {
    super('The disk is full.');
    this.neededBytes = neededBytes;
  }
}

/** @throws {DiskError} for whatever the work fails with */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new DiskError(error);
  }
}
