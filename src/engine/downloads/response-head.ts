/** Names in lower case. A header that came more than once has its values joined by `, `. */
export type Headers = ReadonlyMap<string, string>;

/** How the end of a body is known (RFC 9112 §6.3). */
export type Framing =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  /** By the connection's end: an early one cannot be distinguished from a proper one. */
  | { readonly kind: 'until-close' };

/** The first lines of an answer. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
  readonly framing: Framing;
}

/** What came is not HTTP/1.1, or not in a form that leaves no doubt where its body ends. */
export class BrokenAnswerError extends Error {
  override readonly name = 'BrokenAnswerError';
  readonly code = 'broken-answer';
}

/** The connection ended before the body did. */
export class CutError extends Error {
  override readonly name = 'CutError';
  readonly code = 'cut';
  constructor() {
    super('The connection ended early.');
  }
}

/** Larger heads are not answers to a download. */
export const MAX_HEAD_BYTES = 64 * 1024;

const END = Buffer.from('\r\n\r\n');
const STATUS_LINE = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |$)/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9a-z-]+):(.*)$/i;

/**
 * Parses a head that stands at the beginning of `bytes`.
 *
 * @returns the head and how many bytes it takes, or `undefined` when more bytes are needed.
 * @throws {BrokenAnswerError}
 */
export function parseHead(bytes: Buffer): { head: ResponseHead; length: number } | undefined {
  const end = bytes.indexOf(END);
  if (end === -1 ? bytes.length > MAX_HEAD_BYTES : end > MAX_HEAD_BYTES) {
    throw new BrokenAnswerError('The answer’s head is too long.');
  }
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = STATUS_LINE.exec(statusLine)?.[1];
  if (status === undefined) throw new BrokenAnswerError('The answer is not HTTP.');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new BrokenAnswerError('The answer has a malformed header.');
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
    throw new BrokenAnswerError('The answer has an unknown transfer encoding.');
  }
  const length = headers.get('content-length');
  if (length === undefined) return { kind: 'until-close' };
  // RFC 9112 §6.3: equal lengths may be repeated, different ones leave no answer to trust.
  const [first = '', ...others] = length.split(',').map((each) => each.trim());
  if (!/^\d{1,15}$/.test(first) || others.some((other) => other !== first)) {
    throw new BrokenAnswerError('The answer contradicts itself about its length.');
  }
  return { kind: 'length', bytes: Number(first) };
}
