/** Reads the headers of a WebM file (RFC 8794, RFC 9559), up to its first pictures. */
import type { ReadAt } from '../downloads/mp4-boxes.ts';
import { type ClipHeader, type ClipPictures, HDR_TRANSFERS } from './clip-format.ts';

const ID = {
  segment: 0x18538067,
  cluster: 0x1f43b675,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  codec: 0x86,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  alphaMode: 0x53c0,
  colour: 0x55b0,
  transfer: 0x55ba,
} as const;

const PICTURES = 1;
const SOUND = 2;
/** Elements to read in one file; an ordinary one has about fifty before its first pictures. */
const MAX_ELEMENTS = 5000;
/** Of an identifier and a size together. */
const MAX_HEADER = 12;
const MAX_VALUE = 64;

interface Element {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  /** Whether it states its size. */
  readonly isSized: boolean;
}

/** @param size of the file, in bytes */
export async function readWebmHeader(read: ReadAt, size: number): Promise<ClipHeader> {
  let left = MAX_ELEMENTS;
  async function* elements(start: number, end: number): AsyncGenerator<Element> {
    for (let at = start; at < end && left > 0; left--) {
      const element = elementAt(await read(at, MAX_HEADER), at, end);
      if (element === undefined) return;
      yield element;
      at = element.end;
    }
  }
  const values = async (parent: Element): Promise<Map<number, Buffer>> => {
    const found = new Map<number, Buffer>();
    for await (const { id, start, end } of elements(parent.start, parent.end)) {
      found.set(id, await read(start, Math.min(end - start, MAX_VALUE)));
    }
    return found;
  };
  let isComplete = false;
  let seconds: number | null = null;
  let pictures: ClipPictures | null = null;
  const codecs: string[] = [];
  for await (const segment of elements(0, size)) {
    if (segment.id !== ID.segment) continue;
    isComplete = !segment.isSized || segment.end <= size;
    for await (const part of elements(segment.start, Math.min(segment.end, size))) {
      if (part.id === ID.cluster) break;
      if (part.id === ID.info) {
        const info = await values(part);
        const duration = floatOf(info.get(ID.duration));
        const scale = integerOf(info.get(ID.timestampScale)) ?? 1_000_000;
        seconds = duration === undefined ? null : (duration * scale) / 1e9;
      }
      if (part.id !== ID.tracks) continue;
      for await (const track of elements(part.start, part.end)) {
        if (track.id !== ID.track) continue;
        const fields = await values(track);
        const type = integerOf(fields.get(ID.trackType));
        if (type === SOUND) codecs.push(textOf(fields.get(ID.codec)));
        if (type === PICTURES) pictures ??= await picturesOf(track, fields);
      }
    }
    break;
  }
  const sounds = codecs.map((codec) => ({ codec, seconds }));
  return {
    format: 'webm',
    pictures: pictures && { ...pictures, seconds },
    sounds,
    isComplete,
    hasIndex: true,
  };

  async function picturesOf(
    track: Element,
    fields: ReadonlyMap<number, Buffer>,
  ): Promise<ClipPictures | null> {
    for await (const video of elements(track.start, track.end)) {
      if (video.id !== ID.video) continue;
      const shape = await values(video);
      let transfer: number | undefined;
      for await (const part of elements(video.start, video.end)) {
        if (part.id === ID.colour) transfer = integerOf((await values(part)).get(ID.transfer));
      }
      return {
        codec: textOf(fields.get(ID.codec)),
        width: integerOf(shape.get(ID.width)) ?? 0,
        height: integerOf(shape.get(ID.height)) ?? 0,
        seconds: null,
        isHdr: HDR_TRANSFERS.includes(transfer ?? 0),
        isTransparent: (integerOf(shape.get(ID.alphaMode)) ?? 0) > 0,
        hasKeyFrame: true,
      };
    }
    return null;
  }
}

function elementAt(header: Buffer, at: number, parentEnd: number): Element | undefined {
  const idLength = lengthOf(header[0]);
  if (idLength === 0 || idLength > 4 || header.length < idLength + 1) return undefined;
  const sizeLength = lengthOf(header[idLength]);
  if (sizeLength === 0 || header.length < idLength + sizeLength) return undefined;
  const id = header.readUIntBE(0, idLength);
  const bytes = header.subarray(idLength, idLength + sizeLength);
  const marker = 1n << BigInt(7 * sizeLength);
  const size = BigInt(`0x${bytes.toString('hex')}`) - marker;
  const start = at + idLength + sizeLength;
  // All ones: it goes on to the end of its parent.
  if (size === marker - 1n) return { id, start, end: parentEnd, isSized: false };
  return { id, start, end: start + Number(size), isSized: true };
}

/** How many bytes a number has whose first byte this is; 0 for none. */
function lengthOf(first: number | undefined): number {
  return first === undefined || first === 0 ? 0 : Math.clz32(first) - 23;
}

/** Zeros may follow it (RFC 8794 §7.4). */
function textOf(bytes: Buffer | undefined): string {
  return bytes?.toString('latin1').replace(/\0+$/, '') ?? '';
}

function integerOf(bytes: Buffer | undefined): number | undefined {
  if (bytes === undefined || bytes.length > 6) return undefined;
  return bytes.length === 0 ? 0 : bytes.readUIntBE(0, bytes.length);
}

function floatOf(bytes: Buffer | undefined): number | undefined {
  if (bytes?.length === 4) return bytes.readFloatBE();
  return bytes?.length === 8 ? bytes.readDoubleBE() : undefined;
}
