import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Verification } from '../../../../src/contract/files.ts';
import { userMessage, joinMessages } from '../../../../src/contract/user-message.ts';
import type { Job } from '../../../../src/contract/job.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';

/** Verifies to the end. Returns the last update, with the errors of all updates. */
async function verify(rig: EngineRig, ids?: string[]): Promise<Verification> {
  const errors: Verification['errors'] = [];
  let last: Verification | undefined;
  for await (const update of await rig.engine.commands.files.verify(
    { ids },
    { signal: new AbortController().signal },
  )) {
    errors.push(...update.errors);
    last = update;
  }
  if (!last) throw new Error('There was no update.');
  return { ...last, errors };
}

async function withSaved(...titles: readonly string[]): Promise<EngineRig> {
  const rig = await EngineRig.open();
  await rig.add(titles);
  await rig.until(async () => (await rig.update()).counts.done === titles.length);
  return rig;
}

function pathOf(job: Job): string {
  if (!job.file) throw new Error('It has no file.');
  return job.file.path;
}

test('unchanged files pass, and their rows stay as they are', async () => {
  const rig = await withSaved('One', 'Two');

  const { checkedFiles, totalFiles, checkedBytes, totalBytes, errors } = await verify(rig);

  expect({ checkedFiles, totalFiles }).toEqual({ checkedFiles: 2, totalFiles: 2 });
  expect({ checkedBytes, totalBytes }).toEqual({ checkedBytes: 4096, totalBytes: 4096 });
  expect(errors).toEqual([]);
  expect((await rig.update()).counts.done).toBe(2);
});

test('a file with one changed byte is damaged, kept aside, and downloaded again without rendering', async () => {
  const rig = await withSaved('One', 'Two');
  const job = await rig.job(0);
  const file = pathOf(job);
  const saved = readFileSync(file);
  const edited = Buffer.from(saved);
  edited.writeUInt8(edited.readUInt8(2000) ^ 1, 2000);
  writeFileSync(file, edited);

  const { errors } = await verify(rig);

  expect(errors).toMatchObject([{ id: job.id, path: file, found: 'damaged' }]);
  expect(await rig.job(0)).toMatchObject({ state: 'missing', failure: { code: 'file-damaged' } });
  expect(await rig.engine.commands.jobs.downloadAgain({ ids: [job.id] })).toMatchObject({
    changed: 1,
  });
  await rig.until(async () => (await rig.job(0)).state === 'done');
  expect(pathOf(await rig.job(0))).toBe(file);
  const aside = file.replace(/\.mp4$/, ' (damaged).mp4');
  expect(readFileSync(aside).equals(edited)).toBe(true);
  expect(rig.service.asked).toHaveLength(2);
});

/** A video whose drive was disconnected when files were checked, and is back. */
async function withFileThatIsBack(): Promise<{ rig: EngineRig; id: string; file: string }> {
  const rig = await withSaved('One');
  const { id } = await rig.job(0);
  const file = pathOf(await rig.job(0));
  renameSync(file, `${file}.elsewhere`);
  expect(await rig.engine.commands.files.check()).toEqual({ missing: 1 });
  renameSync(`${file}.elsewhere`, file);
  return { rig, id, file };
}

test.each<[string, (rig: EngineRig, id: string) => Promise<unknown>]>([
  ['is to be downloaded again', (rig, id) => rig.engine.commands.jobs.downloadAgain({ ids: [id] })],
  ['is added again', (rig) => rig.add(['One'])],
])('a file that is back when its row %s is found, and nothing is downloaded', async (_, act) => {
  const { rig, id, file } = await withFileThatIsBack();

  await act(rig, id);
  await rig.until(async () => (await rig.job(0)).state === 'done');

  expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
  const { history } = await rig.engine.commands.jobs.show({ id });
  expect(history.at(-1)).toMatchObject({ event: 'file-found' });
});

test.each(['number', 'replace', 'skip'] as const)(
  'a damaged file is kept aside when its row is added again, also with “%s”',
  async (onCollision) => {
    const rig = await EngineRig.open();
    const add = () =>
      rig.engine.commands.batches.add({
        origin: ORIGIN,
        source: { name: 'Batch.csv', content: 'title\nOne' },
        options: { onCollision },
      });
    await add();
    await rig.until(async () => (await rig.job(0)).state === 'done');
    const file = pathOf(await rig.job(0));
    writeFileSync(file, 'edited by the user');
    await verify(rig);

    expect(await add()).toMatchObject({ downloadedAgain: 1 });
    await rig.until(async () => (await rig.job(0)).state !== 'ready');
    await rig.until(async () => (await rig.update()).counts.downloading === 0);

    expect(await rig.job(0)).toMatchObject({ state: 'done', file: { path: file } });
    const aside = file.replace(/\.mp4$/, ' (damaged).mp4');
    expect(readFileSync(aside, 'utf8')).toBe('edited by the user');
  },
);

test('a truncated file is damaged', async () => {
  const rig = await withSaved('One');
  truncateSync(pathOf(await rig.job(0)), 1000);

  expect((await verify(rig)).errors).toMatchObject([
    {
      found: 'damaged',
      why: joinMessages(
        userMessage('named-file-damaged', { name: '1 One.mp4' }),
        userMessage('file-of-other-size', { found: 1000, expected: 2048 }),
      ),
    },
  ]);
});

test('only the named files are read', async () => {
  const rig = await withSaved('One', 'Two');
  const [one, two] = await rig.jobs();
  if (!one || !two) throw new Error('There are two.');
  rmSync(pathOf(one));
  rmSync(pathOf(two));

  const { errors, totalFiles } = await verify(rig, [two.id]);

  expect(totalFiles).toBe(1);
  expect(errors).toMatchObject([{ id: two.id, found: 'missing' }]);
  expect((await rig.jobs()).map(({ state }) => state)).toEqual(['done', 'missing']);
});

test('a file that returns to its place is recognised', async () => {
  const rig = await withSaved('One');
  const file = pathOf(await rig.job(0));
  const elsewhere = path.join(rig.folder, 'elsewhere.mp4');
  renameSync(file, elsewhere);
  await verify(rig);
  expect((await rig.job(0)).state).toBe('missing');

  renameSync(elsewhere, file);

  expect(await verify(rig)).toMatchObject({ recovered: 1, errors: [] });
  expect(await rig.job(0)).toMatchObject({ state: 'done', failure: null });
});

test('an aborted verification changes nothing', async () => {
  const rig = await withSaved('One', 'Two', 'Three');
  for (const job of await rig.jobs()) rmSync(pathOf(job));
  const stop = new AbortController();
  stop.abort();

  for await (const update of await rig.engine.commands.files.verify({}, { signal: stop.signal })) {
    throw new Error(`It reported ${update.checkedFiles} files.`);
  }

  expect((await rig.update()).counts.done).toBe(3);
});

test('locks of parts that a killed process left are removed at the next start', async () => {
  const rig = await EngineRig.open();
  await rig.add(['Saved', 'Other']);
  await rig.until(async () => (await rig.update()).counts.done === 2);
  await rig.engine.commands.transfers.pause({ origin: rig.engine.origin });
  await rig.add(['Waiting'], 'More.csv');
  await rig.until(async () => (await rig.update()).counts.ready === 1);
  const [saved = '', other = ''] = (await rig.jobs()).map(({ file }) => file?.path ?? '');
  const waiting = path.join(path.dirname(saved), '..', 'More', '1 Waiting.mp4');
  mkdirSync(path.dirname(waiting));
  await rig.close();
  const lockOf = (file: string): string => `${file}.part.lock`;
  writeFileSync(lockOf(saved), '99999999 1 1');
  writeFileSync(lockOf(waiting), '99999999 1 1');
  writeFileSync(lockOf(other), 'the notes of another program');

  const again = await EngineRig.open({ folder: rig.folder });
  await expect.poll(() => existsSync(lockOf(waiting))).toBe(false);
  await again.close();

  expect(existsSync(lockOf(saved))).toBe(false);
  expect(readFileSync(lockOf(other), 'utf8')).toBe('the notes of another program');
});
