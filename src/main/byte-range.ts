/** A part of a file; both ends belong to it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The one range that a player asks for (RFC 9110 §14.1.2); `null` when it asks for all of the file,
 * for several ranges, or for one that the file does not have: it then gets all of it.
 */
export function byteRange(header: string | null, size: number): ByteRange | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last));
  return start <= end ? { start, end } : null;
}
