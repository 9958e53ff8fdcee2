import { createCanvas, loadImage } from '@napi-rs/canvas';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hasSizeOf,
  readHeaderOfFile,
  readImageHeader,
} from '../../../../src/local-service/rendering/image-header.ts';
import { blankPng } from '../../../rigs/pictures.ts';

/** Images as real encoders write them. */
function encoded(width: number, height: number) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = 'rgba(200, 30, 30, 0.5)';
  context.fillRect(0, 0, width / 2, height);
  return {
    png: canvas.encodeSync('png'),
    jpeg: canvas.encodeSync('jpeg', 80),
    webp: canvas.encodeSync('webp', 80),
  };
}

/** The header of an extended WebP (RFC 9649 §2.7), without image data. */
function extendedWebp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.write('RIFF', 0, 'latin1');
  bytes.write('WEBPVP8X', 8, 'latin1');
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return bytes;
}

/** A JPEG segment (ITU-T T.81 §B.1.1.4). */
function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** A frame header of one pixel. */
const TINY_FRAME = segment(
  0xc0,
  Buffer.from([8, 0, 1, 0, 1, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]),
);

describe('the header of an image', () => {
  it('has the kind and size that a decoder finds', () => {
    const side = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        for (const [kind, bytes] of Object.entries(encoded(width, height))) {
          expect(readImageHeader(bytes)).toEqual({ kind, width, height });
        }
      }),
      { numRuns: 30 },
    );
    expect(readImageHeader(blankPng(7900, 3))).toEqual({ kind: 'png', width: 7900, height: 3 });
  });

  it('is read from lossless and extended WebP, and from JPEG behind other segments', () => {
    const lossless = Buffer.alloc(30);
    lossless.write('RIFF', 0, 'latin1');
    lossless.write('WEBPVP8L', 8, 'latin1');
    lossless[20] = 0x2f;
    lossless.writeUInt32LE((16_384 - 1) | ((12_000 - 1) << 14), 21);
    expect(readImageHeader(lossless)).toEqual({ kind: 'webp', width: 16_384, height: 12_000 });
    const extended = { kind: 'webp', width: 16_777_216, height: 3 };
    expect(readImageHeader(extendedWebp(16_777_216, 3))).toEqual(extended);

    const { jpeg } = encoded(40, 30);
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(0xfffd)]);
    const behind = [jpeg.subarray(0, 2), comment, Buffer.from([0xff]), comment, jpeg.subarray(2)];
    const found = { kind: 'jpeg', width: 40, height: 30 };
    expect(readImageHeader(Buffer.concat(behind))).toEqual(found);
  });

  // abuse.md 60
  it('is the same in a file, of which little is in memory', async () => {
    const longest = segment(0xe1, Buffer.alloc(0xfffd));
    const short = segment(0xe2, Buffer.alloc(100));
    const camera = (end: Buffer): Buffer =>
      Buffer.concat([
        Buffer.from([0xff, 0xd8]),
        ...Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? short : longest)),
        Buffer.alloc(70_000, 0xff),
        end,
      ]);
    const { png, jpeg, webp } = encoded(40, 30);
    const files = [png, jpeg, webp, camera(jpeg.subarray(2)), camera(TINY_FRAME)];
    const broken = [camera(Buffer.from([0xd9])), camera(Buffer.alloc(0)), jpeg.subarray(0, 3)];
    for (const bytes of [...files, ...broken, Buffer.alloc(0), blankPng(0, 5)]) {
      let most = 0;
      const header = await readHeaderOfFile((position, length) => {
        most = Math.max(most, length);
        return Promise.resolve(bytes.subarray(position, position + length));
      });
      expect(header).toEqual(readImageHeader(bytes));
      expect(header !== undefined).toBe(files.includes(bytes));
      expect(most).toBeLessThan(100_000);
    }
  });

  it('is missing in other files, and in images without pixels', () => {
    const others = [
      '',
      'GIF89a',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      'RIFF....WAVEfmt .................',
    ].map((text) => Buffer.from(text));
    for (const bytes of [...others, blankPng(0, 5)]) {
      expect(readImageHeader(bytes)).toBeUndefined();
    }
  });

  it('agrees with the decoder on every damaged image that still decodes', async () => {
    const images = Object.values(encoded(23, 17));
    const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...images), damage, fc.nat(), async (image, bytes, cut) => {
        const damaged = Buffer.from(image);
        // Most header fields are in the first hundred bytes.
        for (const [at, value] of bytes) damaged[at % Math.min(100, damaged.length)] = value;
        const short = cut % 3 === 0 ? damaged.subarray(0, cut % damaged.length) : damaged;
        const header = readImageHeader(short);
        // The service decodes no image that is huge by its header.
        if (header && header.width * header.height > 1_000_000) return;
        const decoded = await loadImage(short).catch(() => undefined);
        if (!decoded || decoded.width === 0) return;
        if (header) {
          expect([decoded.width, decoded.height]).toEqual([header.width, header.height]);
        }
      }),
      { numRuns: 300 },
    );
  });

  // abuse.md 39
  it.each([0x00, 0x01, 0x02, 0xbf, 0xd0, 0xd8, 0xd9, 0xda, 0xf0])(
    'is missing in a JPEG with FF %i before its frame header, where decoders skip what the reader does not',
    async (marker) => {
      const { jpeg } = encoded(40, 30);
      // Read as a segment, FF 00 would end where the comment contains another frame header.
      const comment = segment(0xfe, Buffer.concat([Buffer.alloc(100), TINY_FRAME]));
      const skipped = Buffer.from([0xff, marker, 0, 106]);
      const hidden = Buffer.concat([jpeg.subarray(0, 2), skipped, comment, jpeg.subarray(2)]);
      expect(readImageHeader(hidden)).toBeUndefined();
      if (marker === 0) expect(await loadImage(hidden)).toMatchObject({ width: 40, height: 30 });
    },
  );

  it('agrees with the decoder whatever precedes the frame header of a JPEG', async () => {
    const bytes = fc.uint8Array({ maxLength: 3 }).map((array) => Buffer.from(array));
    const any = fc.integer({ min: 0, max: 255 });
    const marker = fc.oneof(fc.constantFrom(0x00, 0x01, 0xd0), any);
    const frames = fc.nat({ max: 4 }).map((count) => Array<Buffer>(count).fill(TINY_FRAME));
    const piece = fc.oneof(
      bytes,
      marker.map((code) => Buffer.from([0xff, code])),
      fc.tuple(marker, fc.nat({ max: 60 })).map((head) => Buffer.from([0xff, head[0], 0, head[1]])),
      frames.map((inside) => segment(0xfe, Buffer.concat(inside))),
    );
    const { jpeg } = encoded(23, 17);
    let both = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 4 }), async (pieces) => {
        const image = Buffer.concat([jpeg.subarray(0, 2), ...pieces, jpeg.subarray(2)]);
        const header = readImageHeader(image);
        const decoded = await loadImage(image).catch(() => undefined);
        if (!header || !decoded) return;
        both += 1;
        expect([decoded.width, decoded.height]).toEqual([header.width, header.height]);
      }),
      { numRuns: 5000 },
    );
    expect(both).toBeGreaterThan(50);
  });

  it('states the decoded size, also of an image that its metadata turns', () => {
    const header = { kind: 'jpeg', width: 40, height: 30 } as const;
    expect(hasSizeOf(header, { width: 40, height: 30 })).toBe(true);
    expect(hasSizeOf(header, { width: 30, height: 40 })).toBe(true);
    expect(hasSizeOf(header, { width: 40, height: 40 })).toBe(false);
    expect(hasSizeOf(header, { width: 30, height: 30 })).toBe(false);
    expect(hasSizeOf(undefined, { width: 40, height: 30 })).toBe(false);
  });
});
