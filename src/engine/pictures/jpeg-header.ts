/** What the segments of a JPEG before its pixels say (ITU-T T.81 Annex B, Exif 2.32). */
import type { PictureHeader } from './picture-format.ts';

const EXIF = 'Exif\0\0';
/** Tags (Exif 2.32 §4.6.4, §4.6.5). */
const ORIENTATION = 0x0112;
const PREVIEW_START = 0x0201;
const PREVIEW_LENGTH = 0x0202;

export function readJpeg(bytes: Buffer): PictureHeader | undefined {
  let orientation = 1;
  for (const { marker, at, content } of segmentsOf(bytes)) {
    if (marker === 0xe1 && orientation === 1) orientation = exifOf(content)?.orientation ?? 1;
    if (!isFrameHeader(marker) || content.length < 6) continue;
    return {
      format: 'jpeg',
      height: content.readUInt16BE(1),
      width: content.readUInt16BE(3),
      isAnimated: false,
      isCmyk: content[5] === 4,
      // Cameras write more after the end of the image.
      isComplete: bytes.indexOf(Buffer.from([0xff, 0xd9]), at) > 0,
      hasAlpha: false,
      orientation,
      isActive: false,
    };
  }
  return undefined;
}

/**
 * The small JPEG of itself that a photo of a camera contains, turned as the photo. It is what the
 * camera or the last editor wrote there: nothing guarantees that it shows the photo.
 */
export function embeddedPreview(bytes: Buffer): Buffer | undefined {
  for (const { marker, content } of segmentsOf(bytes)) {
    const exif = marker === 0xe1 ? exifOf(content) : undefined;
    if (exif?.preview === undefined) continue;
    const { orientation, preview } = exif;
    return Buffer.concat([preview.subarray(0, 2), turnedBy(orientation), preview.subarray(2)]);
  }
  return undefined;
}

interface Segment {
  readonly marker: number;
  readonly at: number;
  readonly content: Buffer;
}

/** The segments up to the frame header, which is the last; none of a file that is no JPEG. */
function* segmentsOf(bytes: Buffer): Generator<Segment> {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return;
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return;
    if (marker === 0xff) {
      // A fill byte (B.1.1.2).
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    const isLast = isFrameHeader(marker);
    if (length < 2 || !(isLast || isTableOrMetadata(marker))) return;
    yield { marker, at, content: bytes.subarray(at + 4, at + 2 + length) };
    if (isLast) return;
    at += 2 + length;
  }
}

/** SOF0 to SOF15, without the tables (DHT, DAC) and the reserved marker (JPG) among them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** B.2.4: DHT, DAC, DQT, DRI, COM, APP0 to APP15. */
function isTableOrMetadata(marker: number): boolean {
  return [0xc4, 0xcc, 0xdb, 0xdd, 0xfe].includes(marker) || (marker >= 0xe0 && marker <= 0xef);
}

interface Exif {
  readonly orientation: number;
  readonly preview: Buffer | undefined;
}

/** A segment contains a TIFF file, whose second directory describes the preview (Exif 2.32 §4.5). */
function exifOf(segment: Buffer): Exif | undefined {
  if (segment.length < 14 || segment.toString('latin1', 0, 6) !== EXIF) return undefined;
  const tiff = new Tiff(segment.subarray(6));
  const photo = tiff.long(4);
  const orientation = tiff.short(tiff.valueOf(photo, ORIENTATION));
  const small = tiff.nextDirectory(photo);
  const start = tiff.long(tiff.valueOf(small, PREVIEW_START));
  const preview = tiff.slice(start, tiff.long(tiff.valueOf(small, PREVIEW_LENGTH)));
  return {
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    preview: start > 0 && preview.length > 4 ? preview : undefined,
  };
}

/** Reads a TIFF file; what is not there is 0. */
class Tiff {
  readonly #bytes: Buffer;
  readonly #isLittle: boolean;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#isLittle = bytes.toString('latin1', 0, 2) === 'II';
  }

  short(at: number): number {
    if (at === 0 || at + 2 > this.#bytes.length) return 0;
    return this.#isLittle ? this.#bytes.readUInt16LE(at) : this.#bytes.readUInt16BE(at);
  }

  long(at: number): number {
    if (at === 0 || at + 4 > this.#bytes.length) return 0;
    return this.#isLittle ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at);
  }

  slice(start: number, length: number): Buffer {
    return this.#bytes.subarray(start, start + length);
  }

  /** Where the value of a tag is in a directory. */
  valueOf(directory: number, tag: number): number {
    const entries = this.short(directory);
    for (let index = 0; index < entries; index += 1) {
      const at = directory + 2 + 12 * index;
      if (at + 12 > this.#bytes.length) return 0;
      if (this.short(at) === tag) return at + 8;
    }
    return 0;
  }

  nextDirectory(directory: number): number {
    return directory === 0 ? 0 : this.long(directory + 2 + 12 * this.short(directory));
  }
}

/** A segment of Exif that contains an orientation only. */
function turnedBy(orientation: number): Buffer {
  const tiff = Buffer.from('49492a00080000000100120103000100000000000000' + '00000000', 'hex');
  tiff.writeUInt16LE(orientation, 18);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(2 + EXIF.length + tiff.length);
  return Buffer.concat([Buffer.from([0xff, 0xe1]), length, Buffer.from(EXIF, 'latin1'), tiff]);
}
