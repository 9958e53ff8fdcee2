import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import fc from 'fast-check';
import { expect } from 'vitest';
import { BoxError, type ReadAt } from '../../../src/engine/downloads/mp4-boxes.ts';
import { inspectMp4 } from '../../../src/engine/downloads/mp4.ts';
import { sampleTablesFit } from '../../../src/engine/downloads/sample-tables.ts';
import { imageIssue, MAX_IMAGE_PIXELS } from '../../../src/local-service/rendering/image-limits.ts';
import { readImageHeader } from '../../../src/local-service/rendering/image-header.ts';
import { film, HOSTILE_VIDEOS } from '../../rigs/hostile-videos.ts';
import { blankPng } from '../../rigs/pictures.ts';
import { box, seededVideo } from '../../rigs/seeded-video.ts';
import { fuzz } from './fuzz.ts';
import type { Mutation } from './mutations.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'spool-fuzz-'));
const encoded = readFileSync(await film(folder, 64, 48));
rmSync(folder, { recursive: true });
const videos = [
  seededVideo(1, 4096).bytes,
  seededVideo(2, 3000, true).bytes,
  encoded,
  ...Object.values(HOSTILE_VIDEOS).map((make) => make(encoded)),
];

const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'udta', 'moof', 'traf'];
const TYPES = [
  ...CONTAINERS,
  'ftyp',
  'styp',
  'mdat',
  'free',
  'skip',
  'wide',
  'mvhd',
  'tkhd',
  'hdlr',
  'vide',
  'soun',
  'stsd',
  'stts',
  'ctts',
  'stsc',
  'stss',
  'stsz',
  'stco',
  'co64',
  'avc1',
  'avcC',
  'uuid',
];

/** The offsets of boxes of these types, wherever their type codes occur. */
function boxesIn(bytes: Buffer): number[] {
  return TYPES.flatMap((type) => {
    const at = bytes.indexOf(type, 0, 'latin1');
    return at >= 4 ? [at - 4] : [];
  });
}

/** Changes one box and leaves the rest. */
function onBox(pick: number, change: (box: Buffer, all: Buffer, at: number) => Buffer[]): Mutation {
  return (bytes) => {
    const boxes = boxesIn(bytes);
    const at = boxes[pick % Math.max(1, boxes.length)];
    if (at === undefined) return bytes;
    const end = Math.min(bytes.length, at + Math.max(8, bytes.readUInt32BE(at)));
    const changed = change(bytes.subarray(at, end), bytes, at);
    return Buffer.concat([bytes.subarray(0, at), ...changed, bytes.subarray(end)]);
  };
}

const pick = fc.nat(1000);
const ofBoxes: fc.Arbitrary<Mutation>[] = [
  pick.map((at) => onBox(at, (one) => [one, one])),
  pick.map((at) => onBox(at, () => [])),
  fc
    .tuple(pick, fc.integer({ min: 1, max: 2000 }), fc.constantFrom(...CONTAINERS))
    .map(([at, depth, type]) =>
      onBox(at, (one) => {
        let nested = one;
        for (let level = 0; level < depth && nested.length < 32_000; level += 1)
          nested = box(type, nested);
        return [nested];
      }),
    ),
  fc
    .tuple(pick, fc.constantFrom(...TYPES))
    .map(([at, type]) =>
      onBox(at, (one) => [one.subarray(0, 4), Buffer.from(type), one.subarray(8)]),
    ),
  // A size of 64 bits, of the whole rest, or a wrong one.
  fc.tuple(pick, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })).map(([at, size]) =>
    onBox(at, (one) => {
      const head = Buffer.alloc(16);
      head.writeUInt32BE(1);
      one.copy(head, 4, 4, 8);
      head.writeBigUInt64BE(size, 8);
      return [head, one.subarray(8)];
    }),
  ),
  fc.tuple(pick, fc.integer({ min: 0, max: 64 })).map(([at, size]) =>
    onBox(at, (one) => {
      const copy = Buffer.from(one);
      copy.writeUInt32BE(size);
      return [copy];
    }),
  ),
  pick.map((at) =>
    onBox(at, (one, all, position) => [one, all.subarray(0, Math.min(position, 4096))]),
  ),
];

/** Reads as from a disk, and counts the bytes. */
function countingReader(bytes: Buffer): { read: ReadAt; total: () => number } {
  let total = 0;
  return {
    read(position, length) {
      const piece = bytes.subarray(position, position + length);
      total += piece.length;
      return Promise.resolve(piece);
    },
    total: () => total,
  };
}

const video = { seeds: videos, tokens: TYPES, mutations: ofBoxes };

fuzz('inspectMp4', {
  ...video,
  async parse(bytes) {
    const { read, total } = countingReader(bytes);
    return { report: await inspectMp4(read, bytes.length), read: total() };
  },
  check({ report, read }, bytes) {
    // A window is read again if the reader goes back to it, which it does for a few fields only.
    expect(read).toBeLessThan(16 * bytes.length + 64 * 1024);
    if (report.kind !== 'whole') return;
    const { durationSeconds } = report;
    expect(durationSeconds === null || durationSeconds > 0).toBe(true);
    expect(durationSeconds ?? 1).toBeLessThan(Infinity);
    expect(bytes.includes('moov') && bytes.includes('mdat')).toBe(true);
  },
});

fuzz('sampleTablesFit', {
  ...video,
  throws: [BoxError],
  parse: (bytes) => sampleTablesFit(countingReader(bytes).read, bytes.length),
});

const canvas = createCanvas(23, 17);
canvas.getContext('2d').fillRect(3, 3, 9, 9);

fuzz('readImageHeader', {
  seeds: [
    canvas.encodeSync('png'),
    canvas.encodeSync('jpeg', 80),
    canvas.encodeSync('webp', 80),
    blankPng(7900, 3),
  ],
  tokens: [
    '\x89PNG\r\n\x1a\n',
    'IHDR',
    'RIFF',
    'WEBPVP8 ',
    'WEBPVP8L',
    'WEBPVP8X',
    ...[0xffd8, 0xffc0, 0xffc2, 0xffc4, 0xffff, 0xffda, 0xff01].map((marker) => {
      const bytes = Buffer.alloc(2);
      bytes.writeUInt16BE(marker);
      return bytes;
    }),
  ].map((token) => (typeof token === 'string' ? Buffer.from(token, 'latin1') : token)),
  parse: readImageHeader,
  check(header, bytes) {
    if (header === undefined) return;
    const { kind, width, height } = header;
    expect(['png', 'jpeg', 'webp']).toContain(kind);
    for (const side of [width, height]) {
      expect(Number.isSafeInteger(side) && side > 0).toBe(true);
    }
    expect(imageIssue(header) === undefined).toBe(width * height <= MAX_IMAGE_PIXELS);
    expect(bytes.length).toBeGreaterThan(10);
  },
});
