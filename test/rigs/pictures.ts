import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * A real PNG of one colour, one bit per pixel: a few kilobytes, however many pixels it decodes to.
 */
export function blankPng(width: number, height: number): Buffer {
  return pngOf(width, height, Buffer.alloc(height * rowBytes(width)));
}

/** A PNG of red and black pixels in no pattern, which no encoder can make small. */
export function noisePng(width: number, height: number): Buffer {
  const outputLength = height * rowBytes(width);
  const rows = createHash('shake256', { outputLength }).digest();
  // Each row begins with its filter; 0 is none.
  for (let row = 0; row < height; row += 1) rows[row * rowBytes(width)] = 0;
  return pngOf(width, height, rows);
}

/** The seven passes of an interlaced PNG: start and step of its columns and rows (§8.2). */
const PASSES = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const;

/** A black PNG with red, green and blue of 16 bits each, and in seven passes. */
export function deepInterlacedPng(width: number, height: number): Buffer {
  const rows = PASSES.map(([left, across, top, down]) => {
    const columns = Math.ceil((width - left) / across);
    return columns > 0 ? Math.ceil((height - top) / down) * (1 + columns * 6) : 0;
  });
  const header = pngHeader(width, height);
  header.set([16, 2, 0, 0, 1], 8);
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(rows.reduce((sum, bytes) => sum + bytes, 0)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function rowBytes(width: number): number {
  return 1 + Math.ceil(width / 8);
}

function pngOf(width: number, height: number, rows: Buffer): Buffer {
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', pngHeader(width, height)),
    pngChunk('PLTE', Buffer.from([200, 30, 30, 0, 0, 0])),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const [bitDepth, palette] = [1, 3];
  header.set([bitDepth, palette, 0, 0, 0], 8);
  return header;
}

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

export function dataUrl(png: Buffer): string {
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** A JPEG whose metadata turn it: 6 is a quarter clockwise (Exif 2.32 §4.6.4). */
export function turnedJpeg(jpeg: Buffer, orientation: number): Buffer {
  const exif = Buffer.from(
    'ffe1002245786966000049492a0008000000010012010300010000000600000000000000',
    'hex',
  );
  exif.writeUInt16LE(orientation, 28);
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}

/** A JPEG that contains a smaller one, as photos of cameras do (Exif 2.32 §4.5.5). */
export function jpegWithPreview(jpeg: Buffer, preview: Buffer, orientation = 1): Buffer {
  const tiff = Buffer.alloc(68);
  tiff.write('MM\0*', 'latin1');
  tiff.writeUInt32BE(8, 4);
  // The directory of the photo, which names that of the preview.
  tiff.writeUInt16BE(1, 8);
  writeTag(tiff, 10, { tag: 0x0112, type: 3, value: orientation << 16 });
  tiff.writeUInt32BE(26, 22);
  tiff.writeUInt16BE(3, 26);
  writeTag(tiff, 28, { tag: 0x0103, type: 3, value: 6 << 16 });
  writeTag(tiff, 40, { tag: 0x0201, type: 4, value: tiff.length });
  writeTag(tiff, 52, { tag: 0x0202, type: 4, value: preview.length });
  const content = Buffer.concat([Buffer.from('Exif\0\0'), tiff, preview]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}

function writeTag(
  tiff: Buffer,
  at: number,
  { tag, type, value }: { readonly tag: number; readonly type: number; readonly value: number },
): void {
  tiff.writeUInt16BE(tag, at);
  tiff.writeUInt16BE(type, at + 2);
  tiff.writeUInt32BE(1, at + 4);
  tiff.writeUInt32BE(value, at + 8);
}
