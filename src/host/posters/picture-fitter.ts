/** Converts pictures one after another, in a decoder process of their own. */
import type { FitPicture } from '../../engine/pictures/picture-fit.ts';
import { Serial } from '../../engine/serial.ts';
import { PosterDecoder } from './poster-decoder.ts';
import type { StartDecoder } from './decoder-process.ts';

/** Milliseconds; its limit of processor time ends most decoders sooner. */
const MAX_MS = 60_000;

export class PictureFitter {
  readonly #decoder: PosterDecoder;
  readonly #turns = new Serial();

  constructor(start: StartDecoder) {
    this.#decoder = new PosterDecoder(start);
  }

  /** `null` also for a picture that ended the decoder, or took too long. */
  readonly fit: FitPicture = (bytes, fit, signal) =>
    this.#turns.run(async () => {
      const limit = AbortSignal.timeout(MAX_MS);
      const stop = signal === undefined ? limit : AbortSignal.any([limit, signal]);
      return this.#decoder.fit(bytes, fit, stop).catch(() => null);
    });

  close(): void {
    this.#decoder.close();
  }
}
