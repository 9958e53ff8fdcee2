/**
 * The part of ISO 14496-12 that shows whether a file is a whole video: its boxes, and three fields
 * of its header. Nothing is decoded.
 */

import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { BoxError, BoxReader, type Box, type ReadAt } from './mp4-boxes.ts';

/** What a video file's boxes say about it. */
export type Mp4Report =
  | {
      readonly kind: 'whole';
      /**
       * Duration of the video in seconds; `null` when the header does not contain it (some live
       * files).
       */
      readonly durationSeconds: number | null;
    }
  /** It begins like an MP4, but its last box, or its media data, ends beyond the file. */
  | { readonly kind: 'cut' }
  /** More bytes cannot make it a valid video. */
  | { readonly kind: 'broken'; readonly reason: UserMessage };

type Broken =
  | 'file-no-video'
  | 'file-box-impossible'
  | 'file-boxes-too-many'
  | 'file-header-damaged'
  | 'file-no-video-track';

/** Boxes that a file may begin with. An executable or a page of HTML begins with none of them. */
const OPENING_BOXES = new Set(['ftyp', 'styp', 'moov', 'mdat', 'free', 'skip', 'wide']);

/** Bytes that {@link beginsLikeVideo} needs. */
export const OPENING_BYTES = 8;

/** Whether the first bytes of a file are those of an MP4. */
export function beginsLikeVideo(opening: Buffer): boolean {
  return opening.length >= OPENING_BYTES && OPENING_BOXES.has(opening.toString('latin1', 4, 8));
}

/**
 * Examines a file of `size` bytes.
 * @throws the signal's reason when aborted, or what `read` throws
 */
export async function inspectMp4(
  read: ReadAt,
  size: number,
  signal?: AbortSignal,
): Promise<Mp4Report> {
  const reader = new BoxReader(read, signal);
  if (!beginsLikeVideo(await reader.bytes(0, OPENING_BYTES))) {
    return size < OPENING_BYTES ? { kind: 'cut' } : broken('file-no-video');
  }
  let moov: Box | undefined;
  let hasMedia = false;
  try {
    for await (const box of reader.boxes(0, size)) {
      if (box.type === 'moov') moov ??= box;
      if (box.type === 'mdat') hasMedia = true;
    }
  } catch (error) {
    return reportOf(error, { cut: { kind: 'cut' }, impossible: broken('file-box-impossible') });
  }
  // The header may be at the end of the file, so more bytes may still come.
  if (!moov || !hasMedia) return { kind: 'cut' };
  try {
    return await inspectHeader(reader, moov, size);
  } catch (error) {
    const damaged = broken('file-header-damaged');
    return reportOf(error, { cut: damaged, impossible: damaged });
  }
}

/** @throws every error that is not a {@link BoxError} */
function reportOf(
  error: unknown,
  { cut, impossible }: { readonly cut: Mp4Report; readonly impossible: Mp4Report },
): Mp4Report {
  if (!(error instanceof BoxError)) throw error;
  switch (error.problem) {
    case 'cut':
      return cut;
    case 'impossible-size':
      return impossible;
    case 'too-many':
      return broken('file-boxes-too-many');
  }
}

async function inspectHeader(reader: BoxReader, moov: Box, size: number): Promise<Mp4Report> {
  const tracks: Box[] = [];
  let mvhd: Box | undefined;
  for await (const box of reader.boxes(moov.start, moov.end)) {
    if (box.type === 'trak') tracks.push(box);
    if (box.type === 'mvhd') mvhd ??= box;
  }
  for (const track of tracks) {
    if ((await handler(reader, track)) !== 'vide') continue;
    const last = await lastChunk(reader, track);
    if (last !== undefined && last >= size) return { kind: 'cut' };
    return { kind: 'whole', durationSeconds: await duration(reader, mvhd) };
  }
  return broken('file-no-video-track');
}

async function handler(reader: BoxReader, track: Box): Promise<string | undefined> {
  const hdlr = await reader.find(track, 'mdia', 'hdlr');
  if (!hdlr || hdlr.end - hdlr.start < 12) return undefined;
  return (await reader.bytes(hdlr.start + 8, 4)).toString('latin1');
}

async function duration(reader: BoxReader, mvhd: Box | undefined): Promise<number | null> {
  const fields = mvhd && (await reader.bytes(mvhd.start, Math.min(32, mvhd.end - mvhd.start)));
  if (!fields) return null;
  const isLong = fields[0] === 1;
  if (fields.length < (isLong ? 32 : 20)) return null;
  const timescale = fields.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(fields.readBigUInt64BE(24)) : fields.readUInt32BE(16);
  return timescale === 0 || units === 0 ? null : units / timescale;
}

/** Position of the last chunk of samples: a file that ends before it is cut between two boxes. */
async function lastChunk(reader: BoxReader, track: Box): Promise<number | undefined> {
  const samples = await reader.find(track, 'mdia', 'minf', 'stbl');
  if (!samples) return undefined;
  const table = (await reader.find(samples, 'stco')) ?? (await reader.find(samples, 'co64'));
  if (!table || table.end - table.start < 8) return undefined;
  const count = (await reader.bytes(table.start + 4, 4)).readUInt32BE();
  const width = table.type === 'co64' ? 8 : 4;
  const at = table.start + 8 + (count - 1) * width;
  if (count === 0 || at + width > table.end) return undefined;
  const entry = await reader.bytes(at, width);
  return width === 8 ? Number(entry.readBigUInt64BE()) : entry.readUInt32BE();
}

function broken(reason: Broken): Mp4Report {
  return { kind: 'broken', reason: userMessage(reason) };
}
