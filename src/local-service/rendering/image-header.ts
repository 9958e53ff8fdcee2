/** The kinds of image that a scene can show. */
export type ImageKind = 'png' | 'jpeg' | 'webp';

/** What the first bytes of an image say, without decoding it. */
export interface ImageHeader {
  readonly kind: ImageKind;
  /** In pixels, at least 1. */
  readonly width: number;
  readonly height: number;
}

/** Of a file, in memory at a time; a segment of a JPEG has no more bytes. */
const WINDOW_BYTES = 64 * 1024;

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/**
 * Reads the header of an image; `undefined` for any other file and for truncated headers. Ignores
 * names and media types. Does not check whether the rest of the file can be decoded or matches the
 * header.
 */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  const header = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  return header && hasPixels(header) ? header : undefined;
}

/**
 * The same for a file, of which no more than a window is in memory: cameras write megabytes before
 * the frame header of a JPEG.
 *
 * @param read the bytes at a position, fewer only where the file ends
 */
export async function readHeaderOfFile(
  read: (position: number, length: number) => Promise<Buffer>,
): Promise<ImageHeader | undefined> {
  const start = await read(0, WINDOW_BYTES);
  if (!isJpeg(start)) return readImageHeader(start);
  let at = 2;
  for (;;) {
    const found = scanJpeg(await read(at, WINDOW_BYTES), 0);
    if (typeof found === 'object') return hasPixels(found) ? found : undefined;
    if (found === undefined || found === 0) return undefined;
    at += found;
  }
}

function hasPixels({ width, height }: ImageHeader): boolean {
  return width > 0 && height > 0;
}

/**
 * Whether a decoded image has the size that its header states, or has been turned by the
 * orientation that its metadata states.
 */
export function hasSizeOf(
  header: ImageHeader | undefined,
  { width, height }: { readonly width: number; readonly height: number },
): boolean {
  if (!header) return false;
  return (
    (width === header.width && height === header.height) ||
    (width === header.height && height === header.width)
  );
}

/** PNG (ISO/IEC 15948) §5.2, §11.2.1: the IHDR chunk comes first. */
function readPng(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 0, 8) !== PNG_SIGNATURE) return undefined;
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { kind: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/**
 * ITU-T T.81 Annex B: segments up to the frame header, whose marker depends on the coding. Anything
 * else before it is refused: a decoder skips bytes that are no marker, such as `FF 00`, and would
 * read a frame header that this does not.
 */
function readJpeg(bytes: Buffer): ImageHeader | undefined {
  const found = isJpeg(bytes) ? scanJpeg(bytes, 2) : undefined;
  return typeof found === 'object' ? found : undefined;
}

function isJpeg(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8;
}

/** @returns the place of the first segment that these bytes have not whole, if none before is a frame header */
function scanJpeg(bytes: Buffer, from: number): ImageHeader | number | undefined {
  let at = from;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      // A fill byte (B.1.1.2).
      at += 1;
    } else if (isFrameHeader(marker)) {
      return {
        kind: 'jpeg',
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      };
    } else {
      const length = bytes.readUInt16BE(at + 2);
      if (!isTableOrMiscellaneous(marker) || length < 2) return undefined;
      at += 2 + length;
    }
  }
  return at;
}

/** SOF0 to SOF15, without the tables (DHT, DAC) and the reserved marker (JPG) among them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** The segments before a frame header (B.2.4): DHT, DAC, DQT, DRI, APP0 to APP15, COM. */
function isTableOrMiscellaneous(marker: number): boolean {
  return [0xc4, 0xcc, 0xdb, 0xdd, 0xfe].includes(marker) || (marker >= 0xe0 && marker <= 0xef);
}

/** RFC 9649 §2.5 to §2.7: reads the first chunk of the RIFF container. */
function readWebp(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  switch (bytes.toString('latin1', 8, 16)) {
    case 'WEBPVP8 ':
      // RFC 6386 §9.1: a key frame's start code, then 14 bits for width and for height.
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined;
      return {
        kind: 'webp',
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
      };
    case 'WEBPVP8L': {
      if (bytes[20] !== 0x2f) return undefined;
      const bits = bytes.readUInt32LE(21);
      return { kind: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'WEBPVP8X':
      return {
        kind: 'webp',
        width: bytes.readUIntLE(24, 3) + 1,
        height: bytes.readUIntLE(27, 3) + 1,
      };
    default:
      return undefined;
  }
}
