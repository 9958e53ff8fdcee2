/** Converts pictures in decoder processes of their own, one at a time in each. */
import type { FitPicture } from '../../engine/pictures/picture-fit.ts';
import { Serial } from '../../engine/serial.ts';
import { PosterDecoder } from './poster-decoder.ts';
import type { StartDecoder } from './decoder-process.ts';

/** Milliseconds; its limit of processor time ends most decoders sooner. */
const MAX_MS = 60_000;

/** A decoder with the pictures that wait for it. */
interface QueuedDecoder {
  readonly decoder: PosterDecoder;
  readonly turns: Serial;
  waiting: number;
}

export class PictureFitter {
  readonly #queued: readonly QueuedDecoder[];

  /** @param atOnce processes, each of which may use the memory of a picture's pixels */
  constructor(start: StartDecoder, atOnce = 1) {
    this.#queued = Array.from({ length: atOnce }, () => ({
      decoder: new PosterDecoder(start),
      turns: new Serial(),
      waiting: 0,
    }));
  }

  /** `null` also for a picture that ended the decoder, or took too long. */
  readonly fit: FitPicture = async (bytes, fit, signal) => {
    // The first of equals, so that no more processes start than pictures are converted at once.
    const next = this.#queued.reduce((best, each) => (each.waiting < best.waiting ? each : best));
    next.waiting += 1;
    try {
      return await next.turns.run(async () => {
        const limit = AbortSignal.timeout(MAX_MS);
        const stop = signal === undefined ? limit : AbortSignal.any([limit, signal]);
        return next.decoder.fit(bytes, fit, stop).catch(() => null);
      });
    } finally {
      next.waiting -= 1;
    }
  };

  close(): void {
    for (const { decoder } of this.#queued) decoder.close();
  }
}
