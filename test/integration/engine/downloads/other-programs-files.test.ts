import { execFile } from 'node:child_process';
import { link, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { moveIntoPlace } from '../../../../src/engine/downloads/place.ts';
import { verifyFile } from '../../../../src/engine/downloads/verify.ts';
import { DownloadRig } from '../../../rigs/download-rig.ts';
import { honest, type WireReply, type WireRequest } from '../../../rigs/fault-server.ts';
import { seededVideo } from '../../../rigs/seeded-video.ts';
import { smallDisk } from '../../../rigs/small-disk.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const run = promisify(execFile);
const MIB = 1024 * 1024;
const film = seededVideo(1, 2 * MIB + 12_345);
const honestly = (request: WireRequest): WireReply =>
  honest({ bytes: film.bytes, etag: '"a"' }, request);

const NAMES = ['.part', '.part.json', '.part.json.new', '.part.lock', '.copy'];

/** The contents of all files beside the rig's target. */
async function contentsBeside({ target }: DownloadRig): Promise<string[]> {
  const names = await readdir(path.dirname(target));
  const others = names.filter((name) => name !== path.basename(target));
  return Promise.all(others.map((name) => readFile(path.join(path.dirname(target), name), 'utf8')));
}

// abuse.md 37
describe('a name that a download uses', () => {
  it('is not written through when it is a hard link', async () => {
    const rig = await DownloadRig.start(honestly);
    const precious = path.join(path.dirname(rig.target), 'precious');
    await writeFile(precious, 'mine');
    for (const name of NAMES) await link(precious, rig.target + name);

    expect(await rig.download()).toMatchObject({ kind: 'saved', path: rig.target });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(await readFile(precious, 'utf8')).toBe('mine');
  });

  it('is not written through when a backup has linked the part and its record', async () => {
    const rig = await DownloadRig.start(honestly);
    const begun = film.bytes.subarray(0, MIB);
    await rig.plant(begun, { total: film.bytes.length, etag: '"a"' });
    const backup = path.join(path.dirname(rig.target), 'backup');
    await link(rig.partPath, backup);

    expect(await rig.download()).toMatchObject({ kind: 'saved', path: rig.target });
    expect((await readFile(backup)).equals(begun)).toBe(true);
  });

  it.each(NAMES)('keeps the content of another program’s %s', async (name) => {
    const rig = await DownloadRig.start(honestly);
    await writeFile(rig.target + name, 'mine');

    expect(await rig.download()).toMatchObject({ kind: 'saved', path: rig.target });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(await contentsBeside(rig)).toEqual(['mine']);
  });

  it('is reusable after a crash left the beginning of a record there', async () => {
    const rig = await DownloadRig.start(honestly);
    await writeFile(`${rig.target}.part.json.new`, '{"version":1,"vid');

    expect(await rig.download()).toMatchObject({ kind: 'saved', path: rig.target });
    expect(await contentsBeside(rig)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32').each(NAMES)(
    'does not block the download when %s is a pipe',
    async (name) => {
      const rig = await DownloadRig.start(honestly);
      await run('mkfifo', [rig.target + name]);

      expect(await rig.download()).toMatchObject({ kind: 'saved', path: rig.target });
      expect(await rig.savedSha256()).toBe(film.sha256);
    },
  );

  it('keeps another program’s file when a video is copied from another disk', async (context) => {
    const disk = await smallDisk(context, 4);
    const folder = await mkdtemp(path.join(tmpdir(), 'spool-place-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const from = path.join(disk, 'film.part');
    const target = path.join(folder, 'film.mp4');
    await writeFile(from, film.bytes);
    await writeFile(`${target}.copy`, 'mine');

    const { signal } = new AbortController();
    await moveIntoPlace(from, target, false, new VirtualClock(), signal);
    expect((await readFile(target)).equals(film.bytes)).toBe(true);
    expect(await readFile(`${target}.copy`, 'utf8')).toBe('mine');
    expect(await readdir(folder)).toHaveLength(2);
  });
});

// abuse.md 37
it.skipIf(process.platform === 'win32')('a saved file that became a pipe is damaged', async () => {
  const rig = await DownloadRig.start(honestly);
  await run('mkfifo', [rig.target]);

  const { signal } = new AbortController();
  const found = await verifyFile(rig.target, {}, signal);
  expect(found.kind).toBe('damaged');
});
