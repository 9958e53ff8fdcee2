import { BoxReader, type Box, type ReadAt } from './mp4-boxes.ts';

/** Bytes of one entry, by table type. All of these tables begin with flags and a count. */
const ENTRY_BYTES = { stts: 8, ctts: 8, stsc: 12, stss: 4, stco: 4, co64: 8 } as const;
/** The share of samples: some writers leave out the time of the last one. */
const LEAST_TIMED = 0.9;
const ENTRIES_AT_ONCE = 4096;
const TYPES = Object.keys(ENTRY_BYTES) as (keyof typeof ENTRY_BYTES)[];

/**
 * Whether the sample tables of a video are plausible: no table claims more entries than its box has
 * bytes for, none claims more samples than the file has bytes, every chunk begins in the file, and
 * almost every sample has a time. Libraries that read these tables trust their counts and loop that
 * many times.
 *
 * @param size of the file, in bytes
 */
export async function sampleTablesFit(read: ReadAt, size: number): Promise<boolean> {
  const reader = new BoxReader(read);
  for await (const moov of reader.boxes(0, size)) {
    if (moov.type !== 'moov') continue;
    for await (const track of reader.boxes(moov.start, moov.end)) {
      if (track.type === 'trak' && !(await trackFits(reader, track, size))) return false;
    }
  }
  return true;
}

async function trackFits(reader: BoxReader, track: Box, size: number): Promise<boolean> {
  const tables = await reader.find(track, 'mdia', 'minf', 'stbl');
  if (!tables) return true;
  for (const type of TYPES) {
    const table = await reader.find(tables, type);
    if (!table) continue;
    const maxEntries = Math.floor((table.end - table.start - 8) / ENTRY_BYTES[type]);
    const count = await readUint32(reader, table, 4);
    if (count > maxEntries) return false;
    const countsSamples = type === 'stts' || type === 'ctts' || type === 'stsc';
    if (countsSamples && (await samplesIn(reader, table, ENTRY_BYTES[type], count, size)) > size)
      return false;
    const hasChunks = type === 'stco' || type === 'co64';
    if (hasChunks && !(await chunksFit(reader, table, type, count, size))) return false;
  }
  const sizes = await reader.find(tables, 'stsz');
  if (!sizes) return true;
  const sampleBytes = await readUint32(reader, sizes, 4);
  const count = await readUint32(reader, sizes, 8);
  const fits =
    count * (sampleBytes || 4) <= (sampleBytes > 0 ? size : sizes.end - sizes.start - 12);
  return fits && (await timesFit(reader, tables, count, size));
}

/** Whether all but a few of these samples have a time. */
async function timesFit(
  reader: BoxReader,
  tables: Box,
  samples: number,
  size: number,
): Promise<boolean> {
  const times = await reader.find(tables, 'stts');
  if (!times) return true;
  const entries = await readUint32(reader, times, 4);
  const timed = await samplesIn(reader, times, ENTRY_BYTES.stts, entries, size);
  return timed >= samples * LEAST_TIMED;
}

async function chunksFit(
  reader: BoxReader,
  table: Box,
  type: 'stco' | 'co64',
  chunks: number,
  size: number,
): Promise<boolean> {
  const entryBytes = ENTRY_BYTES[type];
  for await (const block of entriesOf(reader, table, entryBytes, chunks)) {
    for (let at = 0; at < block.length; at += entryBytes) {
      const start = type === 'co64' ? block.readBigUInt64BE(at) : block.readUInt32BE(at);
      if (start >= size) return false;
    }
  }
  return true;
}

/**
 * Entries of these tables contain a number of samples: at the start, or (`stsc`) after a chunk
 * number.
 *
 * @returns their sum, or (`stsc`) the greatest; only that it is too large, once it is
 */
async function samplesIn(
  reader: BoxReader,
  table: Box,
  entryBytes: number,
  entries: number,
  size: number,
): Promise<number> {
  const isByChunk = entryBytes === ENTRY_BYTES.stsc;
  let samples = 0;
  for await (const block of entriesOf(reader, table, entryBytes, entries)) {
    for (let at = 0; at < block.length; at += entryBytes) {
      const count = block.readUInt32BE(at + (isByChunk ? 4 : 0));
      samples = isByChunk ? Math.max(samples, count) : samples + count;
      if (samples > size) return samples;
    }
  }
  return samples;
}

/** Whole entries of a table, many at a time: an index of 100 MB has millions. */
async function* entriesOf(
  reader: BoxReader,
  table: Box,
  entryBytes: number,
  entries: number,
): AsyncGenerator<Buffer, void> {
  for (let first = 0; first < entries; first += ENTRIES_AT_ONCE) {
    const count = Math.min(ENTRIES_AT_ONCE, entries - first);
    const start = table.start + 8 + first * entryBytes;
    const bytes = await reader.bytes(start, count * entryBytes);
    yield bytes.subarray(0, bytes.length - (bytes.length % entryBytes));
  }
}
async function readUint32(reader: BoxReader, table: Box, offset: number): Promise<number> {
  const bytes = await reader.bytes(table.start + offset, 4);
  return bytes.length === 4 ? bytes.readUInt32BE() : 0;
}
