/** Reads streams of an untrusted compound file ([MS-CFB]), in which Excel kept workbooks until 2003. */
import { ArchiveError } from './archive.ts';

/** A sector that ends a chain, or is none; all others are below. */
const NO_SECTOR = 0xff_ff_ff_fa;
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** Binary logarithm of the bytes of a sector for small streams. */
const SHORT_SHIFT = 6;
/** The sectors of the first part of the table of sectors, in the header. */
const IN_HEADER = 109;
const STREAM = 2;
const ROOT = 5;

interface Entry {
  readonly type: number;
  readonly start: number;
  readonly size: number;
}

/**
 * @returns the stream with this name; `null` if there is none
 * @throws {ArchiveError}
 */
export function streamOf(bytes: Uint8Array, name: string): Buffer | null {
  try {
    return readStream(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), name);
  } catch (error) {
    // A place beyond the end of the file.
    if (error instanceof RangeError) throw new ArchiveError('damaged');
    throw error;
  }
}

function readStream(data: Buffer, name: string): Buffer | null {
  const shift = data.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) throw new ArchiveError('damaged');
  const size = 1 << shift;
  const sector = (at: number): Buffer => {
    const start = Math.max(HEADER_BYTES, size) + at * size;
    if (start >= data.length) throw new ArchiveError('damaged');
    return data.subarray(start, start + size);
  };
  const sectors = data.length / size;
  const next = numbersIn(sectorsOfTable(data, sector, sectors));
  const read = (start: number): Buffer => Buffer.concat(chainOf(start, next, sectors).map(sector));
  const entries = entriesIn(read(data.readUInt32LE(48)));
  const entry = entries.get(name);
  const root = entries.get('Root Entry');
  if (entry?.type !== STREAM || root?.type !== ROOT) return null;
  // Small streams are in short sectors of one stream.
  if (entry.size >= data.readUInt32LE(56)) return read(entry.start).subarray(0, entry.size);
  if (data.readUInt16LE(32) !== SHORT_SHIFT) throw new ArchiveError('damaged');
  const short = 1 << SHORT_SHIFT;
  const all = read(root.start);
  const shortNext = numbersIn([read(data.readUInt32LE(60))]);
  const parts = chainOf(entry.start, shortNext, all.length / short).map((at) =>
    all.subarray(at * short, (at + 1) * short),
  );
  return Buffer.concat(parts).subarray(0, entry.size);
}

/**
 * The sectors that say which sector follows each.
 * @param most the sectors of the file
 * @throws {ArchiveError} for a table of more
 */
function sectorsOfTable(
  data: Buffer,
  sector: (at: number) => Buffer,
  most: number,
): readonly Buffer[] {
  const places: number[] = [];
  for (let at = 0; at < IN_HEADER; at += 1) places.push(data.readUInt32LE(76 + 4 * at));
  for (let at = data.readUInt32LE(68); at < NO_SECTOR;) {
    const more = numbersIn([sector(at)]);
    at = more.pop() ?? NO_SECTOR;
    places.push(...more);
    // A sector that the file's end cuts off may name only itself.
    if (more.length === 0 || places.length > IN_HEADER + most) throw new ArchiveError('damaged');
  }
  return places.filter((at) => at < NO_SECTOR).map(sector);
}

function numbersIn(sectors: readonly Buffer[]): number[] {
  return sectors.flatMap((bytes) =>
    Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readUInt32LE(4 * at)),
  );
}

/** @throws {ArchiveError} for a chain of more sectors than there are */
function chainOf(start: number, next: readonly number[], most: number): number[] {
  const chain: number[] = [];
  for (let at = start; at < NO_SECTOR; at = next[at] ?? NO_SECTOR) {
    if (chain.length > most) throw new ArchiveError('damaged');
    chain.push(at);
  }
  return chain;
}

function entriesIn(directory: Buffer): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const nameBytes = Math.min(64, directory.readUInt16LE(at + 64));
    const name = directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2));
    if (entries.has(name)) continue;
    entries.set(name, {
      type: directory[at + 66] ?? 0,
      start: directory.readUInt32LE(at + 116),
      size: directory.readUInt32LE(at + 120),
    });
  }
  return entries;
}
