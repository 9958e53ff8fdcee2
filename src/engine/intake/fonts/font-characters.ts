/** Which characters a font file has, by its `cmap` table (ISO/IEC 14496-22). */
import { type FontFormat, fontTables } from './font-tables.ts';

/** Says whether a font has a character, by its code point. */
export type HasCharacter = (codePoint: number) => boolean;

/** Each font that was checked keeps its `cmap`; those of 65,535 glyphs have half as much. */
const MAX_CMAP_BYTES = 2_000_000;
/** That are looked into; fonts have two or three. */
const MAX_SUBTABLES = 8;
/** A subtable of this format has segments of 16 bits; of the other, groups of 32. */
const SEGMENTS = 4;
const GROUPS = 12;

/** @returns `undefined` for a font that is damaged, or has no characters of Unicode */
export async function charactersOf(
  bytes: Buffer,
  format: FontFormat,
): Promise<HasCharacter | undefined> {
  try {
    const cmap = (await fontTables(bytes, format))?.get('cmap');
    return cmap && lookUpIn(cmap);
  } catch (error) {
    // Reading beyond the end of a buffer, and what brotli cannot read.
    if (error instanceof RangeError || (error instanceof Error && 'code' in error))
      return undefined;
    throw error;
  }
}

function lookUpIn(cmap: Buffer): HasCharacter | undefined {
  if (cmap.length > MAX_CMAP_BYTES) return undefined;
  // Its own memory, so that the rest of the font is not kept.
  const kept = Buffer.from(cmap);
  const lookUps: HasCharacter[] = [];
  for (const offset of unicodeSubtablesOf(kept)) {
    const subtable = kept.subarray(offset);
    const format = subtable.readUInt16BE(0);
    if (format === SEGMENTS) lookUps.push(segmentsOf(subtable));
    if (format === GROUPS) lookUps.push(groupsOf(subtable));
    if (lookUps.length === MAX_SUBTABLES) break;
  }
  return lookUps.length === 0 ? undefined : (code) => lookUps.some((each) => each(code));
}

/** Where they are; several records may name the same one. */
function unicodeSubtablesOf(cmap: Buffer): Set<number> {
  const offsets = new Set<number>();
  const count = cmap.readUInt16BE(2);
  for (let index = 0; index < count; index++) {
    const record = 4 + 8 * index;
    const [platform, encoding] = [cmap.readUInt16BE(record), cmap.readUInt16BE(record + 2)];
    const isUnicode = platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10));
    if (isUnicode) offsets.add(cmap.readUInt32BE(record + 4));
  }
  return offsets;
}

function segmentsOf(table: Buffer): HasCharacter {
  const size = table.readUInt16BE(6);
  const count = Math.floor(size / 2);
  const endOf = (index: number): number => table.readUInt16BE(14 + 2 * index);
  // Throws if the table is cut off.
  if (count > 0) table.readUInt16BE(14 + 2 * count + 3 * size);
  return (code) => {
    const index = firstEndingAt(code, count, endOf);
    if (index === count) return false;
    const startAt = 14 + 2 * index + 2 + size;
    const start = table.readUInt16BE(startAt);
    if (code < start) return false;
    const rangeAt = startAt + 2 * size;
    const range = table.readUInt16BE(rangeAt);
    if (range === 0) return ((code + table.readUInt16BE(startAt + size)) & 0xffff) !== 0;
    const at = rangeAt + range + 2 * (code - start);
    return at + 2 <= table.length && table.readUInt16BE(at) !== 0;
  };
}

function groupsOf(table: Buffer): HasCharacter {
  const count = table.readUInt32BE(12);
  const endOf = (index: number): number => table.readUInt32BE(16 + 12 * index + 4);
  // Throws if the table is cut off.
  if (count > 0) endOf(count - 1);
  return (code) => {
    const index = firstEndingAt(code, count, endOf);
    return index < count && code >= table.readUInt32BE(16 + 12 * index);
  };
}

/** The first of `count` ascending ranges that ends at or after a code point; `count` for none. */
function firstEndingAt(code: number, count: number, endOf: (index: number) => number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (endOf(middle) < code) low = middle + 1;
    else high = middle;
  }
  return low;
}
