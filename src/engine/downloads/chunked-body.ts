import { BrokenAnswerError } from './response-head.ts';

/** Longer lines than this are no chunk sizes, and longer trailers no trailers. */
const MAX_LINE = 4 * 1024;
const [CR, LF] = [0x0d, 0x0a];

/** Takes the chunk lines out of a body (RFC 9112 §7.1), piece by piece. */
export class ChunkedDecoder {
  #state: 'size' | 'data' | 'after-data' | 'trailer' | 'done' = 'size';
  #left = 0;
  #line = '';

  /** Whether the last chunk has come. Without it the body was cut. */
  get isDone(): boolean {
    return this.#state === 'done';
  }

  /**
   * The payload within the next piece of a body, as views of it.
   *
   * @throws {BrokenAnswerError}
   */
  decode(raw: Buffer): Buffer[] {
    const payload: Buffer[] = [];
    for (let at = 0; at < raw.length && this.#state !== 'done';) {
      if (this.#state === 'data') {
        const bytes = Math.min(this.#left, raw.length - at);
        payload.push(raw.subarray(at, at + bytes));
        at += bytes;
        this.#left -= bytes;
        if (this.#left === 0) this.#state = 'after-data';
      } else {
        const byte = raw[at];
        at += 1;
        if (byte === LF) this.#endLine();
        else if (byte !== CR && byte !== undefined) this.#line += String.fromCharCode(byte);
        if (this.#line.length > MAX_LINE) throw new BrokenAnswerError('A chunk has no size.');
      }
    }
    return payload;
  }

  #endLine(): void {
    const line = this.#line;
    this.#line = '';
    switch (this.#state) {
      case 'size': {
        const size = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line)?.[1];
        if (size === undefined) throw new BrokenAnswerError('A chunk has no size.');
        this.#left = Number.parseInt(size, 16);
        this.#state = this.#left === 0 ? 'trailer' : 'data';
        break;
      }
      case 'after-data':
        if (line !== '') throw new BrokenAnswerError('A chunk is longer than its size.');
        this.#state = 'size';
        break;
      case 'trailer':
        if (line === '') this.#state = 'done';
        break;
      case 'data':
      case 'done':
    }
  }
}
