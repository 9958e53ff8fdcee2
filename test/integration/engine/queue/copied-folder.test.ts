import {
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { FolderLostError } from '../../../../src/engine/engine-error.ts';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { offline } from '../../../rigs/fake-service.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const HOUR = 3_600_000;

/** A data folder whose engine was closed before it could send what is queued. */
async function queueOf(titles: readonly string[]): Promise<string> {
  const rig = await EngineRig.open();
  rig.service.trouble = offline;
  await rig.add(titles);
  await rig.close();
  return rig.folder;
}

function copyOf(folder: string): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

test('a copied queue sends nothing until the user confirms that it is the one to use', async () => {
  const folder = copyOf(await queueOf(['One', 'Two']));
  const first = await EngineRig.open({ folder });
  await first.clock.advance(HOUR);
  expect(first.service.asked).toEqual([]);
  await first.close();

  const rig = await EngineRig.open({ folder });
  await rig.clock.advance(HOUR);
  expect((await rig.update()).flow).toMatchObject({
    state: 'blocked',
    failure: { code: 'store-copied' },
  });
  expect(rig.service.asked).toEqual([]);

  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.update()).counts.done === 2);
});

test.each([
  ['the original of a copy', (folder: string) => (copyOf(folder), folder)],
  [
    'a folder that was renamed',
    (folder: string) => {
      const renamed = path.join(temporaryFolder(), 'renamed');
      renameSync(folder, renamed);
      return renamed;
    },
  ],
  [
    'a queue whose shutdown marker lost its content in a power cut',
    (folder: string) => {
      writeFileSync(path.join(folder, 'spool.closed'), '');
      return folder;
    },
  ],
])('%s continues automatically', async (_what, after) => {
  const folder = after(await queueOf(['One']));

  const rig = await EngineRig.open({ folder });

  await rig.until(async () => (await rig.update()).counts.done === 1);
});

/** Writes a backup's files over those of a folder, as a file manager does. */
function writeBack(backup: string, folder: string, preserveTimestamps: boolean): void {
  for (const name of readdirSync(backup)) {
    const file = path.join(backup, name);
    if (statSync(file).isFile()) writeFileSync(path.join(folder, name), readFileSync(file));
    const { atime, mtime } = statSync(file);
    if (preserveTimestamps) utimesSync(path.join(folder, name), atime, mtime);
  }
}

test.skipIf(process.platform === 'win32').each([
  ['with new modification times', false],
  ['with its own modification times', true],
])('a backup that is written over the queue, %s, sends nothing twice', async (_what, keepsTime) => {
  const folder = await queueOf(['One', 'Two']);
  const backup = copyOf(folder);
  const first = await EngineRig.open({ folder });
  await first.until(async () => (await first.update()).counts.done === 2);
  await first.close();
  writeBack(backup, folder, keepsTime);

  for (let start = 0; start < 2; start++) {
    const rig = await EngineRig.open({ folder });
    await rig.clock.advance(HOUR);
    expect((await rig.update()).flow).toMatchObject({ failure: { code: 'store-copied' } });
    expect(rig.service.asked).toEqual([]);
    await rig.close();
  }
});

/** Renders two videos, then removes the shutdown marker. */
async function renderWithoutMarker(folder: string): Promise<void> {
  const rig = await EngineRig.open({ folder });
  await rig.until(async () => (await rig.update()).counts.done === 2);
  await rig.close();
  // As on Windows, or after a crash.
  rmSync(path.join(folder, 'spool.closed'), { force: true });
}

/** Overwrites a file in place: its inode stays the same. */
function overwrite(file: string, content: Buffer): void {
  const { ino } = statSync(file);
  writeFileSync(file, content);
  expect(statSync(file).ino).toBe(ino);
}

test('an older database that is restored without the rest of its folder is replaced by the backup', async () => {
  const folder = await queueOf(['One', 'Two']);
  const database = path.join(folder, 'spool.db');
  const older = readFileSync(database);
  await renderWithoutMarker(folder);
  overwrite(database, older);

  for (let start = 0; start < 2; start++) {
    const rig = await EngineRig.open({ folder });
    await rig.clock.advance(HOUR);
    const { flow, counts } = await rig.update();
    expect(flow).toMatchObject({ failure: { code: 'store-damaged' } });
    expect(counts.done).toBe(2);
    expect(rig.service.asked).toEqual([]);
    await rig.close();
  }
});

test('a queue whose journal missed its last backup in a power cut resumes automatically', async () => {
  const folder = await queueOf(['One', 'Two']);
  const journal = path.join(folder, 'sent.log');
  const older = readFileSync(journal);
  const idle = await EngineRig.open({ folder });
  idle.service.trouble = offline;
  await idle.close();
  expect(readFileSync(journal)).not.toEqual(older);
  writeFileSync(journal, older);

  const rig = await EngineRig.open({ folder });

  await rig.until(async () => (await rig.update()).counts.done === 2);
});

test('a copy with nothing left to send needs no confirmation', async () => {
  const original = await EngineRig.open();
  await original.add(['One']);
  await original.until(async () => (await original.update()).counts.done === 1);
  await original.close();

  const rig = await EngineRig.open({ folder: copyOf(original.folder) });

  expect((await rig.update()).flow).toEqual({ state: 'running' });
});

test('once another computer has opened the folder too, everything stops, and no call succeeds', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One']);
  await rig.until(async () => (await rig.update()).counts.submitted === 1);
  const { origin } = rig.engine;
  const status = vi.spyOn(rig.service, 'status');
  writeFileSync(path.join(rig.folder, 'spool.pid'), '4711\nof another computer\n');

  await rig.clock.advance(HOUR);

  expect(rig.service.asked).toHaveLength(1);
  expect(status).not.toHaveBeenCalled();
  const lost = { failure: { code: 'folder-lost' } };
  await expect(rig.add(['Two'], 'More.csv')).rejects.toMatchObject(lost);
  await expect(rig.engine.commands.queue.resume({ origin })).rejects.toMatchObject(lost);
  expect(() => rig.update()).toThrow(FolderLostError);
});
