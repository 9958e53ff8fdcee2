/**
 * The part of HTTP/1.1 (RFC 9112) that the response to one request needs: its head, and a chunked
 * body.
 */

/** Names in lower case. A header that came more than once has its values joined by `, `. */
export type Headers = ReadonlyMap<string, string>;

/** How the end of a body is known (RFC 9112 §6.3). */
export type Framing =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  /** By the connection's end. An early end cannot be distinguished from a proper one. */
  | { readonly kind: 'until-close' };

export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
  readonly framing: Framing;
}

/**
 * A response that is malformed, or whose connection ended early (`cut`) or went silent (`stalled`).
 */
export class BrokenResponseError extends Error {
  override readonly name = 'BrokenResponseError';
  readonly code: 'broken-response' | 'cut' | 'stalled';

  /** @param code left out for a response that is not HTTP/1.1, or whose end is ambiguous */
  constructor(message: string, code: BrokenResponseError['code'] = 'broken-response') {
    super(message);
    this.code = code;
  }
}

/** Larger heads are not responses to a download. */
export const MAX_HEAD_BYTES = 64 * 1024;

const END = Buffer.from('\r\n\r\n');
const STATUS_LINE = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9a-z-]+):(.*)$/i;

/**
 * Parses a head that stands at the beginning of `bytes`.
 *
 * @returns the head and how many bytes it takes, or `undefined` when more bytes are needed.
 * @throws {BrokenResponseError}
 */
export function parseHead(bytes: Buffer): { head: ResponseHead; length: number } | undefined {
  const end = bytes.indexOf(END);
  if (end === -1 ? bytes.length > MAX_HEAD_BYTES : end > MAX_HEAD_BYTES) {
    throw new BrokenResponseError('The response’s head is too long.');
  }
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = STATUS_LINE.exec(statusLine)?.[1];
  if (status === undefined) throw new BrokenResponseError('The response is not HTTP.');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new BrokenResponseError('The response has a malformed header.');
    }
    const key = name.toLowerCase();
    const earlier = headers.get(key);
    const own = withoutBlanks(value);
    headers.set(key, earlier === undefined ? own : withoutBlanks(`${earlier}, ${own}`));
  }
  const head = { status: Number(status), headers, framing: framingOf(Number(status), headers) };
  return { head, length: end + END.length };
}

/** Blanks around a value are spaces and tabs (RFC 9110 §5.5). */
function withoutBlanks(value: string): string {
  const isBlank = (at: number): boolean => value[at] === ' ' || value[at] === '\t';
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return value.slice(start, end);
}

function framingOf(status: number, headers: Headers): Framing {
  if (status < 200 || status === 204 || status === 304) return { kind: 'length', bytes: 0 };
  const encoding = headers.get('transfer-encoding');
  if (encoding !== undefined) {
    if (encoding.toLowerCase() === 'chunked') return { kind: 'chunked' };
    throw new BrokenResponseError('The response has an unknown transfer encoding.');
  }
  const length = headers.get('content-length');
  if (length === undefined) return { kind: 'until-close' };
  // RFC 9112 §6.3: identical lengths may be repeated, different ones make the response invalid.
  const [first = '', ...others] = length.split(',').map((each) => each.trim());
  if (!/^\d{1,15}$/.test(first) || others.some((other) => other !== first)) {
    throw new BrokenResponseError('The response contradicts itself about its length.');
  }
  return { kind: 'length', bytes: Number(first) };
}

/** Longer lines than this are no chunk sizes, and longer trailers no trailers. */
const MAX_LINE = 4 * 1024;
const [CR, LF] = [0x0d, 0x0a];

/** Removes the chunk framing from a body (RFC 9112 §7.1), piece by piece. */
export class ChunkedDecoder {
  #state: 'size' | 'data' | 'after-data' | 'trailer' | 'done' = 'size';
  #left = 0;
  #line = '';

  /** Whether the last chunk was received. Without it the body was cut. */
  get isDone(): boolean {
    return this.#state === 'done';
  }

  /**
   * The payload within the next piece of a body, as views of it.
   *
   * @throws {BrokenResponseError}
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
        if (this.#line.length > MAX_LINE) throw new BrokenResponseError('A chunk has no size.');
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
        if (size === undefined) throw new BrokenResponseError('A chunk has no size.');
        this.#left = Number.parseInt(size, 16);
        this.#state = this.#left === 0 ? 'trailer' : 'data';
        break;
      }
      case 'after-data':
        if (line !== '') throw new BrokenResponseError('A chunk is longer than its size.');
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
