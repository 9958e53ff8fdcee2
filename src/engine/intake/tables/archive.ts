/**
 * Reads parts of an untrusted ZIP archive. Sizes are limited before anything is
 * unpacked, and every part has to have the size and the checksum that its directory entry names.
 */
import { crc32, inflateRawSync } from 'node:zlib';
import { codeOf } from '../../error-codes.ts';

/** Bytes of one part, unpacked: a sheet of 100,000 rows takes less than half of it. */
export const MAX_PART_BYTES = 160 * 1024 * 1024;
/** Bytes of all parts that are read, unpacked: the sheet, its texts and its formats. */
const MAX_READ_BYTES = 2 * MAX_PART_BYTES;
const MAX_PARTS = 10_000;

/** The archive cannot be read; `too-large` for parts beyond the limit. */
export class ArchiveError extends Error {
  readonly reason: 'damaged' | 'too-large' | 'encrypted';

  constructor(reason: ArchiveError['reason']) {
    super(`The archive is ${reason}.`);
    this.reason = reason;
  }
}

/** A part, by its entry in the directory. */
export interface ArchivePart {
  /** Where its entry begins and ends. */
  readonly entryAt: number;
  readonly entryEnd: number;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Where its header begins, which its bytes follow. */
  readonly headerAt: number;
}

export interface Archive {
  readonly names: ReadonlySet<string>;
  /** @throws {ArchiveError} also when there is no such part */
  readonly read: (name: string) => Uint8Array;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
/** The end is followed by a comment of at most this many bytes. */
const MAX_COMMENT = 0xffff;

/** @throws {ArchiveError} */
export function openArchive(bytes: Uint8Array): Archive {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts = readDirectory(data, endOf(data));
  let readBytes = 0;
  return {
    names: new Set(parts.keys()),
    read(name) {
      const part = parts.get(name);
      if (part === undefined) throw new ArchiveError('damaged');
      readBytes += part.size;
      if (readBytes > MAX_READ_BYTES) throw new ArchiveError('too-large');
      return unpack(data, part);
    },
  };
}

/**
 * @param end of {@link endOf}
 * @returns its parts by their names, in the order of the directory
 * @throws {ArchiveError}
 */
export function readDirectory(data: Buffer, end: number): ReadonlyMap<string, ArchivePart> {
  const count = data.readUInt16LE(end + 10);
  let at = data.readUInt32LE(end + 16);
  const parts = new Map<string, ArchivePart>();
  for (let index = 0; index < count; index += 1) {
    if (index >= MAX_PARTS || at + ENTRY_BYTES > end || data.readUInt32LE(at) !== ENTRY) {
      throw new ArchiveError('damaged');
    }
    const nameEnd = at + ENTRY_BYTES + data.readUInt16LE(at + 28);
    const name = data.toString('utf8', at + ENTRY_BYTES, nameEnd);
    const entryEnd = nameEnd + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
    const part: ArchivePart = {
      entryAt: at,
      entryEnd,
      isEncrypted: (data.readUInt16LE(at + 8) & 1) === 1,
      method: data.readUInt16LE(at + 10),
      crc: data.readUInt32LE(at + 16),
      packed: data.readUInt32LE(at + 20),
      size: data.readUInt32LE(at + 24),
      headerAt: data.readUInt32LE(at + 42),
    };
    // Two parts of one name would be read differently by different programs.
    if (parts.has(name)) throw new ArchiveError('damaged');
    parts.set(name, part);
    at = entryEnd;
  }
  return parts;
}

/** Where the archive's end record begins. @throws {ArchiveError} */
export function endOf(data: Buffer): number {
  const lowest = Math.max(0, data.length - END_BYTES - MAX_COMMENT);
  for (let at = data.length - END_BYTES; at >= lowest; at -= 1) {
    if (data.readUInt32LE(at) === END) return at;
  }
  throw new ArchiveError('damaged');
}

function unpack(data: Buffer, part: ArchivePart): Uint8Array {
  const { headerAt, packed, size, method, isEncrypted, crc } = part;
  if (isEncrypted) throw new ArchiveError('encrypted');
  if (size > MAX_PART_BYTES) throw new ArchiveError('too-large');
  if (headerAt + LOCAL_BYTES > data.length || data.readUInt32LE(headerAt) !== LOCAL) {
    throw new ArchiveError('damaged');
  }
  const start =
    headerAt + LOCAL_BYTES + data.readUInt16LE(headerAt + 26) + data.readUInt16LE(headerAt + 28);
  if (start + packed > data.length) throw new ArchiveError('damaged');
  const content = inflate(data.subarray(start, start + packed), method, size);
  if (content.length !== size || crc32(content) !== crc) throw new ArchiveError('damaged');
  return content;
}

function inflate(packed: Buffer, method: number, size: number): Buffer {
  if (method === 0) return packed;
  if (method !== 8) throw new ArchiveError('damaged');
  try {
    // One byte of room is required for an empty part.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    if (String(codeOf(error)).startsWith('Z_') || codeOf(error) === 'ERR_BUFFER_TOO_LARGE') {
      throw new ArchiveError('damaged');
    }
    throw error;
  }
}
