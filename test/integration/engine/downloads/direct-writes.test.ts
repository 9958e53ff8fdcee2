import { mkdtemp, open, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestContext } from 'vitest';
import { DirectWriter } from '../../../../src/engine/downloads/direct-writer.ts';
import { PartFile } from '../../../../src/engine/downloads/part-file.ts';
import { DownloadRig } from '../../../rigs/download-rig.ts';
import { cut, honest } from '../../../rigs/fault-server.ts';
import { seededBytes, seededVideo, sha256 } from '../../../rigs/seeded-video.ts';
import { smallDisk } from '../../../rigs/small-disk.ts';

const MIB = 1024 * 1024;
const EXT4 = 0xef53;
const XFS = 0x58465342;

/** Skips the test unless the temporary folder is on ext4 or XFS, as on most systems. */
async function needsDirectDisk(test: TestContext): Promise<void> {
  const { type } = await statfs(tmpdir());
  if (type !== EXT4 && type !== XFS) test.skip('the temporary folder is on no ext4 or XFS');
}

/** Page-aligned memory; a view of it need not be aligned. */
function alignedBytes(seed: number, length: number): Buffer {
  const memory = Buffer.from(new ArrayBuffer(length, { maxByteLength: length }), 0, length);
  seededBytes(seed, length).copy(memory);
  return memory;
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'spool-direct-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

describe('a download', () => {
  it('bypasses the cache in whole mebibytes, also after a cut at any byte', async (test) => {
    await needsDirectDisk(test);
    const film = seededVideo(3, 7 * MIB + 12_345);
    const version = { bytes: film.bytes, etag: '"film"' };
    const direct = vi.spyOn(DirectWriter.prototype, 'write');
    const rig = await DownloadRig.start((request) => {
      const reply = honest(version, request);
      return request.index === 0 ? cut(reply, 2 * MIB + 777, 'close') : reply;
    });
    expect(await rig.download()).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(direct.mock.calls.map(([, position]) => position / MIB)).toEqual([0, 1, 3, 4, 5, 6]);
    for (const { value } of direct.mock.settledResults)
      expect(value).toMatchObject({ bytesWritten: MIB });
  });
});

describe('a part', () => {
  it('holds what was appended, whether through the cache or directly', async () => {
    const part = await PartFile.open(path.join(folder, 'film.mp4'), null);
    // Unaligned lengths and memory go through the cache, as do later pieces until an aligned
    // position.
    const lengths = [MIB, 2 * MIB, 4095, MIB, 4097 + MIB - 8192, MIB, 100, MIB];
    const bytes = alignedBytes(
      5,
      lengths.reduce((sum, length) => sum + length),
    );
    let at = 0;
    for (const length of lengths) {
      const piece = Buffer.from(alignedBytes(0, length));
      bytes.copy(piece, 0, at);
      await part.append(length % 4096 === 0 ? bytes.subarray(at, at + length) : piece);
      at += length;
      expect(await part.matches(at - 50, bytes.subarray(at - 50, at))).toBe(true);
    }
    expect(part.sha256()).toBe(sha256(bytes));
    await part.close();
    expect(sha256(await readFile(part.path))).toBe(sha256(bytes));
  });

  it('restarts without leftovers of direct writes', async () => {
    const part = await PartFile.open(path.join(folder, 'film.mp4'), null);
    await part.append(alignedBytes(1, 2 * MIB));
    await part.restart(null, { etag: null, lastModified: null });
    await part.append(Buffer.from('new'));
    expect(await readFile(part.path, 'utf8')).toBe('new');
    await part.append(alignedBytes(2, MIB));
    await part.close();
    const whole = Buffer.concat([Buffer.from('new'), seededBytes(2, MIB)]);
    expect((await readFile(part.path)).equals(whole)).toBe(true);
  });
});

describe('direct writing', () => {
  it('requires whole pages of memory at whole pages of the file', async (test) => {
    await needsDirectDisk(test);
    const file = await open(path.join(folder, 'film'), 'w+');
    const writer = await DirectWriter.for(file);
    const bytes = alignedBytes(1, 2 * MIB);
    expect(writer.suits(bytes, 8192)).toBe(true);
    expect(writer.suits(bytes, 8193)).toBe(false);
    expect(writer.suits(bytes.subarray(0, -1), 0)).toBe(false);
    expect(writer.suits(bytes.subarray(100, 100 + MIB), 0)).toBe(false);
    expect(writer.suits(bytes.subarray(0, MIB / 2), 0)).toBe(false);
    await writer.close();
    await file.close();
  });

  it('is abandoned when the disk rejects unaligned memory', async (test) => {
    await needsDirectDisk(test);
    const file = await open(path.join(folder, 'film'), 'w+');
    const writer = await DirectWriter.for(file);
    // Ordinary memory usually begins 16 bytes into a page, but may be aligned by chance.
    const bytes = alignedBytes(1, 2 * MIB).subarray(16, 16 + MIB);
    expect(await writer.write(bytes, 0)).toEqual({ bytesWritten: 0 });
    expect(writer.suits(bytes, 0)).toBe(false);
    await file.close();
  });

  it('writes to the opened file, though another one has its name now', async (test) => {
    await needsDirectDisk(test);
    const name = path.join(folder, 'film');
    const file = await open(name, 'w+');
    await rm(name);
    const other = await open(name, 'w+');
    const writer = await DirectWriter.for(file);
    await writer.write(alignedBytes(1, MIB), 0);
    expect((await file.stat()).size).toBe(MIB);
    expect((await other.stat()).size).toBe(0);
    await writer.close();
    await Promise.all([file.close(), other.close()]);
  });

  it('is not tried on other file systems', async (test) => {
    const disk = await smallDisk(test, 4);
    const file = await open(path.join(disk, 'film'), 'w+');
    const writer = await DirectWriter.for(file);
    expect(writer.suits(alignedBytes(1, MIB), 0)).toBe(false);
    await file.close();
  });
});
