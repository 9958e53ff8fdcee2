import path from 'node:path';
import { BATCH_BYTES, type Body } from './body.ts';
import { DiskError, onDisk } from './disk.ts';
import { NO_VALIDATOR, type RangeResponse } from './range-response.ts';
import { beginsLikeVideo, OPENING_BYTES } from './mp4.ts';
import type { PartFile } from './part-file.ts';
import type { ProgressReporter } from './progress.ts';
import type { DownloadDeps, DownloadRequest } from './request.ts';

/** Bytes and milliseconds after which what was written is made durable and recorded. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;
const CHECKPOINT_MS = 1_000;

/** Bytes after which the free space is checked again: other programs fill the disk, too. */
const LOOK_AGAIN_BYTES = 4 * 1024 * 1024;
/** How much room is claimed ahead for a file whose size is not known. */
const AHEAD_BYTES = 16 * 1024 * 1024;

/** How large a file of unstated size may be. A server could send without an end. */
const MAX_UNSTATED_BYTES = 16 * 1024 ** 3;

/** An answer whose body is the file, or some of it. */
export type Usable = Extract<RangeResponse, { kind: 'whole' | 'part' }>;

/** What a body came to. */
type Received =
  /** All of the file is here. */
  | 'whole'
  /** The body ended before the file did; what came of it is kept. */
  | 'cut'
  /** Nothing was kept, and nothing was given up for it. */
  | 'not-a-video'
  | 'empty'
  /** Its size was not stated, and it is larger than any video. */
  | 'endless'
  /** It belongs to another file than what is here. */
  | 'overlap-differs';

/** What is told of a part that bodies are taken into. */
interface PartListener {
  /** What was fetched before is replaced by a whole new body. */
  readonly onReplaced: () => void;
  /** The part grew to this offset. */
  readonly onGrowth: (offset: number) => void;
}

/** Takes bodies into a part file: room first, what overlaps compared, what is here made durable. */
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

  /** The room that was set aside is free again for others. */
  end(): void {
    this.#deps.room.release(this);
  }

  /**
   * Takes a body in, as far as it goes.
   * @throws {DiskError}
   */
  async take(body: Body, part: PartFile, rangeResponse: Usable): Promise<Received> {
    const { signal, limits = [] } = this.#request;
    const { maxUnstatedBytes = MAX_UNSTATED_BYTES } = this.#deps;
    const beginsAnew = rangeResponse.kind === 'whole';
    const isOpening = beginsAnew || part.offset === 0;
    let position = beginsAnew ? 0 : rangeResponse.at;
    let hasBegun = false;
    for (;;) {
      // Up to a whole batch's edge: from there on it can be written around the system's cache.
      const toEdge = BATCH_BYTES - (position % BATCH_BYTES);
      const most = Math.min(toEdge, ...limits.map((limit) => limit.burstBytes));
      // A piece of fewer bytes than the opening has cannot be judged.
      const least = isOpening && !hasBegun ? OPENING_BYTES : 1;
      const bytes = await body.take(Math.max(most, least), least);
      if (!bytes) break;
      for (const limit of limits) await limit.pay(bytes.length, signal);
      if (!hasBegun) {
        // Nothing is given up for a page of HTML: first the new body must begin like a video.
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
    return beginsAnew ? 'empty' : 'cut';
  }

  /** A body came to its end. Without a stated size only the file itself can tell if it is whole. */
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

  /** @returns false when bytes that lie here already are not the same. */
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
      part.checkpointBehind();
    }
    return true;
  }

  /**
   * Claims space for the rest of the file; of a file of unknown size, for the next piece.
   * @param freed bytes of the part that are about to be given up
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
 * Classifies a body that ended before its first bytes could be judged. Without a stated size an
 * early end cannot be distinguished from a proper one, so it counts as cut.
 * @throws what ended the connection early
 */
async function endedInOpening(body: Body, bytes: number, total: number | null): Promise<Received> {
  await body.take();
  return bytes === total ? 'not-a-video' : 'cut';
}
