/** Iterates over the boxes of an ISO 14496-12 file. It does not trust the file. */

import type { FileHandle } from 'node:fs/promises';

/** Reads `length` bytes at `position`; fewer at the end of the file. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

/** Reads from an open file. */
export function readerOf(file: FileHandle): ReadAt {
  return async (position, length) => {
    const buffer = Buffer.allocUnsafe(length);
    const { bytesRead } = await file.read(buffer, 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
}

export interface Box {
  readonly type: string;
  /** Absolute position of the first byte after the box's header. */
  readonly start: number;
  /** Absolute position of the first byte after the box. */
  readonly end: number;
}

/** Why reading cannot continue. `cut`: a box ends beyond its parent, or its header does. */
export type BoxProblem = 'cut' | 'impossible-size' | 'too-many';

export class BoxError extends Error {
  override readonly name = 'BoxError';
  readonly problem: BoxProblem;

  constructor(problem: BoxProblem) {
    super(problem);
    this.problem = problem;
  }
}

const MAX_HEADER = 16;
/** One read serves thousands of small boxes; every byte of the file is read once at most. */
const WINDOW_BYTES = 64 * 1024;
/** Boxes to visit in one file. A 24-hour film in fragments of two seconds has 180,000. */
const MAX_BOXES = 250_000;

export class BoxReader {
  readonly #read: ReadAt;
  readonly #signal: AbortSignal | undefined;
  #window: { readonly position: number; readonly bytes: Buffer } = {
    position: 0,
    bytes: Buffer.alloc(0),
  };
  #visited = 0;

  constructor(read: ReadAt, signal?: AbortSignal) {
    this.#read = read;
    this.#signal = signal;
  }

  /** @throws the signal's reason when aborted */
  async bytes(position: number, length: number): Promise<Buffer> {
    const { position: first, bytes } = this.#window;
    const offset = position - first;
    if (offset >= 0 && offset + length <= bytes.length) {
      return bytes.subarray(offset, offset + length);
    }
    this.#signal?.throwIfAborted();
    const fresh = await this.#read(position, Math.max(length, WINDOW_BYTES));
    this.#window = { position, bytes: fresh };
    return fresh.subarray(0, length);
  }

  /**
   * The boxes from `start` to `end`.
   * @throws {BoxError}
   */
  async *boxes(start: number, end: number): AsyncGenerator<Box, void> {
    for (let position = start; position < end;) {
      this.#visited += 1;
      if (this.#visited > MAX_BOXES) throw new BoxError('too-many');
      const length = Math.min(MAX_HEADER, end - position);
      const box = boxAt(await this.bytes(position, length), position, end);
      if (box.end > end) throw new BoxError('cut');
      yield box;
      position = box.end;
    }
  }

  /**
   * The first box below `parent` on this path of types; `undefined` when there is none.
   * @throws {BoxError} for too many boxes
   */
  async find(parent: Box, ...path: readonly string[]): Promise<Box | undefined> {
    let box: Box | undefined = parent;
    for (const type of path) box = box && (await this.#child(box, type));
    return box;
  }

  async #child({ start, end }: Box, type: string): Promise<Box | undefined> {
    try {
      for await (const box of this.boxes(start, end)) if (box.type === type) return box;
    } catch (error) {
      if (!(error instanceof BoxError) || error.problem === 'too-many') throw error;
    }
    return undefined;
  }
}

function boxAt(header: Buffer, position: number, end: number): Box {
  if (header.length < 8) throw new BoxError('cut');
  const type = header.toString('latin1', 4, 8);
  const short = header.readUInt32BE(0);
  // Size 0: the box extends to the end of its parent.
  if (short === 0) return { type, start: position + 8, end };
  if (short !== 1) {
    if (short < 8) throw new BoxError('impossible-size');
    return { type, start: position + 8, end: position + short };
  }
  if (header.length < 16) throw new BoxError('cut');
  const long = header.readBigUInt64BE(8);
  if (long < 16n || long > BigInt(Number.MAX_SAFE_INTEGER)) throw new BoxError('impossible-size');
  return { type, start: position + 16, end: position + Number(long) };
}
