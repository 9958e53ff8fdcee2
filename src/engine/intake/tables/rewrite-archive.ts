/** Writes a ZIP archive with some parts changed. The bytes of all others stay as they are. */
import { crc32, deflateRawSync } from 'node:zlib';
import { ArchiveError, endOf, readDirectory, type ArchivePart } from './archive.ts';

const HEADER_BYTES = 30;
/** 1 January 1980, 00:00, the first time of an archive. */
const FIRST_DATE = 0x0021_0000;
const DEFLATED = 8;
/** The flag of a part whose sizes follow its bytes. */
const SIZES_FOLLOW = 1 << 3;

/**
 * @param changes contents by the names of parts, which exist; `null` removes a part
 * @throws {ArchiveError} when parts overlap
 */
export function rewriteArchive(
  bytes: Uint8Array,
  changes: ReadonlyMap<string, Uint8Array | null>,
): Uint8Array {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = endOf(data);
  const parts = readDirectory(data, end);
  const directoryAt = data.readUInt32LE(end + 16);
  const places = [...parts].sort(([, one], [, other]) => one.headerAt - other.headerAt);
  const pieces = [data.subarray(0, places[0]?.[1].headerAt ?? directoryAt)];
  let at = pieces[0]?.length ?? 0;
  const entries = new Map<string, Buffer>();
  for (const [index, [name, part]] of places.entries()) {
    const next = places[index + 1]?.[1].headerAt ?? directoryAt;
    if (part.headerAt + HEADER_BYTES + part.packed > next) throw new ArchiveError('damaged');
    const content = changes.get(name);
    if (content === null) continue;
    const entry = Buffer.from(data.subarray(part.entryAt, part.entryEnd));
    entry.writeUInt32LE(at, 42);
    const written =
      content === undefined
        ? [data.subarray(part.headerAt, next)]
        : changedPart(name, entry, part, content);
    pieces.push(...written);
    at += written.reduce((sum, { length }) => sum + length, 0);
    entries.set(name, entry);
  }
  const directory = [...parts.keys()].flatMap((name) => entries.get(name) ?? []);
  const tail = Buffer.from(data.subarray(end));
  tail.writeUInt16LE(directory.length, 8);
  tail.writeUInt16LE(directory.length, 10);
  tail.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  tail.writeUInt32LE(at, 16);
  return Buffer.concat([...pieces, ...directory, tail]);
}

/** The header and the bytes of a part, whose `entry` gets its sizes. */
function changedPart(
  name: string,
  entry: Buffer,
  { isEncrypted }: ArchivePart,
  content: Uint8Array,
): Buffer[] {
  if (isEncrypted) throw new ArchiveError('encrypted');
  const packed = deflateRawSync(content);
  entry.writeUInt16LE(entry.readUInt16LE(8) & ~SIZES_FOLLOW, 8);
  entry.writeUInt16LE(DEFLATED, 10);
  entry.writeUInt32LE(crc32(content), 16);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(content.length, 24);
  const nameBytes = Buffer.from(name);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(0x04034b50, 0);
  // The version, flags, method, time, checksum and sizes are those of the entry.
  entry.copy(header, 4, 6, 28);
  header.writeUInt16LE(nameBytes.length, 26);
  return [header, nameBytes, packed];
}

/** The archive without the times of its parts, so that equal contents are equal bytes. */
export function withoutTimes(bytes: Uint8Array): Uint8Array {
  const data = Buffer.from(bytes);
  for (const { entryAt, headerAt } of readDirectory(data, endOf(data)).values()) {
    data.writeUInt32LE(FIRST_DATE, entryAt + 12);
    data.writeUInt32LE(FIRST_DATE, headerAt + 10);
  }
  return data;
}
