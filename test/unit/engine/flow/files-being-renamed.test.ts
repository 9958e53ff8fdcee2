import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileCommandsOn } from '../../../rigs/file-commands-on.ts';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { checkFilesOf } from '../../../../src/engine/flow/saved-files.ts';
import { verifyFiles } from '../../../../src/engine/flow/file-verification.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { Serial } from '../../../../src/engine/serial.ts';
import { systemClock } from '../../../../src/engine/system-clock.ts';
import { saveVideos } from '../../../rigs/saved-files.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const NEVER = new AbortController().signal;

/** A saved file `old.mp4`. */
async function withSaved() {
  const folder = temporaryFolder();
  const origin = 'https://service.example';
  const store = await openStore({ folder, origin });
  onTestFinished(() => store.close());
  const [id = 0] = saveVideos(store, folder, [{ file: 'old.mp4' }]);
  return { store, folder, id };
}

/** A saved file that already has its new name, while the store still has the old one. */
async function renamedBeforeStored() {
  const { store, folder, id } = await withSaved();
  const before = store.jobs.get(id);
  const to = path.join(folder, 'new.mp4');
  store.files.planRenames([{ id, filePath: before.filePath ?? '', renameTo: 'new.mp4' }]);
  renameSync(before.filePath ?? '', to);
  const storeRename = (): void => {
    store.jobs.move(id, 'rename', 0, { filePath: to, fileName: 'new.mp4', renameTo: null });
  };
  return { store, id, before, to, storeRename };
}

test('a file that is being renamed is not reported missing', async () => {
  const { store, id, before, storeRename } = await renamedBeforeStored();

  expect(await checkFilesOf([before], store, systemClock, NEVER)).toBe(0);
  storeRename();
  // `before` is now an outdated copy of the row.
  expect(await checkFilesOf([before], store, systemClock, NEVER)).toBe(0);

  expect(store.jobs.get(id)).toMatchObject({ state: 'done', renameTo: null });
});

test('verification of a file that is being renamed reads it again under its new name', async () => {
  const { store, id, to, storeRename } = await renamedBeforeStored();
  const waits = [(): void => undefined, storeRename];
  const renaming = {
    idle: (): Promise<void> => {
      waits.shift()?.();
      return Promise.resolve();
    },
  };

  const received = [];
  const updates = verifyFiles(undefined, { store, clock: systemClock, renaming }, NEVER);
  for await (const update of updates) received.push(update);

  expect(received.flatMap(({ errors }) => errors)).toEqual([]);
  expect(received.at(-1)).toMatchObject({ checkedFiles: 1, totalFiles: 1 });
  expect(waits).toEqual([]);
  expect(store.jobs.get(id)).toMatchObject({ state: 'done', filePath: to });
});

test('verification of a file whose renaming was interrupted ends, and leaves its row alone', async () => {
  const { store, id } = await renamedBeforeStored();
  const stop = new AbortController();
  let waits = 0;
  const renaming = {
    // No renaming is running, as in a queue that is only read.
    idle: (): Promise<void> => {
      waits += 1;
      if (waits > 10) stop.abort();
      return Promise.resolve();
    },
  };

  const received = [];
  const updates = verifyFiles(undefined, { store, clock: systemClock, renaming }, stop.signal);
  for await (const update of updates) received.push(update);

  expect(received.at(-1)).toMatchObject({ checkedFiles: 1, totalFiles: 1 });
  expect(received.flatMap(({ errors }) => errors)).toMatchObject([
    { found: 'unreadable', why: userMessage('rename-later') },
  ]);
  expect(store.jobs.get(id)).toMatchObject({ state: 'done', renameTo: 'new.mp4' });
});

test('another renaming first finishes the one whose result could not be stored', async () => {
  const { store, id, to } = await renamedBeforeStored();

  expect(
    await fileCommandsOn(store).rename({ ids: [String(id)], nameTemplate: 'newer' }),
  ).toMatchObject({ renamed: 1, refused: [] });

  const newer = path.join(path.dirname(to), 'newer.mp4');
  expect(store.jobs.get(id)).toMatchObject({ state: 'done', filePath: newer, renameTo: null });
  expect(existsSync(newer)).toBe(true);
});

test('a file is not given the name that was chosen for a row which is being added', async () => {
  const { store, folder, id } = await withSaved();
  const isRenaming = Promise.withResolvers<undefined>();
  class Naming extends Serial {
    override run<T>(work: () => Promise<T>): Promise<T> {
      isRenaming.resolve(undefined);
      return super.run(work);
    }
  }
  const naming = new Naming();
  const adding = Serial.prototype.run.call(naming, async () => {
    await isRenaming.promise;
    saveVideos(store, folder, [{ file: 'Film.mp4' }], 'Later');
  });

  const { rename } = fileCommandsOn(store, systemClock, naming);
  const outcome = await rename({ ids: [String(id)], nameTemplate: 'Film' });
  isRenaming.resolve(undefined);
  await adding;

  expect(outcome).toEqual({ renamed: 1, refused: [], step: '1' });
  expect(store.jobs.get(id).filePath).toBe(path.join(folder, 'Film (2).mp4'));
});

test('files of two batches whose folders are written differently get different names', async () => {
  const { store, folder, id } = await withSaved();
  const [other = 0] = saveVideos(store, `${folder}/`, [{ file: 'other.mp4' }], 'Later');

  const { rename } = fileCommandsOn(store, systemClock);
  const outcome = await rename({ ids: [String(id), String(other)], nameTemplate: 'Film' });

  expect(outcome).toEqual({ renamed: 2, refused: [], step: '1' });
});
