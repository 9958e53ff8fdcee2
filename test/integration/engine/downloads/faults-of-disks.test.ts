import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir, uptime } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OVERLAP_BYTES } from '../../../../src/engine/downloads/range-response.ts';
import { PartFile } from '../../../../src/engine/downloads/part-file.ts';
import { readRecord } from '../../../../src/engine/downloads/part-record.ts';
import { moveIntoPlace, TargetExistsError } from '../../../../src/engine/downloads/place.ts';
import { DownloadRig } from '../../../rigs/download-rig.ts';
import { chunked, cut, honest, withHeaders } from '../../../rigs/fault-server.ts';
import type { WireReply, WireRequest } from '../../../rigs/fault-server.ts';
import { seededVideo } from '../../../rigs/seeded-video.ts';
import { fillDisk, freeBytes, smallDisk } from '../../../rigs/small-disk.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const run = promisify(execFile);
const MIB = 1024 * 1024;
const film = seededVideo(1, 2 * MIB + 12_345);
const other = seededVideo(2, 2 * MIB + 12_345);
const a = { bytes: film.bytes, etag: '"a"' };
const honestly = (request: WireRequest): WireReply => honest(a, request);
const never = new AbortController().signal;

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'spool-place-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

describe('a full disk', () => {
  it('is noticed before the first byte when the size is known', async (context) => {
    const disk = await smallDisk(context, 1);
    const rig = await DownloadRig.start(honestly, { parent: disk });
    const outcome = await rig.download();
    expect(outcome).toMatchObject({ kind: 'waiting', reason: 'no-space', until: null });
    const { neededBytes } = outcome as { neededBytes: number };
    expect(neededBytes).toBeGreaterThan(MIB);
    expect(await rig.partSize()).toBe(0);
  });

  it('pauses the transfer, part intact, and the same request resumes once there is space (fault 28)', async (context) => {
    const disk = await smallDisk(context, 24);
    let release: () => void = () => undefined;
    // Without a length, the lack of space shows only during the transfer.
    const rig: DownloadRig = await DownloadRig.start(
      (request) =>
        request.index > 0
          ? honestly(request)
          : {
              status: 200,
              headers: { 'Transfer-Encoding': 'chunked', ETag: '"a"' },
              body: chunked(film.bytes.subarray(0, MIB), false),
              hold: async () => {
                await rig.untilPartHolds(MIB);
                release = fillDisk(disk);
              },
              rest: chunked(film.bytes.subarray(MIB), true),
            },
      { parent: disk },
    );
    expect(await rig.download()).toMatchObject({ kind: 'waiting', reason: 'no-space' });
    await expect(stat(rig.target)).rejects.toThrow('ENOENT');
    const record = await readRecord(rig.target);
    expect(record?.offset ?? 0).toBeLessThanOrEqual(await rig.partSize());

    expect(await rig.download()).toMatchObject({ kind: 'waiting', reason: 'no-space' });
    release();
    expect(await rig.download()).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
  });

  it('has space for a new version where the part of the former one leaves it', async (context) => {
    const disk = await smallDisk(context, 8);
    const rig = await DownloadRig.start(
      (request) => honest({ bytes: film.bytes, etag: '"b"' }, request),
      { parent: disk },
    );
    const former = other.bytes.subarray(0, 1.5 * MIB);
    await rig.plant(former, { total: film.bytes.length, etag: '"a"' });
    fillDisk(disk, MIB);
    expect(await rig.download()).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
  });

  // abuse.md 50
  it('caused by another program ends a transfer of known size before the reserve is used up', async (context) => {
    const disk = await smallDisk(context, 64);
    const large = seededVideo(3, 24 * MIB);
    const rig: DownloadRig = await DownloadRig.start(
      (request) => {
        const reply = honest({ bytes: large.bytes, etag: '"a"' }, request);
        if (request.index > 0) return reply;
        return {
          ...cut(reply, MIB, 'close'),
          hold: async () => {
            await rig.untilPartHolds(MIB);
            fillDisk(disk, 20 * MIB);
          },
          rest: large.bytes.subarray(MIB),
        };
      },
      { parent: disk, keepFree: 16 * MIB },
    );
    const neededBytes = expect.any(Number) as number;
    expect(await rig.download()).toMatchObject({ reason: 'no-space', neededBytes });
    expect(freeBytes(disk)).toBeGreaterThanOrEqual(12 * MIB);
  });

  // abuse.md 50
  it('is not caused by an endless response', async () => {
    const endless = { 'Transfer-Encoding': 'chunked' };
    const rig = await DownloadRig.start(
      () => ({ status: 200, headers: endless, body: chunked(film.bytes, false), then: 'silent' }),
      { maxUnstatedBytes: MIB },
    );
    expect(await rig.download()).toMatchObject({
      kind: 'failed',
      code: 'unusable-answer',
      message: expect.stringContaining('did not stop') as string,
    });
    expect(await rig.partSize()).toBe(0);
  });

  it('midway keeps every recorded byte (fault 28)', async (context) => {
    const disk = await smallDisk(context, 3);
    const filler = path.join(disk, 'filler');
    const rig: DownloadRig = await DownloadRig.start(
      (request) =>
        request.index === 0
          ? {
              ...cut(honestly(request), MIB, 'close'),
              hold: async () => {
                await rig.untilPartHolds(MIB);
                await writeFile(filler, Buffer.alloc(1.5 * MIB));
              },
            }
          : honestly(request),
      { parent: disk },
    );
    expect(await rig.download()).toMatchObject({ kind: 'waiting', reason: 'no-space' });
    expect(await readRecord(rig.target)).toMatchObject({ offset: MIB });
    await rm(filler);
    expect(await rig.download()).toMatchObject({ kind: 'saved', refetchedBytes: OVERLAP_BYTES });
    expect(await rig.savedSha256()).toBe(film.sha256);
  });
});

describe('moving a file into place', () => {
  it('across volumes copies, syncs and renames, and leaves nothing behind (fault 29)', async (context) => {
    const disk = await smallDisk(context, 4);
    const home = await folder();
    const from = path.join(disk, 'film.part');
    for (const replace of [false, true]) {
      await writeFile(from, film.bytes);
      const target = path.join(home, 'film.mp4');
      await moveIntoPlace(from, target, replace, new VirtualClock(), never);
      expect((await readFile(target)).equals(film.bytes)).toBe(true);
      expect(await readdir(home)).toEqual(['film.mp4']);
      expect(await readdir(disk)).toEqual([]);
    }
    await writeFile(from, 'another');
    const onto = moveIntoPlace(from, path.join(home, 'film.mp4'), false, new VirtualClock(), never);
    await expect(onto).rejects.toThrow(TargetExistsError);
    expect((await readFile(path.join(home, 'film.mp4'))).equals(film.bytes)).toBe(true);
    expect(await readdir(home)).toEqual(['film.mp4']);
  });

  it('across volumes leaves no copy on a disk without space for it', async (context) => {
    const disk = await smallDisk(context, 1);
    const home = await folder();
    const from = path.join(home, 'film.part');
    await writeFile(from, film.bytes);
    const target = path.join(disk, 'film.mp4');
    const moved = moveIntoPlace(from, target, false, new VirtualClock(), never);
    await expect(moved).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readdir(disk)).toEqual([]);
    expect((await readFile(from)).equals(film.bytes)).toBe(true);
  });

  it('across volumes gives the name to one of two files, and keeps the other', async (context) => {
    const disk = await smallDisk(context, 8);
    const home = await folder();
    const parts = [path.join(disk, 'one.part'), path.join(disk, 'two.part')];
    for (const [index, part] of parts.entries()) {
      await writeFile(part, index === 0 ? film.bytes : other.bytes);
    }
    const target = path.join(home, 'film.mp4');
    const moves = parts.map((part) =>
      moveIntoPlace(part, target, false, new VirtualClock(), never),
    );
    const results = await Promise.allSettled(moves);

    const lost = results.find((result) => result.status === 'rejected');
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(lost?.reason).toBeInstanceOf(TargetExistsError);
    const moved = results[0]?.status === 'fulfilled' ? film : other;
    expect((await readFile(target)).equals(moved.bytes)).toBe(true);
    expect(await readdir(home)).toEqual(['film.mp4']);
    expect(await readdir(disk)).toEqual([moved === film ? 'two.part' : 'one.part']);
  });

  /** Makes a file immovable even for root, as a virus scanner would; returns why it cannot. */
  async function lock(file: string): Promise<string | undefined> {
    return run('chattr', ['+i', file]).then(
      () => undefined,
      () => 'this file system or user cannot make a file immutable',
    );
  }

  it('across volumes leaves no second file if the first one cannot be removed', async (context) => {
    const disk = await smallDisk(context, 4);
    const home = await folder();
    const from = path.join(home, 'film.mp4');
    await writeFile(from, film.bytes);
    const why = await lock(from);
    context.skip(why !== undefined, why);
    onTestFinished(async () => void (await run('chattr', ['-i', from])));

    const clock = new VirtualClock();
    const moved = moveIntoPlace(from, path.join(disk, 'film.mp4'), false, clock, never, 0);
    await expect(moved).rejects.toMatchObject({ code: 'EPERM' });

    expect(await readdir(disk)).toEqual([]);
    expect((await readFile(from)).equals(film.bytes)).toBe(true);
  });

  /** Advances from timer to timer until `done`. */
  async function advanceUntil(clock: VirtualClock, done: () => boolean): Promise<void> {
    while (!done()) {
      if (clock.sleeping > 0) await clock.advance(clock.nextDueIn ?? 0);
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Moves in virtual time until that fails. */
  async function failedMove(from: string, target: string) {
    const clock = new VirtualClock();
    let error: unknown;
    void moveIntoPlace(from, target, false, clock, never).catch(
      (reason: unknown) => (error = reason),
    );
    await advanceUntil(clock, () => error !== undefined);
    return { error, clock };
  }

  it('is retried while the file is locked (fault 30)', async (context) => {
    const home = await folder();
    const from = path.join(home, 'film.part');
    const target = path.join(home, 'film.mp4');
    await writeFile(from, film.bytes);
    const refused = await lock(from);
    if (refused !== undefined) return context.skip(refused);
    const clock = new VirtualClock();
    const moving = moveIntoPlace(from, target, false, clock, never);
    await advanceUntil(clock, () => clock.monotonic() >= 55_000 && clock.sleeping > 0);
    expect(await readdir(home)).toEqual(['film.part']);
    await run('chattr', ['-i', from]);
    await clock.advance(500);
    await moving;
    expect((await readFile(target)).equals(film.bytes)).toBe(true);
    expect(await readdir(home)).toEqual(['film.mp4']);
  });

  it('fails after 60 seconds, and nothing is lost (fault 30)', async (context) => {
    const home = await folder();
    const from = path.join(home, 'film.part');
    await writeFile(from, film.bytes);
    const refused = await lock(from);
    if (refused !== undefined) return context.skip(refused);
    const { error, clock } = await failedMove(from, path.join(home, 'film.mp4'));
    await run('chattr', ['-i', from]);
    expect(error).toMatchObject({ code: 'EPERM' });
    expect(clock.monotonic()).toBe(60_000);
    expect(await readdir(home)).toEqual(['film.part']);
  });

  it('leaves no second name when the old one cannot be removed', async (context) => {
    const [home, closed] = [await folder(), await folder()];
    const from = path.join(closed, 'film.part');
    await writeFile(from, film.bytes);
    const refused = await lock(closed);
    if (refused !== undefined) return context.skip(refused);
    const { error } = await failedMove(from, path.join(home, 'film.mp4'));
    await run('chattr', ['-i', closed]);
    expect(error).toMatchObject({ code: 'EPERM' });
    expect(await readdir(closed)).toEqual(['film.part']);
    expect(await readdir(home)).toEqual([]);
  });

  it.each(['file', 'link', 'dangling link', 'folder'])(
    'fails at once when the target is a %s, and leaves it unchanged (fault 30)',
    async (kind) => {
      const home = await folder();
      const from = path.join(home, 'film.part');
      const target = path.join(home, 'film.mp4');
      const precious = path.join(home, 'precious');
      await writeFile(from, film.bytes);
      await writeFile(precious, 'mine');
      if (kind === 'file') await writeFile(target, 'mine');
      else if (kind === 'folder') await mkdir(target);
      else await symlink(kind === 'link' ? precious : path.join(home, 'nowhere'), target);
      const clock = new VirtualClock();
      await expect(moveIntoPlace(from, target, false, clock, never)).rejects.toThrow(
        TargetExistsError,
      );
      expect(clock.monotonic()).toBe(0);
      expect(await readFile(precious, 'utf8')).toBe('mine');
      expect((await readdir(home)).includes('nowhere')).toBe(false);
      expect((await readFile(from)).equals(film.bytes)).toBe(true);
    },
  );
});

describe('an existing target', () => {
  it('found before the first byte is numbered, skipped or replaced as the batch says', async () => {
    const rig = await DownloadRig.start(honestly);
    await writeFile(rig.target, 'mine');
    expect(await rig.download({ onCollision: 'skip' })).toEqual({
      kind: 'skipped',
      path: rig.target,
    });
    expect(rig.requests).toHaveLength(0);

    const numbered = rig.target.replace('film.mp4', 'film (2).mp4');
    expect(await rig.download({ onCollision: 'number' })).toMatchObject({ path: numbered });
    expect((await readFile(numbered)).equals(film.bytes)).toBe(true);
    expect(await readFile(rig.target, 'utf8')).toBe('mine');

    expect(await rig.download({ onCollision: 'replace' })).toMatchObject({ path: rig.target });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect((await readdir(path.dirname(rig.target))).sort()).toEqual(['film (2).mp4', 'film.mp4']);
  });

  it('created during the transfer is not overwritten either', async () => {
    const rig: DownloadRig = await DownloadRig.start((request) => {
      writeFileSync(rig.target, 'mine');
      return honestly(request);
    });
    const outcome = await rig.download({ onCollision: 'number' });
    expect(outcome).toMatchObject({ path: rig.target.replace('film.mp4', 'film (2).mp4') });
    expect(await readFile(rig.target, 'utf8')).toBe('mine');

    await rm(rig.target);
    expect(await rig.download({ onCollision: 'skip' })).toMatchObject({ kind: 'skipped' });
    expect(await readFile(rig.target, 'utf8')).toBe('mine');
    expect((await readdir(path.dirname(rig.target))).sort()).toEqual(['film (2).mp4', 'film.mp4']);
  });

  it('created during the transfer does not lead to a name that another download will have', async () => {
    const half = Promise.withResolvers<undefined>();
    const rig: DownloadRig = await DownloadRig.start((request) => {
      if (request.index === 1) return honest({ bytes: other.bytes, etag: '"b"' }, request);
      return { ...cut(honestly(request), MIB, 'close'), hold: () => half.promise };
    });
    const numbered = rig.target.replace('film.mp4', 'film (2).mp4');
    const first = rig.download({ target: numbered, onCollision: 'replace' });
    await expect.poll(() => rig.requests.length).toBe(1);
    const onEvent = (): void => writeFileSync(rig.target, 'mine');
    const second = await rig.download({ onEvent });
    half.resolve(undefined);

    expect(await first).toMatchObject({ kind: 'saved', path: numbered, sha256: film.sha256 });
    const third = rig.target.replace('film.mp4', 'film (3).mp4');
    expect(second).toMatchObject({ kind: 'saved', path: third, sha256: other.sha256 });
    expect((await readFile(third)).equals(other.bytes)).toBe(true);
    expect((await readdir(path.dirname(rig.target))).sort()).toEqual([
      'film (2).mp4',
      'film (3).mp4',
      'film.mp4',
    ]);
  });

  it('that is empty is kept, also beside an unfinished part', async () => {
    const rig = await DownloadRig.start(honestly);
    await rig.plant(film.bytes.subarray(0, MIB), { total: film.bytes.length, etag: '"a"' });
    await writeFile(rig.target, '');
    const outcome = await rig.download({ onCollision: 'number' });
    expect(outcome).toMatchObject({ path: rig.target.replace('film.mp4', 'film (2).mp4') });
    expect(await readFile(rig.target, 'utf8')).toBe('');
  });

  // abuse.md 8
  it('that is a symbolic link is never followed, not even to replace it', async () => {
    const rig = await DownloadRig.start(honestly);
    const precious = path.join(path.dirname(rig.target), 'precious');
    await writeFile(precious, 'mine');
    await symlink(precious, rig.target);
    await symlink(precious, rig.partPath);
    expect(await rig.download({ onCollision: 'replace' })).toMatchObject({ kind: 'saved' });
    expect(await readFile(precious, 'utf8')).toBe('mine');
    expect(await rig.savedSha256()).toBe(film.sha256);
  });
});

describe('two downloads to one target at the same time', () => {
  /** Starts a second download to the same path while the first one has half its file. */
  async function twoAtOnce(onCollision: 'number' | 'skip') {
    const half = Promise.withResolvers<undefined>();
    const rig: DownloadRig = await DownloadRig.start((request) =>
      request.index === 0
        ? { ...cut(honestly(request), MIB, 'close'), hold: () => half.promise }
        : honestly(request),
    );
    const first = rig.download({ onCollision });
    await rig.untilPartHolds(MIB);
    const second = await rig.download({ onCollision });
    half.resolve(undefined);
    return { rig, first: await first, second };
  }

  it('get a name each, and never truncate each other’s part', async () => {
    const { rig, first, second } = await twoAtOnce('number');
    expect(first).toMatchObject({ kind: 'saved', path: rig.target, sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    const numbered = rig.target.replace('.mp4', ' (2).mp4');
    expect(second).toMatchObject({ kind: 'saved', path: numbered, sha256: film.sha256 });
    expect((await readdir(path.dirname(rig.target))).sort()).toEqual(['film (2).mp4', 'film.mp4']);
  });

  it('fail when no other name may be used', async () => {
    const { rig, first, second } = await twoAtOnce('skip');
    expect(second).toMatchObject({ kind: 'failed', code: 'target-busy' });
    expect(first).toMatchObject({ kind: 'saved', path: rig.target });
  });

  it.each([
    ['a process that is gone', '999999999 1'],
    ['an earlier process with this process ID', `${process.pid} 1`],
    ['no process, as its write was interrupted', ''],
    ['this process, which could not remove it', `${process.pid} ${performance.timeOrigin} 1000`],
  ])('are not assumed because of a lock of %s', async (_, owner) => {
    const rig = await DownloadRig.start(honestly);
    await writeFile(`${rig.target}.part.lock`, owner);
    expect(await rig.download()).toMatchObject({ kind: 'saved', path: rig.target });
    expect(await readdir(path.dirname(rig.target))).toEqual(['film.mp4']);
  });

  it('are not assumed because of a lock from before the computer started', async () => {
    const rig = await DownloadRig.start(honestly);
    const before = new Date(rig.clock.now() - (uptime() + 60) * 1000);
    await writeFile(`${rig.target}.part.lock`, `${process.ppid} 1`);
    await utimes(`${rig.target}.part.lock`, before, before);
    expect(await rig.download()).toMatchObject({ kind: 'saved', path: rig.target });
  });

  it('that begin at the same moment get a name each', async () => {
    const rig = await DownloadRig.start(honestly);
    const saved = await Promise.all([rig.download(), rig.download(), rig.download()]);
    expect(new Set(saved.map((outcome) => 'path' in outcome && outcome.path)).size).toBe(3);
    for (const outcome of saved) {
      expect(outcome).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    }
  });

  it('are noticed across processes', async () => {
    const rig = await DownloadRig.start(honestly);
    const now = new Date(rig.clock.now() + 1e9);
    await writeFile(`${rig.target}.part.lock`, `${process.ppid} 1`);
    await utimes(`${rig.target}.part.lock`, now, now);
    expect(await rig.download({ onCollision: 'skip' })).toMatchObject({ code: 'target-busy' });
  });

  it('are noticed across processes of other users, which cannot be signalled', async () => {
    const rig = await DownloadRig.start(honestly);
    const now = new Date(rig.clock.now() + 1e9);
    await writeFile(`${rig.target}.part.lock`, `${process.ppid} 1`);
    await utimes(`${rig.target}.part.lock`, now, now);
    const refused = Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    using _kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw refused;
    });
    expect(await rig.download({ onCollision: 'skip' })).toMatchObject({ code: 'target-busy' });
  });
});

describe('a part of an earlier run (fault 32)', () => {
  it.each([
    ['deleted', (part: string) => rm(part)],
    ['shortened', (part: string) => writeFile(part, film.bytes.subarray(0, 1000))],
    [
      'edited in one byte',
      (part: string) => {
        const edited = Buffer.from(film.bytes.subarray(0, MIB));
        edited[777] = edited[777]! ^ 1;
        return writeFile(part, edited);
      },
    ],
    ['stripped of its record', (part: string) => rm(`${part}.json`)],
    ['given a record that is no JSON', (part: string) => writeFile(`${part}.json`, '{"version":1')],
    [
      'given a record that promises too much',
      (part: string) =>
        writeFile(
          `${part}.json`,
          JSON.stringify({
            version: 1,
            total: film.bytes.length,
            validator: { etag: '"a"', lastModified: null },
            offset: film.bytes.length,
            prefixSha256: film.sha256,
            isWhole: false,
          }),
        ),
    ],
  ])('starts over after being %s between two runs', async (_name, spoil) => {
    const rig = await DownloadRig.start(honestly);
    await rig.plant(film.bytes.subarray(0, MIB), { total: film.bytes.length, etag: '"a"' });
    await spoil(rig.partPath);
    expect(await rig.download()).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.requests.map(({ from }) => from)).toEqual([0]);
  });

  it.each([
    ['deleted', (part: string) => rmSync(part)],
    ['replaced', (part: string) => writeFileSync(part, other.bytes)],
    ['edited', (part: string) => writeFileSync(part, Buffer.alloc(MIB, 7))],
  ])('starts over after being %s during a run', async (_name, spoil) => {
    const rig = await DownloadRig.start((request) =>
      request.index === 0 ? cut(honestly(request), MIB, 'close') : honestly(request),
    );
    const outcome = await rig.download({
      onEvent: (event) => {
        if (event.kind === 'retrying') spoil(rig.partPath);
      },
    });
    expect(outcome).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.requests.map(({ from }) => from)).toEqual([0, 0]);
  });

  it.each([
    ['deleted', (part: string) => rmSync(part)],
    ['replaced by another video', (part: string) => writeFileSync(part, other.bytes)],
  ])('starts over after being %s while it was verified', async (_name, spoil) => {
    const rig = await DownloadRig.start(honestly);
    let isSpoiled = false;
    const outcome = await rig.download({
      onEvent: (event) => {
        if (event.kind !== 'verifying' || isSpoiled) return;
        isSpoiled = true;
        spoil(rig.partPath);
      },
    });
    expect(outcome).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.requests.map(({ from }) => from)).toEqual([0, 0]);
  });

  it('replaces the empty file that reserved its name when the run was killed', async () => {
    const rig = await DownloadRig.start(honestly);
    await rig.plant(film.bytes, { total: film.bytes.length, etag: '"a"' });
    const part = await PartFile.open(rig.target, null);
    await part.seal();
    await part.close();
    await writeFile(rig.target, '');
    expect(await rig.download()).toMatchObject({ kind: 'saved', path: rig.target });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.requests).toHaveLength(0);
  });

  it('that is complete is moved into place without a request', async () => {
    const rig = await DownloadRig.start(honestly);
    await rig.plant(film.bytes, { total: film.bytes.length, etag: '"a"' });
    expect(await rig.download()).toMatchObject({ kind: 'saved', refetchedBytes: 0 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.requests).toHaveLength(0);
    expect(await readdir(path.dirname(rig.target))).toEqual(['film.mp4']);
  });

  it.each([0.4, 1])('of another video is not resumed, at a share of %d', async (share) => {
    // Without validators, the two files look alike.
    const rig = await DownloadRig.start((request) =>
      withHeaders(honestly(request), { ETag: null }),
    );
    const here = other.bytes.subarray(0, share * other.bytes.length);
    await rig.plant(here, { total: film.bytes.length, video: 'vid_1' });

    expect(await rig.download({ video: 'vid_2' })).toMatchObject({ sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.requests.map(({ from }) => from)).toEqual([0]);
  });

  it('of the same video is resumed through any link', async () => {
    const rig = await DownloadRig.start(honestly);
    await rig.plant(film.bytes.subarray(0, MIB), {
      total: film.bytes.length,
      etag: '"a"',
      video: 'vid_1',
    });

    expect(await rig.download({ video: 'vid_1' })).toMatchObject({
      kind: 'saved',
      sha256: film.sha256,
      refetchedBytes: OVERLAP_BYTES,
    });
  });

  it('already moved into place does not let another video use its file', async () => {
    const rig = await DownloadRig.start(honestly);
    await rig.plant(other.bytes, { total: other.bytes.length, video: 'vid_1' });
    const part = await PartFile.open(rig.target, 'vid_1');
    await part.seal();
    await part.close();
    await rename(rig.partPath, rig.target);

    const outcome = await rig.download({ video: 'vid_2' });
    expect(outcome).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(outcome).not.toMatchObject({ path: rig.target });
    expect(await rig.savedSha256()).toBe(other.sha256);
  });
});
