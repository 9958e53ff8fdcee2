import { createCipheriv, createHash } from 'node:crypto';

/** A small but valid MP4: its boxes fit, and one video track points into its media. */
export interface SeededVideo {
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** The same bytes for the same seed and size, everywhere. */
export function seededBytes(seed: number, length: number): Buffer {
  const key = createHash('sha256').update(`seed ${seed}`).digest();
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return stream.update(Buffer.alloc(length));
}

/**
 * A video file of exactly `length` bytes whose media are seeded noise.
 *
 * @param headerLast writes the header after the media, as most encoders do.
 */
export function seededVideo(seed: number, length: number, headerLast = false): SeededVideo {
  const ftyp = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1'));
  const headerLength = header(0).length;
  const media = seededBytes(seed, length - ftyp.length - headerLength - 8);
  const mdat = box('mdat', media);
  const mediaAt = ftyp.length + (headerLast ? 0 : headerLength) + 8;
  const moov = header(mediaAt + Math.floor(media.length / 2));
  const bytes = Buffer.concat(headerLast ? [ftyp, mdat, moov] : [ftyp, moov, mdat]);
  return { bytes, sha256: sha256(bytes) };
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function box(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** A `moov` with one 640×360 track of 10 s, whose second half of samples begins at `lastChunk`. */
function header(lastChunk: number): Buffer {
  const mvhd = Buffer.alloc(100);
  mvhd.writeUInt32BE(1000, 12);
  mvhd.writeUInt32BE(10_000, 16);
  const tkhd = Buffer.alloc(84);
  tkhd.writeUInt16BE(640, 76);
  tkhd.writeUInt16BE(360, 80);
  const hdlr = Buffer.alloc(24);
  hdlr.write('vide', 8, 'latin1');
  const stco = Buffer.alloc(12);
  stco.writeUInt32BE(1, 4);
  stco.writeUInt32BE(lastChunk, 8);
  const track = box(
    'trak',
    box('tkhd', tkhd),
    box('mdia', box('hdlr', hdlr), box('minf', box('stbl', box('stco', stco)))),
  );
  return box('moov', box('mvhd', mvhd), track);
}
