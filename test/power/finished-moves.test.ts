import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PartFile } from '../../src/engine/downloads/part-file.ts';
import { moveIntoPlace } from '../../src/engine/downloads/place.ts';
import { finishRenames } from '../../src/engine/flow/renamer.ts';
import { systemClock } from '../../src/engine/system-clock.ts';
import { DownloadRig } from '../rigs/download-rig.ts';
import { honest } from '../rigs/fault-server.ts';
import { openStore } from '../rigs/open-store.ts';
import { saveVideos } from '../rigs/saved-files.ts';
import { seededVideo } from '../rigs/seeded-video.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';
import { powerCutDisk } from './power-cut-disks.ts';

const TYPES = ['ext4', 'xfs'] as const;
const never = new AbortController().signal;
const film = seededVideo(1, 40_000);

test.for(TYPES)(
  'a video that a killed download moved survives a power cut once it is saved (%s)',
  async (type, context) => {
    const disk = await powerCutDisk(context, type);
    const rig = await DownloadRig.start((request) => honest(film, request), {
      parent: disk.folder,
    });
    await rig.plant(film.bytes, { total: film.bytes.length, etag: '"a"' });
    const part = await PartFile.open(rig.target, null);
    await part.seal();
    await part.close();
    execFileSync('sync', ['-f', disk.folder]);
    renameSync(rig.partPath, rig.target);

    // The disk refuses to remove the record.
    await rig.download({ onSaved: () => disk.shutDown(false) });
    await disk.mountAgain();

    expect(existsSync(rig.target)).toBe(true);
    expect(await rig.savedSha256()).toBe(film.sha256);
  },
);

test.for(TYPES)(
  'a name that a killed engine gave survives a power cut once it is stored (%s)',
  async (type, context) => {
    const disk = await powerCutDisk(context, type);
    const store = await openStore({
      folder: temporaryFolder(),
    });
    onTestFinished(() => store.close());
    const [id = 0] = saveVideos(store, disk.folder, [{ file: 'old.mp4' }]);
    const filePath = path.join(disk.folder, 'old.mp4');
    store.files.planRenames([{ id, filePath, renameTo: 'names/new.mp4' }]);
    execFileSync('sync', ['-f', disk.folder]);
    mkdirSync(path.join(disk.folder, 'names'));
    renameSync(filePath, path.join(disk.folder, 'names/new.mp4'));

    await finishRenames(store, systemClock, never);
    await disk.shutDown(false);
    await disk.mountAgain();

    const stored = store.jobs.get(id).filePath;
    expect(stored).toBe(path.join(disk.folder, 'names/new.mp4'));
    expect(existsSync(stored ?? '')).toBe(true);
  },
);

test.for(TYPES)(
  'a move that the disk may not keep has failed, and can be repeated (%s)',
  async (type, context) => {
    const disk = await powerCutDisk(context, type);
    const from = path.join(disk.folder, 'film.part');
    const to = path.join(disk.folder, 'film.mp4');
    writeFileSync(from, film.bytes, { flush: true });
    execFileSync('sync', ['-f', disk.folder]);
    const restore = failAtSyncOf(disk.folder, () => disk.shutDown(false));

    const move = () => moveIntoPlace(from, to, false, systemClock, never);
    await expect(move()).rejects.toMatchObject({ code: 'EIO' });
    restore();
    await disk.mountAgain();
    await move();

    expect(readFileSync(to).equals(film.bytes)).toBe(true);
  },
);

/** Calls back before this process syncs a folder, which it opens for that. Returns how to stop. */
function failAtSyncOf(folder: string, fail: () => Promise<void>): () => void {
  const { open } = files;
  const set = (replacement: typeof open): void => {
    Object.assign(files, { open: replacement });
    syncBuiltinESMExports();
  };
  set(async (file, ...options) => {
    if (file === folder) await fail();
    return open(file, ...options);
  });
  const restore = (): void => set(open);
  onTestFinished(restore);
  return restore;
}
