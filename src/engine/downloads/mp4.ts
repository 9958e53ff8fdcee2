/**
 * As much of ISO 14496-12 as is needed to tell whether a file is a whole video: a walk over its
 * boxes, and three fields of its header. Nothing is decoded.
 */

import { tell, type Told } from '../../contract/told.ts';

/** Reads `length` bytes at `position`; fewer at the end of the file. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

/** What a video file's boxes say about it. */
export type Mp4Report =
  | {
      readonly kind: 'whole';
      /** Length of the film in seconds; `null` when the header does not tell (some live files). */
      readonly durationSeconds: number | null;
      readonly width: number;
      readonly height: number;
    }
  /** It begins like an MP4, but its last box, or its media data, ends beyond the file. */
  | { readonly kind: 'cut' }
  /** It can never become a video by adding bytes. */
  | { readonly kind: 'broken'; readonly reason: Told };

type Broken =
  | 'file-no-video'
  | 'file-box-impossible'
  | 'file-header-too-large'
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

interface Box {
  readonly type: string;
  /** Absolute position of the first byte after the box's header. */
  readonly start: number;
  /** Absolute position of the first byte after the box. */
  readonly end: number;
}

/** A header this large holds days of film; beyond it a size field is taken for damage. */
const LARGEST_HEADER_BYTES = 256 * 1024 * 1024;

/** Examines a file of `size` bytes. */
export async function inspectMp4(read: ReadAt, size: number): Promise<Mp4Report> {
  if (!beginsLikeVideo(await read(0, OPENING_BYTES))) {
    return size < OPENING_BYTES ? { kind: 'cut' } : broken('file-no-video');
  }
  let moov: Box | undefined;
  let hasMedia = false;
  for (let position = 0; position < size;) {
    const box = boxAt(await read(position, 16), position, size);
    if (box === 'cut') return { kind: 'cut' };
    if (box === 'broken') return broken('file-box-impossible');
    if (box.end > size) return { kind: 'cut' };
    if (box.type === 'moov') moov ??= box;
    if (box.type === 'mdat') hasMedia = true;
    position = box.end;
  }
  // A file may have its header at the end: without it, more bytes may still come.
  if (!moov || !hasMedia) return { kind: 'cut' };
  if (moov.end - moov.start > LARGEST_HEADER_BYTES) return broken('file-header-too-large');
  return inspectHeader(await read(moov.start, moov.end - moov.start), size);
}

function inspectHeader(moov: Buffer, size: number): Mp4Report {
  const boxes = children(moov, 0, moov.length);
  if (!boxes) return broken('file-header-damaged');
  for (const track of boxes.filter(({ type }) => type === 'trak')) {
    if (handler(moov, track) !== 'vide') continue;
    const last = lastChunk(moov, track);
    if (last !== undefined && last >= size) return { kind: 'cut' };
    return { kind: 'whole', durationSeconds: duration(moov, boxes), ...dimensions(moov, track) };
  }
  return broken('file-no-video-track');
}

function boxAt(header: Buffer, position: number, size: number): Box | 'cut' | 'broken' {
  if (header.length < 8) return 'cut';
  const type = header.toString('latin1', 4, 8);
  const short = header.readUInt32BE(0);
  // Size 0: the box reaches to the end of the file.
  if (short === 0) return { type, start: position + 8, end: size };
  if (short !== 1) {
    return short < 8 ? 'broken' : { type, start: position + 8, end: position + short };
  }
  if (header.length < 16) return 'cut';
  const long = header.readBigUInt64BE(8);
  if (long < 16n || long > BigInt(Number.MAX_SAFE_INTEGER)) return 'broken';
  return { type, start: position + 16, end: position + Number(long) };
}

function children(buffer: Buffer, start: number, end: number): Box[] | undefined {
  const boxes: Box[] = [];
  for (let position = start; position < end;) {
    const box = boxAt(buffer.subarray(position, Math.min(position + 16, end)), position, end);
    if (box === 'cut' || box === 'broken' || box.end > end) return undefined;
    boxes.push(box);
    position = box.end;
  }
  return boxes;
}

function find(buffer: Buffer, parent: Box, ...path: readonly string[]): Box | undefined {
  let box: Box | undefined = parent;
  for (const type of path) {
    box = box && children(buffer, box.start, box.end)?.find((each) => each.type === type);
  }
  return box;
}

function handler(buffer: Buffer, track: Box): string | undefined {
  const hdlr = find(buffer, track, 'mdia', 'hdlr');
  return hdlr && hdlr.end - hdlr.start >= 12
    ? buffer.toString('latin1', hdlr.start + 8, hdlr.start + 12)
    : undefined;
}

function duration(buffer: Buffer, boxes: readonly Box[]): number | null {
  const mvhd = boxes.find(({ type }) => type === 'mvhd');
  if (!mvhd) return null;
  const isLong = buffer[mvhd.start] === 1;
  if (mvhd.end - mvhd.start < (isLong ? 32 : 20)) return null;
  const timescale = buffer.readUInt32BE(mvhd.start + (isLong ? 20 : 12));
  const units = isLong
    ? Number(buffer.readBigUInt64BE(mvhd.start + 24))
    : buffer.readUInt32BE(mvhd.start + 16);
  return timescale === 0 || units === 0 ? null : units / timescale;
}

function dimensions(buffer: Buffer, track: Box): { width: number; height: number } {
  const tkhd = find(buffer, track, 'tkhd');
  if (!tkhd || tkhd.end - tkhd.start < 84) return { width: 0, height: 0 };
  // The last two fields of the box, 16.16 fixed point.
  return {
    width: buffer.readUInt16BE(tkhd.end - 8),
    height: buffer.readUInt16BE(tkhd.end - 4),
  };
}

/** Position of the last chunk of samples: a file that ends before it is cut at a box's edge. */
function lastChunk(buffer: Buffer, track: Box): number | undefined {
  const samples = find(buffer, track, 'mdia', 'minf', 'stbl');
  const table = samples && (find(buffer, samples, 'stco') ?? find(buffer, samples, 'co64'));
  if (!table || table.end - table.start < 8) return undefined;
  const count = buffer.readUInt32BE(table.start + 4);
  const width = table.type === 'co64' ? 8 : 4;
  const at = table.start + 8 + (count - 1) * width;
  if (count === 0 || at + width > table.end) return undefined;
  return width === 8 ? Number(buffer.readBigUInt64BE(at)) : buffer.readUInt32BE(at);
}

function broken(reason: Broken): Mp4Report {
  return { kind: 'broken', reason: tell(reason) };
}
