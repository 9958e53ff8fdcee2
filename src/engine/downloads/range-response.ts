import type { Headers } from './http-parser.ts';

/**
 * A download request, and the meaning of the response. Pure functions: every rule that keeps two
 * different files from being joined is here, apart from sockets and disks.
 */

/** What identifies one version of the file on the server. */
export interface Validator {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Identifies no version. */
export const NO_VALIDATOR: Validator = { etag: null, lastModified: null };

/** What is known of the file when a request is sent. */
export interface Asked {
  /** Bytes that are safely in the part file: the offset to continue at. */
  readonly offset: number;
  /** Whether the Range was made conditional with If-Range. */
  readonly conditional: boolean;
  /** Size of the whole file in bytes; `null` until a server has sent it. */
  readonly total: number | null;
  readonly validator: Validator;
}

/** Why a response was not used, or why the part had to be discarded. */
export type Cause =
  | 'changed'
  | 'total-changed'
  | 'overlap-differs'
  | 'part-longer'
  | 'part-edited'
  | 'range-late'
  | 'range-missing'
  | 'range-multipart'
  | 'range-refused'
  | 'encoded'
  | 'not-a-video'
  | 'empty'
  | 'status';

/** What to do with a response. */
export type RangeResponse =
  /** Its body is the file from byte 0; it replaces the part once it begins like a video. */
  | {
      readonly kind: 'whole';
      readonly total: number | null;
      readonly validator: Validator;
      /** The server sent everything although nothing had changed: it ignores If-Range. */
      readonly ignoredCondition: boolean;
    }
  /** Its body is the file from byte `at`, at or before the offset; what overlaps is compared. */
  | {
      readonly kind: 'part';
      readonly at: number;
      readonly total: number | null;
      readonly validator: Validator;
    }
  /** The part has all bytes. */
  | { readonly kind: 'complete'; readonly total: number }
  /** The part belongs to another file: start over. */
  | { readonly kind: 'restart'; readonly cause: Cause }
  /** Useless, but the part stays valid: ask again. */
  | { readonly kind: 'reject'; readonly cause: Cause }
  /** The link is refused: it expired, or never was good. */
  | { readonly kind: 'link-refused' }
  /** The server asks to wait; milliseconds, if it says how long. */
  | { readonly kind: 'busy'; readonly status: number; readonly retryAfterMs: number | null };

/** Bytes before the offset that are downloaded again and compared, on every resume. */
export const OVERLAP_BYTES = 64 * 1024;

/** RFC 9110 §8.8.2.2: a Last-Modified is strong only if it is this much older than the response. */
const STRONG_DATE_MS = 60_000;

/**
 * The request for the rest of a file.
 * @param isForWhole whether to request all of it again
 * @param ignoresIfRange whether the server sends the whole file although nothing changed
 */
export function rangeRequest(
  { offset, total, validator }: Pick<Asked, 'offset' | 'total' | 'validator'>,
  isForWhole: boolean,
  ignoresIfRange: boolean,
): { readonly asked: Asked; readonly headers: Readonly<Record<string, string>> } {
  const hasRange = offset > 0 && !isForWhole;
  const condition = hasRange && !ignoresIfRange ? strongValidator(validator) : null;
  return {
    asked: { offset, total, validator, conditional: condition !== null },
    headers: {
      // Anything else would make offsets meaningless (`downloads.md` fault 18).
      'accept-encoding': 'identity',
      ...(hasRange ? { range: `bytes=${Math.max(0, offset - OVERLAP_BYTES)}-` } : {}),
      ...(condition === null ? {} : { 'if-range': condition }),
    },
  };
}

/** The value to send as If-Range: a strong validator, or `null` when there is none. */
export function strongValidator(validator: Validator): string | null {
  if (validator.etag !== null && !validator.etag.startsWith('W/')) return validator.etag;
  return validator.lastModified;
}

/** Classifies the status and headers of a response to a request for `asked`. */
export function classifyRangeResponse(
  asked: Asked,
  status: number,
  headers: Headers,
  now: number,
): RangeResponse {
  switch (status) {
    case 200:
      return classifyWhole(asked, headers);
    case 206:
      return classifyPart(asked, headers);
    case 416:
      return classifyUnsatisfiable(asked, headers);
    case 401:
    case 403:
    case 404:
    case 410:
      return { kind: 'link-refused' };
    case 408:
    case 425:
    case 429:
      return { kind: 'busy', status, retryAfterMs: retryAfter(headers, now) };
    default:
      return status >= 500
        ? { kind: 'busy', status, retryAfterMs: retryAfter(headers, now) }
        : { kind: 'reject', cause: 'status' };
  }
}

function classifyWhole(asked: Asked, headers: Headers): RangeResponse {
  if (isEncoded(headers)) return { kind: 'reject', cause: 'encoded' };
  const total = contentLength(headers);
  if (total === 0) return { kind: 'reject', cause: 'empty' };
  const validator = validatorOf(headers);
  return {
    kind: 'whole',
    total,
    validator,
    ignoredCondition:
      asked.conditional && strongValidator(asked.validator) === strongValidator(validator),
  };
}

function classifyPart(asked: Asked, headers: Headers): RangeResponse {
  if (isEncoded(headers)) return { kind: 'reject', cause: 'encoded' };
  if (/^multipart\//i.test(headers.get('content-type') ?? '')) {
    return { kind: 'reject', cause: 'range-multipart' };
  }
  const range = contentRange(headers);
  if (!range) return { kind: 'reject', cause: 'range-missing' };
  const validator = validatorOf(headers);
  if (!isSameVersion(asked.validator, validator)) return { kind: 'restart', cause: 'changed' };
  const { first, last, total } = range;
  if (asked.total !== null && total !== null && total !== asked.total) {
    return { kind: 'restart', cause: 'total-changed' };
  }
  const length = contentLength(headers);
  if (length !== null && length !== last - first + 1) {
    return { kind: 'reject', cause: 'range-missing' };
  }
  if (first > asked.offset) return { kind: 'reject', cause: 'range-late' };
  return { kind: 'part', at: first, total: total ?? asked.total, validator };
}

/** A 416 says how long the file is, if it says anything (RFC 9110 §14.4). */
function classifyUnsatisfiable(asked: Asked, headers: Headers): RangeResponse {
  const match = /^bytes\s+\*\/(\d{1,15})$/i.exec(headers.get('content-range') ?? '');
  // The recorded size decides, not the length of the file on the disk.
  const size = match?.[1] === undefined ? asked.total : Number(match[1]);
  if (size === null) return { kind: 'restart', cause: 'range-refused' };
  if (asked.total !== null && size !== asked.total) {
    return { kind: 'restart', cause: 'total-changed' };
  }
  if (asked.offset === size) return { kind: 'complete', total: size };
  return asked.offset > size
    ? { kind: 'restart', cause: 'part-longer' }
    : { kind: 'reject', cause: 'range-refused' };
}

/** The validator of a response. A date that is too close to the response's own is ignored. */
export function validatorOf(headers: Headers): Validator {
  const etag = headers.get('etag');
  const lastModified = headers.get('last-modified');
  const date = Date.parse(headers.get('date') ?? '');
  const isStrong = lastModified !== undefined && date - Date.parse(lastModified) >= STRONG_DATE_MS;
  return { etag: etag ?? null, lastModified: isStrong ? lastModified : null };
}

/**
 * Whether two validators can belong to one version of the file. If either is absent they prove
 * nothing; then the comparison of the overlap decides.
 */
function isSameVersion(before: Validator, after: Validator): boolean {
  if (before.etag !== null && after.etag !== null) return before.etag === after.etag;
  if (before.lastModified !== null && after.lastModified !== null) {
    return before.lastModified === after.lastModified;
  }
  return true;
}

/** The server's clock, in milliseconds since the epoch, or `null` when it sends no date. */
export function serverDate(headers: Headers): number | null {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? null : date;
}

function retryAfter(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after');
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  // A date is on the server's clock, so it is measured against the server's own Date.
  return Number.isNaN(date) ? null : Math.max(0, date - (serverDate(headers) ?? now));
}

function isEncoded(headers: Headers): boolean {
  const encoding = headers.get('content-encoding')?.toLowerCase();
  return encoding !== undefined && encoding !== '' && encoding !== 'identity';
}

function contentLength(headers: Headers): number | null {
  const value = headers.get('content-length') ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : null;
}

interface ContentRange {
  readonly first: number;
  readonly last: number;
  readonly total: number | null;
}

function contentRange(headers: Headers): ContentRange | undefined {
  const value = headers.get('content-range') ?? '';
  const match = /^bytes\s+(\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(value);
  if (!match) return undefined;
  const [first, last] = [Number(match[1]), Number(match[2])];
  const total = match[3] === '*' ? null : Number(match[3]);
  return first <= last && (total === null || last < total) ? { first, last, total } : undefined;
}
