import path from 'node:path';
import { BATCH_BYTES, type Body } from './body.ts';
import { DiskError, onDisk } from './disk.ts';
import { NO_VALIDATOR, type RangeResponse } from './range-response.ts';
import { beginsLikeVideo, OPENING_BYTES } from './mp4.ts';
import type { PartFile } from './part-file.ts';
import type { ProgressReporter } from './progress.ts';
import type { DownloadDeps, DownloadRequest } from './request.ts';

/** Bytes and milliseconds after which written bytes are synced to disk and recorded. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;
const CHECKPOINT_MS = 1_000;

/** Bytes after which the free space is checked again, because other programs also fill the disk. */
const LOOK_AGAIN_BYTES = 4 * 1024 * 1024;
/** How much space is reserved ahead for a file of unknown size. */
const AHEAD_BYTES = 16 * 1024 * 1024;

/** The largest file of unstated size. A server could send without end. */
const MAX_UNSTATED_BYTES = 16 * 1024 ** 3;

/** A response whose body is the file, or a part of it. */
export type Usable = Extract<RangeResponse, { kind: 'whole' | 'part' }>;

/** The result of writing a body. */
type Received =
  /** All of the file is here. */
  | 'whole'
  /** The body ended before the file did; what was received is kept. */
  | 'cut'
  /** Nothing was kept, and the part was not changed. */
  | 'not-a-video'
  | 'empty'
  /** Its size was not stated, and it is larger than any video. */
  | 'endless'
  /** It belongs to another file than the bytes that are here. */
  | 'overlap-differs';

/** Is notified of changes to a part file. */
interface PartListener {
  /** What was downloaded before is replaced by a new body. */
  readonly onReplaced: () => void;
  /** The part grew to this offset. */
  readonly onGrowth: (offset: number) => void;
}

/**
 * Writes bodies into a part file: reserves space, compares overlapping bytes, and syncs to disk.
 */
export class BodyWriter {
  readonly #request: DownloadRequest;
  readonly #deps: DownloadDeps;
  readonly #progress: ProgressReporter;
  readonly #listener: PartListener;
  #checkpointAt: number;
  /** The offset at which the free space is checked again. */
  #lookAgainAt = 0;

  constructor(
    request: DownloadRequest,
    deps: DownloadDeps,
    progress: ProgressReporter,
    listener: PartListener,
  ) {
    this.#request = request;
    this.#deps = deps;
    this.#progress = progress;
    this.#listener = listener;
    this.#checkpointAt = deps.clock.monotonic();
  }

  /** Releases the reserved space. */
  end(): void {
    this.#deps.room.release(this);
  }

  /**
   * Reads a body to its end, and writes it.
   * @throws {DiskError}
   */
  async take(body: Body, part: PartFile, rangeResponse: Usable): Promise<Received> {
    const { signal, limits = [] } = this.#request;
    const { maxUnstatedBytes = MAX_UNSTATED_BYTES } = this.#deps;
    const isWhole = rangeResponse.kind === 'whole';
    const isOpening = isWhole || part.offset === 0;
    let position = isWhole ? 0 : rangeResponse.at;
    let hasBegun = false;
    for (;;) {
      // Up to the next multiple of a batch: from there on, writes can bypass the system's cache.
      const toEdge = BATCH_BYTES - (position % BATCH_BYTES);
      const most = Math.min(toEdge, ...limits.map((limit) => limit.burstBytes));
      // A piece that is shorter than the opening cannot be checked.
      const least = isOpening && !hasBegun ? OPENING_BYTES : 1;
      const bytes = await body.take(Math.max(most, least), least);
      if (!bytes) break;
      for (const limit of limits) await limit.pay(bytes.length, signal);
      if (!hasBegun) {
        // An HTML page must not replace the part: first the new body must begin like a video.
        if (bytes.length < least)
          return await endedInOpening(body, bytes.length, rangeResponse.total);
        if (isOpening && !beginsLikeVideo(bytes)) return 'not-a-video';
        await this.#begin(part, rangeResponse);
        hasBegun = true;
      }
      if (!(await this.#store(part, position, bytes))) return 'overlap-differs';
      position += bytes.length;
      this.#progress.report(part);
      if (part.total === null && part.offset > maxUnstatedBytes) return 'endless';
      // Bytes beyond the total are not part of the file (`downloads.md` fault 13).
      if (part.isComplete) return 'whole';
    }
    if (hasBegun) return this.#ended(part);
    return isWhole ? 'empty' : 'cut';
  }

  /** The body ended. Without a stated size, only the boxes of the file show whether it is whole. */
  async #ended(part: PartFile): Promise<Received> {
    if (part.isComplete) return 'whole';
    if (part.total !== null) return 'cut';
    const report = await onDisk(part.inspect(this.#request.signal));
    if (report.kind === 'cut') return 'cut';
    part.describe(part.offset, NO_VALIDATOR);
    return 'whole';
  }

  async #begin(part: PartFile, rangeResponse: Usable): Promise<void> {
    const { total, validator } = rangeResponse;
    if (rangeResponse.kind === 'whole') {
      await this.#claimRoom(0, total, part.offset);
      if (part.offset > 0) this.#listener.onReplaced();
      await onDisk(part.restart(total, validator));
    } else {
      part.describe(total, validator);
      await this.#claimRoom(part.offset, part.total);
    }
  }

  /** @returns false when the bytes that were here before differ. */
  async #store(part: PartFile, position: number, bytes: Buffer): Promise<boolean> {
    const { clock, room } = this.#deps;
    const overlap = Math.min(bytes.length, Math.max(0, part.offset - position));
    if (overlap > 0) {
      const isSame = await onDisk(part.matches(position, bytes.subarray(0, overlap)));
      if (!isSame) return false;
    }
    const missing = (part.total ?? Infinity) - part.offset;
    const fresh = bytes.subarray(overlap, Math.min(bytes.length, overlap + missing));
    if (fresh.length === 0) return true;
    if (part.offset + fresh.length > this.#lookAgainAt) {
      await this.#claimRoom(part.offset, part.total);
    }
    await onDisk(part.append(fresh));
    if (part.total !== null) room.shrink(this, part.total - part.offset);
    this.#progress.received(fresh.length);
    this.#listener.onGrowth(part.offset);
    const isDue = clock.monotonic() - this.#checkpointAt >= CHECKPOINT_MS;
    if (isDue || part.unrecorded >= CHECKPOINT_BYTES) {
      this.#checkpointAt = clock.monotonic();
      part.checkpointInBackground();
    }
    return true;
  }

  /**
   * Reserves space for the rest of the file; for a file of unknown size, for the next piece.
   * @param freed bytes of the part that are about to be discarded
   */
  async #claimRoom(offset: number, total: number | null, freed = 0): Promise<void> {
    const needed = Math.max(0, (total === null ? AHEAD_BYTES : total - offset) - freed);
    const folder = path.dirname(this.#request.target);
    const lacking = await onDisk(this.#deps.room.claim(this, folder, needed));
    if (lacking > 0) throw new DiskError('ENOSPC', needed);
    this.#lookAgainAt = offset + LOOK_AGAIN_BYTES;
  }
}

/**
 * Classifies a body that ended before its first bytes could be checked. Without a stated size an
 * early end cannot be distinguished from a proper one, so it counts as cut.
 * @throws what ended the connection early
 */
async function endedInOpening(body: Body, bytes: number, total: number | null): Promise<Received> {
  await body.take();
  return bytes === total ? 'not-a-video' : 'cut';
}
