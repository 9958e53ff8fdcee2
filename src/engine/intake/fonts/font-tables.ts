/**
 * The tables of a font file, by their names: of TrueType and OpenType (ISO/IEC 14496-22) and of WOFF2
 * (W3C WOFF File Format 2.0). Says whether those that drawing needs are there; outlines are not read.
 */
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

export type FontFormat = 'ttf' | 'otf' | 'woff2';

/** Their bytes; in WOFF2, some are coded in another way. */
export type FontTables = ReadonlyMap<string, Buffer>;

const decompress = promisify(brotliDecompress);

/** Of the tables of a compressed font; the largest fonts have half as much. */
const MAX_BYTES = 60_000_000;
/** WOFF2 §4.1: the known names that matter here, by their numbers; 63 stands before any other. */
const WOFF2_NAMES: Readonly<Record<number, string>> = {
  0: 'cmap',
  1: 'head',
  2: 'hhea',
  3: 'hmtx',
  4: 'maxp',
  10: 'glyf',
  11: 'loca',
  13: 'CFF ',
  32: 'CBDT',
  37: 'sbix',
};
const WOFF2_OTHER = 63;
const ALWAYS_NEEDED = ['cmap', 'head', 'hhea', 'hmtx', 'maxp'];
/** One of these has the letters: outlines, or pictures. */
const LETTERS = [['glyf', 'loca'], ['CFF '], ['CFF2'], ['sbix'], ['CBDT']];
/** As the format allows. */
const UNITS_PER_EM = { least: 16, most: 16_384 };

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

/**
 * @returns `undefined` for a font with which nothing can be drawn: without a table that is needed,
 *   with one beyond the file's end, or without letters
 * @throws {RangeError} for a file that is cut off
 * @throws an error with a `code` for one that cannot be decompressed
 */
export async function fontTables(
  bytes: Buffer,
  format: FontFormat,
): Promise<FontTables | undefined> {
  const tables = format === 'woff2' ? await compressedTables(bytes) : plainTables(bytes);
  return tables && isDrawable(tables) ? tables : undefined;
}

function isDrawable(tables: FontTables): boolean {
  if (!hasNeeded(tables)) return false;
  const units = tables.get('head')?.readUInt16BE(18) ?? 0;
  const glyphs = tables.get('maxp')?.readUInt16BE(4) ?? 0;
  return units >= UNITS_PER_EM.least && units <= UNITS_PER_EM.most && glyphs > 0;
}

function hasNeeded(tables: ReadonlyMap<string, unknown>): boolean {
  const isThere = (name: string): boolean => tables.has(name);
  return ALWAYS_NEEDED.every(isThere) && LETTERS.some((names) => names.every(isThere));
}

/** Without those beyond the file's end. */
function plainTables(bytes: Buffer): FontTables {
  const tables = new Map<string, Buffer>();
  const count = bytes.readUInt16BE(4);
  for (let at = 12; at < 12 + 16 * count; at += 16) {
    const [offset, length] = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
    if (offset + length > bytes.length) continue;
    tables.set(bytes.toString('latin1', at, at + 4), bytes.subarray(offset, offset + length));
  }
  return tables;
}

async function compressedTables(bytes: Buffer): Promise<FontTables | undefined> {
  const count = bytes.readUInt16BE(12);
  const places = new Map<string, { readonly offset: number; readonly length: number }>();
  let at = 48;
  let offset = 0;
  for (let table = 0; table < count; table++) {
    const flags = bytes.readUInt8(at++);
    const tag = flags & 63;
    const name = tag === WOFF2_OTHER ? bytes.toString('latin1', at, at + 4) : WOFF2_NAMES[tag];
    if (tag === WOFF2_OTHER) at += 4;
    const original = readBase128(bytes, at);
    at = original.end;
    const version = flags >> 6;
    const isOutline = name === 'glyf' || name === 'loca';
    const transformed = (isOutline ? version !== 3 : version !== 0) ? readBase128(bytes, at) : null;
    at = transformed?.end ?? at;
    const { value: length } = transformed ?? original;
    if (name !== undefined) places.set(name, { offset, length });
    offset += length;
  }
  if (offset > MAX_BYTES || !hasNeeded(places)) return undefined;
  const compressed = bytes.subarray(at, at + bytes.readUInt32BE(20));
  const all = await decompress(compressed, { maxOutputLength: MAX_BYTES });
  if (all.length < offset) return undefined;
  return new Map(
    Array.from(places, ([name, place]) => [
      name,
      all.subarray(place.offset, place.offset + place.length),
    ]),
  );
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
