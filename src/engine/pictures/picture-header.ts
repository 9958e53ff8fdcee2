/** What the first bytes of a picture say, without decoding it: names of files may be wrong. */

import { readAvif, readSvg } from './drawing-header.ts';
import { readJpeg } from './jpeg-header.ts';
import type { PictureHeader } from './picture-format.ts';

/** `undefined` for other files and truncated headers. */
export function readPictureHeader(bytes: Buffer): PictureHeader | undefined {
  const header =
    readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes) ?? readAvif(bytes) ?? readSvg(bytes);
  return header && header.width > 0 && header.height > 0 ? header : undefined;
}

/** How users call the format of a picture that is not sent; `undefined` for no picture. */
export function otherFormatOf(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 1024);
  if (start.startsWith('GIF8')) return 'GIF';
  if (start.startsWith('II*\0') || start.startsWith('MM\0*')) return 'TIFF';
  if (start.startsWith('BM')) return 'BMP';
  if (start.startsWith('%PDF')) return 'PDF';
  if (start.slice(4, 8) === 'ftyp') {
    const brand = start.slice(8, 12);
    if (/^(?:he|mif1|msf1)/.test(brand)) return 'HEIC';
    return undefined;
  }
  return undefined;
}

/** PNG (ISO/IEC 15948) §5.2, §11.2.1: IHDR comes first, acTL of an animation before the pixels. */
function readPng(bytes: Buffer): PictureHeader | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  const { pixels, hasAnimation, hasTransparency } = chunksOf(bytes);
  return {
    format: 'png',
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    isAnimated: hasAnimation,
    isCmyk: false,
    isComplete: pixels >= 0 && bytes.indexOf('IEND', pixels, 'latin1') > 0,
    // ISO/IEC 15948 §11.2.1, §11.3.1: colour types with alpha, and transparent colours of the others.
    hasAlpha: [4, 6].includes(bytes[25] ?? 0) || hasTransparency,
    orientation: 1,
    isActive: false,
  };
}

/** The chunks before the pixels, and where these begin; -1 without pixels. Texts may have such names. */
function chunksOf(bytes: Buffer) {
  let [hasAnimation, hasTransparency] = [false, false];
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (name === 'IDAT') return { pixels: at, hasAnimation, hasTransparency };
    hasAnimation ||= name === 'acTL';
    hasTransparency ||= name === 'tRNS';
  }
  return { pixels: -1, hasAnimation, hasTransparency };
}

/** RFC 9649 §2.5 to §2.7: the first chunk of the RIFF container. */
function readWebp(bytes: Buffer): PictureHeader | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  const common = {
    format: 'webp',
    isAnimated: false,
    isCmyk: false,
    isComplete: bytes.readUInt32LE(4) + 8 <= bytes.length,
    hasAlpha: false,
    orientation: 1,
    isActive: false,
  } as const;
  switch (bytes.toString('latin1', 8, 16)) {
    case 'WEBPVP8 ':
      // RFC 6386 §9.1: a key frame's start code, then 14 bits for width and for height.
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined;
      return {
        ...common,
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
      };
    case 'WEBPVP8L': {
      if (bytes[20] !== 0x2f) return undefined;
      const bits = bytes.readUInt32LE(21);
      return {
        ...common,
        width: (bits & 0x3fff) + 1,
        height: ((bits >>> 14) & 0x3fff) + 1,
        hasAlpha: (bits >>> 28) % 2 === 1,
      };
    }
    case 'WEBPVP8X':
      return {
        ...common,
        width: bytes.readUIntLE(24, 3) + 1,
        height: bytes.readUIntLE(27, 3) + 1,
        isAnimated: ((bytes[20] ?? 0) & 0x02) !== 0,
        hasAlpha: ((bytes[20] ?? 0) & 0x10) !== 0,
      };
    default:
      return undefined;
  }
}
