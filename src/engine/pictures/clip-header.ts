/** Reads the headers of a clip: MP4 and MOV (ISO 14496-12), or WebM. Nothing is decoded. */
import { BoxError, BoxReader, type Box, type ReadAt } from '../downloads/mp4-boxes.ts';
import { sampleTablesFit } from '../downloads/sample-tables.ts';
import {
  type ClipHeader,
  type ClipPictures,
  type ClipSound,
  HDR_TRANSFERS,
} from './clip-format.ts';
import { readWebmHeader } from './webm-header.ts';

/** Sample entries of Dolby Vision. */
const DOLBY_VISION = /^dv[ah]/;
/** Bytes of a video sample entry before its boxes. */
const SAMPLE_ENTRY_BYTES = 78;

/** @param size of the file, in bytes. @returns `undefined` for any other file */
export async function readClipHeader(read: ReadAt, size: number): Promise<ClipHeader | undefined> {
  const start = await read(0, 12);
  if (start.length >= 4 && start.readUInt32BE(0) === 0x1a45dfa3) return readWebmHeader(read, size);
  if (start.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  const format = start.toString('latin1', 8, 12) === 'qt  ' ? 'mov' : 'mp4';
  const reader = new BoxReader(read);
  let tracks: Tracks = { pictures: null, sounds: [] };
  let isComplete = false;
  try {
    for await (const box of reader.boxes(0, size)) {
      if (box.type !== 'moov') continue;
      isComplete = true;
      tracks = await tracksIn(reader, box);
    }
    return { format, ...tracks, isComplete, hasIndex: await sampleTablesFit(read, size) };
  } catch (error) {
    if (!(error instanceof BoxError)) throw error;
    return { format, ...tracks, isComplete: false, hasIndex: false };
  }
}

type Tracks = Pick<ClipHeader, 'pictures' | 'sounds'>;

async function tracksIn(reader: BoxReader, moov: Box): Promise<Tracks> {
  let pictures: ClipPictures | null = null;
  const sounds: ClipSound[] = [];
  for await (const track of reader.boxes(moov.start, moov.end)) {
    if (track.type !== 'trak') continue;
    const handler = await reader.find(track, 'mdia', 'hdlr');
    if (!handler) continue;
    const kind = (await reader.bytes(handler.start + 8, 4)).toString('latin1');
    if (kind === 'vide') pictures ??= await picturesOf(reader, track);
    if (kind !== 'soun') continue;
    const entry = await sampleEntry(reader, track);
    if (entry) sounds.push({ codec: entry.type, seconds: await secondsOf(reader, track) });
  }
  // Each part of such a file has an index; the first says how long the first part is.
  const isInParts = (await reader.find(moov, 'mvex')) !== undefined;
  return isInParts ? withoutSeconds({ pictures, sounds }) : { pictures, sounds };
}

function withoutSeconds({ pictures, sounds }: Tracks): Tracks {
  return {
    pictures: pictures && { ...pictures, seconds: null },
    sounds: sounds.map((sound) => ({ ...sound, seconds: null })),
  };
}

/** The first one, which says how the track is coded. */
async function sampleEntry(reader: BoxReader, track: Box): Promise<Box | undefined> {
  const descriptions = await reader.find(track, 'mdia', 'minf', 'stbl', 'stsd');
  if (!descriptions) return undefined;
  // Flags and the number of entries precede the entries.
  for await (const entry of reader.boxes(descriptions.start + 8, descriptions.end)) return entry;
  return undefined;
}

async function picturesOf(reader: BoxReader, track: Box): Promise<ClipPictures | null> {
  const entry = await sampleEntry(reader, track);
  const fields = entry && (await reader.bytes(entry.start, SAMPLE_ENTRY_BYTES));
  if (!fields || fields.length < SAMPLE_ENTRY_BYTES) return null;
  return {
    codec: entry.type,
    width: fields.readUInt16BE(24),
    height: fields.readUInt16BE(26),
    seconds: await secondsOf(reader, track),
    isHdr: DOLBY_VISION.test(entry.type) || (await hasHdrColours(reader, entry)),
    isTransparent: false,
    hasKeyFrame: await hasKeyFrame(reader, track),
  };
}

async function hasHdrColours(reader: BoxReader, entry: Box): Promise<boolean> {
  const colours = await reader.find({ ...entry, start: entry.start + SAMPLE_ENTRY_BYTES }, 'colr');
  const fields = colours && (await reader.bytes(colours.start, 8));
  if (!fields || fields.length < 8) return false;
  return HDR_TRANSFERS.includes(fields.readUInt16BE(6));
}

async function secondsOf(reader: BoxReader, track: Box): Promise<number | null> {
  const header = await reader.find(track, 'mdia', 'mdhd');
  const fields = header && (await reader.bytes(header.start, 32));
  if (!fields || fields.length < 20) return null;
  const isLong = fields[0] === 1 && fields.length === 32;
  const scale = fields.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(fields.readBigUInt64BE(24)) : fields.readUInt32BE(16);
  return scale === 0 || duration === 0 ? null : duration / scale;
}

/** Without a table of key frames, all frames are. */
async function hasKeyFrame(reader: BoxReader, track: Box): Promise<boolean> {
  const table = await reader.find(track, 'mdia', 'minf', 'stbl', 'stss');
  const fields = table && (await reader.bytes(table.start, 8));
  return !fields || fields.length < 8 || fields.readUInt32BE(4) > 0;
}
