import type { PosterOutcome } from '../../engine/downloads/poster-cache.ts';
import {
  decoderMessageSchema,
  type DecoderMessage,
  type DecoderRequest,
} from './decoder-messages.ts';
import type { PictureFit } from '../../engine/pictures/picture-fit.ts';
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

type Made =
  | { readonly kind: 'made'; readonly image: Buffer }
  | Exclude<PosterOutcome, { kind: 'made' }>;

/** Makes posters and converts pictures in a decoder process that starts on demand and ends when idle. */
export class PosterDecoder {
  readonly #start: StartDecoder;
  #process: DecoderProcess | null = null;
  #answer = Promise.withResolvers<Made>();
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
    const made = await this.#run({ video }, signal);
    if (made.kind !== 'made') return made;
    const isJpeg = made.image.subarray(0, JPEG_SIGNATURE.length).equals(JPEG_SIGNATURE);
    if (isJpeg) return { kind: 'made', jpeg: made.image };
    this.close();
    return { kind: 'killed' };
  }

  /**
   * Converts one picture; `null` if that is not possible. Callers must wait for one call before the
   * next.
   *
   * @throws the signal's reason when aborted, after the decoder process has ended
   */
  async fit(bytes: Buffer, fit: PictureFit, signal: AbortSignal): Promise<Buffer | null> {
    const made = await this.#run({ picture: bytes, fit }, signal);
    return made.kind === 'made' ? made.image : null;
  }

  /** Ends the process. A later call starts another. */
  close(): void {
    clearTimeout(this.#idle);
    this.#process?.kill();
    this.#process = null;
    this.#made = 0;
  }

  async #run(request: DecoderRequest, signal: AbortSignal): Promise<Made> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    if (this.#made === MAX_POSTERS) this.close();
    const answer = (this.#answer = Promise.withResolvers<Made>());
    const abort = (): void => answer.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#hasBegun = false;
    this.#made += 1;
    this.#process ??= this.#open();
    this.#process.post(request);
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

  #open(): DecoderProcess {
    const opened = this.#start();
    const ended = (): void => {
      if (this.#process !== opened) return;
      this.#process = null;
      this.#made = 0;
      // If the process could not start, or ended before it began, the file is not the cause.
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

function outcomeOf(message: Exclude<DecoderMessage, { kind: 'begun' }>): Made {
  return message.kind === 'impossible'
    ? message
    : { kind: 'made', image: Buffer.from(message.image) };
}
