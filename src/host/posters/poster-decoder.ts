import type { PosterOutcome } from '../../engine/downloads/poster-cache.ts';
import {
  decoderMessageSchema,
  type DecoderMessage,
  type DecoderRequest,
} from './decoder-messages.ts';
import type { DecoderProcess, StartDecoder } from './decoder-process.ts';
import { safeParse } from '../../contract/safe-parse.ts';

/**
 * Milliseconds. Scrolling a list requests one poster after another; starting a process takes half a
 * second.
 */
const KEEP_IDLE_MS = 10_000;
/** Native decoders leak memory; a new process now and then is cheap. */
const MAX_POSTERS = 50;
const JPEG_SIGNATURE = Buffer.from([0xff, 0xd8, 0xff]);

/** Makes posters in a decoder process that starts on demand and ends when idle. */
export class PosterDecoder {
  readonly #start: StartDecoder;
  #process: DecoderProcess | null = null;
  #answer = Promise.withResolvers<PosterOutcome>();
  #hasBegun = false;
  #made = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(start: StartDecoder) {
    this.#start = start;
  }

  /**
   * Makes one poster. Callers must wait for one call before the next.
   *
   * @param video absolute path
   * @throws the signal's reason when aborted, after the decoder process has ended
   */
  async make(video: string, signal: AbortSignal): Promise<PosterOutcome> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    if (this.#made === MAX_POSTERS) this.close();
    const answer = (this.#answer = Promise.withResolvers<PosterOutcome>());
    const abort = (): void => answer.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#hasBegun = false;
    this.#made += 1;
    this.#process ??= this.#open();
    this.#process.post({ video } satisfies DecoderRequest);
    try {
      const outcome = await answer.promise;
      if (outcome.kind === 'killed') this.close();
      return outcome;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#idle = setTimeout(() => this.close(), KEEP_IDLE_MS).unref();
    }
  }

  /** Ends the process. A later call of `make` starts another. */
  close(): void {
    clearTimeout(this.#idle);
    this.#process?.kill();
    this.#process = null;
    this.#made = 0;
  }

  #open(): DecoderProcess {
    const opened = this.#start();
    const ended = (): void => {
      if (this.#process !== opened) return;
      this.#process = null;
      this.#made = 0;
      // If the process could not start, or ended before it began, the video is not the cause.
      this.#answer.resolve({ kind: this.#hasBegun ? 'killed' : 'impossible' });
    };
    opened.onMessage((message) => {
      if (this.#process === opened) this.#receive(message);
    });
    void opened.exited.then(ended);
    return opened;
  }

  #receive(message: unknown): void {
    const { data } = safeParse(decoderMessageSchema, message);
    if (data?.kind === 'begun') this.#hasBegun = true;
    // Only a decoder taken over by a hostile file sends anything else.
    else this.#answer.resolve(data ? outcomeOf(data) : { kind: 'killed' });
  }
}

function outcomeOf(message: Exclude<DecoderMessage, { kind: 'begun' }>): PosterOutcome {
  if (message.kind === 'impossible') return message;
  const jpeg = Buffer.from(message.jpeg, 'base64');
  const isJpeg = jpeg.subarray(0, JPEG_SIGNATURE.length).equals(JPEG_SIGNATURE);
  return isJpeg ? { kind: 'made', jpeg } : { kind: 'killed' };
}
