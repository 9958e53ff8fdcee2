import { existsSync } from 'node:fs';
import { open, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { OVERLAP_BYTES } from '../../../../src/engine/downloads/range-response.ts';
import type { PartRecord } from '../../../../src/engine/downloads/part-record.ts';
import type { Progress } from '../../../../src/engine/downloads/progress.ts';
import { DownloadRig } from '../../../rigs/download-rig.ts';
import { cut } from '../../../rigs/fault-server.ts';
import type { WireReply, WireRequest } from '../../../rigs/fault-server.ts';
import { seededBytes, seededVideo } from '../../../rigs/seeded-video.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
/** Where the earlier run was stopped: beyond the range of 32 bits. */
const FETCHED = 4 * GIB + 12_345;

/** A video of `FETCHED` bytes, mostly zeros that take no disk space, and a tail. */
function largeFilm() {
  const small = seededVideo(1, 4096).bytes;
  const media = small.indexOf('mdat') - 4;
  const tail = seededBytes(2, 2 * MIB + 777);
  const head = Buffer.concat([
    small.subarray(0, media),
    Buffer.from('\0\0\0\x01mdat'),
    Buffer.alloc(8),
  ]);
  const total = FETCHED + tail.length;
  head.writeBigUInt64BE(BigInt(total - media), media + 8);
  return { head, tail, total };
}

/** SHA-256 of the file's first `FETCHED` bytes, and of all; computing them takes seconds. */
const SHA256_OF_FETCHED = '077dd37b9970a35bcf582a6354006c9b1c6aa17302807362dfb3cd57aad3ea4c';
const SHA256_OF_ALL = 'ae0525e9ebca8f7f04c0ac5c99f07c8f2488c31bc90809c74589f9caec1a467c';

/** On this file system, holes in a file are not read into the system's cache. */
const MEMORY_DISK = '/dev/shm';

it('a video of more than 4 GiB resumes beyond 32 bits', async () => {
  const { head, tail, total } = largeFilm();
  const parent = existsSync(MEMORY_DISK) ? MEMORY_DISK : tmpdir();
  const script = (request: WireRequest): WireReply => {
    const { from } = request;
    // The server sends zeros up to the tail.
    const body = Buffer.concat([
      Buffer.alloc(Math.max(0, FETCHED - from)),
      tail.subarray(Math.max(0, from - FETCHED)),
    ]);
    const headers = {
      'Content-Range': `bytes ${from}-${total - 1}/${total}`,
      'Content-Length': body.length,
    };
    const reply = { status: 206, headers, body };
    return request.index === 0 ? cut(reply, MIB, 'close') : reply;
  };
  const rig = await DownloadRig.start(script, { parent });
  await writeFile(rig.partPath, head);
  await truncate(rig.partPath, FETCHED);
  const record: PartRecord = {
    version: 1,
    video: null,
    total,
    validator: { etag: null, lastModified: null },
    offset: FETCHED,
    prefixSha256: SHA256_OF_FETCHED,
    isWhole: false,
  };
  await writeFile(`${rig.target}.part.json`, JSON.stringify(record));
  const progress: Progress[] = [];
  const outcome = await rig.download({ onProgress: (each) => progress.push(each) });

  expect(outcome).toEqual({
    kind: 'saved',
    path: rig.target,
    bytes: total,
    sha256: SHA256_OF_ALL,
    durationSeconds: 10,
    refetchedBytes: 2 * OVERLAP_BYTES,
  });
  expect(rig.requests.map(({ from }) => from)).toEqual([
    FETCHED - OVERLAP_BYTES,
    FETCHED - OVERLAP_BYTES + MIB - OVERLAP_BYTES,
  ]);
  expect(progress.at(-1)).toMatchObject({ receivedBytes: total, totalBytes: total });
  expect((await stat(rig.target)).size).toBe(total);
  const file = await open(rig.target);
  const end = await file.read(Buffer.alloc(tail.length), 0, tail.length, FETCHED);
  await file.close();
  expect(end.buffer.equals(tail)).toBe(true);
});
