import { renameSync, rmSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_NAME_BYTES } from '../../../../src/engine/downloads/file-name.ts';
import { DownloadRig } from '../../../rigs/download-rig.ts';
import { cut, honest } from '../../../rigs/fault-server.ts';
import type { WireReply, WireRequest } from '../../../rigs/fault-server.ts';
import { seededVideo } from '../../../rigs/seeded-video.ts';

const MIB = 1024 * 1024;
const film = seededVideo(4, 3 * MIB + 4321);
const honestly = (request: WireRequest): WireReply =>
  honest({ bytes: film.bytes, etag: '"film"' }, request);

/** A rig whose folder is `below` the created one. */
async function rigIn(below: string): Promise<{ rig: DownloadRig; folder: string; target: string }> {
  const rig = await DownloadRig.start(honestly);
  const folder = path.join(path.dirname(rig.target), below);
  return { rig, folder, target: path.join(folder, 'film.mp4') };
}

describe('a folder that disappears during a download', () => {
  /** Starts a download, calls `change` after one MiB, then resets the connection. */
  async function interrupted(change: (folder: string) => void) {
    const { rig, folder, target } = await rigIn('disk');
    const changed = Promise.withResolvers<undefined>();
    rig.server.script = (request) =>
      request.index > 0
        ? honestly(request)
        : { ...cut(honestly(request), 2 * MIB, 'reset'), hold: () => changed.promise };
    const outcome = rig.download({
      target,
      onProgress: ({ receivedBytes }) => {
        if (receivedBytes < MIB) return;
        change(folder);
        changed.resolve(undefined);
      },
    });
    return { rig, folder, target, outcome: await outcome };
  }

  it('is waited for, and the download resumes when it returns', async () => {
    const { rig, folder, target, outcome } = await interrupted((disk) =>
      renameSync(disk, `${disk} gone`),
    );
    expect(outcome).toMatchObject({ kind: 'waiting', reason: 'cannot-write' });
    await rename(`${folder} gone`, folder);
    expect(await rig.download({ target })).toMatchObject({ kind: 'saved', path: target });
    expect((await readFile(target)).equals(film.bytes)).toBe(true);
    expect(await readdir(folder)).toEqual(['film.mp4']);
  });

  it('is created again if deleted, and the download starts over', async () => {
    const { rig, target, outcome } = await interrupted((disk) => rmSync(disk, { recursive: true }));
    expect(outcome).toMatchObject({ kind: 'waiting', reason: 'cannot-write' });
    expect(await rig.download({ target })).toMatchObject({ kind: 'saved', path: target });
    expect((await readFile(target)).equals(film.bytes)).toBe(true);
  });

  it('when the file is complete leaves no partial file, and is waited for', async () => {
    const { rig, folder, target } = await rigIn('disk');
    const outcome = await rig.download({
      target,
      onEvent: ({ kind }) => {
        if (kind === 'verifying') renameSync(folder, `${folder} gone`);
      },
    });
    expect(outcome).toMatchObject({ kind: 'waiting', reason: 'cannot-write' });
    expect(await readdir(path.dirname(folder))).toEqual(['disk gone']);
    await rename(`${folder} gone`, folder);
    expect(await rig.download({ target })).toMatchObject({ kind: 'saved', path: target });
    expect((await readFile(target)).equals(film.bytes)).toBe(true);
    expect(await readdir(folder)).toEqual(['film.mp4']);
  });
});

describe('symbolic links', () => {
  it('as the folder are followed: videos may be on another disk', async () => {
    const { rig, folder, target } = await rigIn('videos');
    const elsewhere = `${folder} elsewhere`;
    await mkdir(elsewhere);
    await symlink(elsewhere, folder);
    expect(await rig.download({ target })).toMatchObject({ kind: 'saved', path: target });
    expect((await readFile(path.join(elsewhere, 'film.mp4'))).equals(film.bytes)).toBe(true);
  });

  // abuse.md 8
  it('under any name that a download uses are never written through', async () => {
    const rig = await DownloadRig.start(honestly);
    const precious = path.join(path.dirname(rig.target), 'precious');
    await writeFile(precious, 'mine');
    const suffixes = ['.part', '.part.json', '.part.json.new', '.part.lock', '.copy'];
    for (const suffix of suffixes) await symlink(precious, rig.target + suffix);
    expect(await rig.download()).toMatchObject({ kind: 'saved', path: rig.target });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect((await lstat(rig.target)).isFile()).toBe(true);
    expect(await readFile(precious, 'utf8')).toBe('mine');
  });

  it('in place of a part with a matching record are not written through either', async () => {
    const rig = await DownloadRig.start(honestly);
    const begun = film.bytes.subarray(0, MIB);
    await rig.plant(begun, { total: film.bytes.length, etag: '"a"' });
    const precious = path.join(path.dirname(rig.target), 'precious');
    await rename(rig.partPath, precious);
    await symlink(precious, rig.partPath);
    expect(await rig.download()).toMatchObject({ kind: 'saved', path: rig.target });
    expect((await lstat(rig.target)).isFile()).toBe(true);
    expect((await readFile(precious)).equals(begun)).toBe(true);
  });
});

describe('a name', () => {
  it('of maximum length can be downloaded to, resumed and numbered', async () => {
    const stem = 'ä'.repeat((MAX_NAME_BYTES - '.mp4x'.length) / 2);
    const { rig, folder, target } = await rigIn(path.join(`${stem}x.mp4`, `${stem}x.mp4`));
    const longest = path.join(folder, `${stem}x.mp4`);
    expect(Buffer.byteLength(path.basename(longest))).toBe(MAX_NAME_BYTES);
    rig.server.script = (request) =>
      request.index === 0 ? cut(honestly(request), MIB, 'close') : honestly(request);
    expect(await rig.download({ target: longest })).toMatchObject({ path: longest });
    const second = await rig.download({ target: longest });
    expect(second).toMatchObject({ kind: 'saved', path: expect.stringContaining('(2)') as string });
    expect((await readdir(folder)).length).toBe(2);
    expect(target).not.toBe(longest);
  });

  it('too long for any file system fails with a message, and leaves nothing', async () => {
    const { rig, folder } = await rigIn('videos');
    const target = path.join(folder, `${'x'.repeat(252)}.mp4`);
    expect(await rig.download({ target })).toMatchObject({ kind: 'failed', code: 'cannot-write' });
    expect(await readdir(folder)).toEqual([]);
    expect(rig.requests).toEqual([]);
  });

  it('below a file waits until that file is moved', async () => {
    const { rig, folder, target } = await rigIn('film.mp4');
    await writeFile(folder, 'mine');
    expect(await rig.download({ target })).toMatchObject({ reason: 'cannot-write' });
    expect(await readFile(folder, 'utf8')).toBe('mine');
    await rename(folder, `${folder} moved`);
    expect(await rig.download({ target })).toMatchObject({ kind: 'saved', path: target });
  });
});
