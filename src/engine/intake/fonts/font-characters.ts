/**
 * Which characters a font file has, by its `cmap` table: of TrueType and OpenType (ISO/IEC 14496-22)
 * and of WOFF2 (W3C WOFF File Format 2.0). Nothing else of a font is read here.
 */
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

export type FontFormat = 'ttf' | 'otf' | 'woff2';

/** Says whether a font has a character, by its code point. */
export type HasCharacter = (codePoint: number) => boolean;

const decompress = promisify(brotliDecompress);

/** Of the tables of a compressed font; the largest fonts have half as much. */
const MAX_TABLE_BYTES = 60_000_000;
/** Each font that was checked keeps its `cmap`; those of 65,535 glyphs have half as much. */
const MAX_CMAP_BYTES = 2_000_000;
/** That are looked into; fonts have two or three. */
const MAX_SUBTABLES = 8;
/** WOFF2 §4.1: known tables are written as their place in a list. */
const WOFF2_TABLES = { cmap: 0, glyf: 10, loca: 11, other: 63 };
/** A subtable of this format has segments of 16 bits; of the other, groups of 32. */
const SEGMENTS = 4;
const GROUPS = 12;

/** What the first bytes of a file say; ignores its name. */
export function fontFormatOf(bytes: Buffer): FontFormat | undefined {
  switch (bytes.toString('latin1', 0, 4)) {
    case 'wOF2':
      return 'woff2';
    case 'OTTO':
      return 'otf';
    case 'true':
    case '\0\u0001\0\0':
      return 'ttf';
    default:
      return undefined;
  }
}

/** @returns `undefined` for a font that is damaged, or has no characters of Unicode */
export async function charactersOf(
  bytes: Buffer,
  format: FontFormat,
): Promise<HasCharacter | undefined> {
  try {
    const cmap = format === 'woff2' ? await compressedCmap(bytes) : plainCmap(bytes);
    return cmap && lookUpIn(cmap);
  } catch (error) {
    // Reading beyond the end of a buffer, and what brotli cannot read.
    if (error instanceof RangeError || (error instanceof Error && 'code' in error))
      return undefined;
    throw error;
  }
}

function plainCmap(bytes: Buffer): Buffer | undefined {
  const count = bytes.readUInt16BE(4);
  for (let at = 12; at < 12 + 16 * count; at += 16) {
    if (bytes.toString('latin1', at, at + 4) !== 'cmap') continue;
    const offset = bytes.readUInt32BE(at + 8);
    return bytes.subarray(offset, offset + bytes.readUInt32BE(at + 12));
  }
  return undefined;
}

async function compressedCmap(bytes: Buffer): Promise<Buffer | undefined> {
  const count = bytes.readUInt16BE(12);
  let at = 48;
  let offset = 0;
  let found: { readonly offset: number; readonly length: number } | undefined;
  for (let table = 0; table < count; table++) {
    const flags = bytes.readUInt8(at++);
    const tag = flags & 63;
    if (tag === WOFF2_TABLES.other) at += 4;
    const original = readBase128(bytes, at);
    at = original.end;
    const version = flags >> 6;
    const isOutline = tag === WOFF2_TABLES.glyf || tag === WOFF2_TABLES.loca;
    const transformed = (isOutline ? version !== 3 : version !== 0) ? readBase128(bytes, at) : null;
    at = transformed?.end ?? at;
    const { value: length } = transformed ?? original;
    if (tag === WOFF2_TABLES.cmap) found = { offset, length };
    offset += length;
  }
  if (found === undefined || offset > MAX_TABLE_BYTES) return undefined;
  const compressed = bytes.subarray(at, at + bytes.readUInt32BE(20));
  const tables = await decompress(compressed, { maxOutputLength: MAX_TABLE_BYTES });
  return tables.subarray(found.offset, found.offset + found.length);
}

/** WOFF2 §4.2: seven bits a byte, the most significant first. */
function readBase128(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start; at < start + 5; at++) {
    const byte = bytes.readUInt8(at);
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, end: at + 1 };
  }
  throw new RangeError('The number has more than five bytes.');
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
