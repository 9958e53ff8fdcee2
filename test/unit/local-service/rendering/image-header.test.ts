import { createCanvas, loadImage } from '@napi-rs/canvas';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readImageHeader } from '../../../../src/local-service/rendering/image-header.ts';
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
});
