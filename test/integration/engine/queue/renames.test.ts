import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RenamePlan } from '../../../../src/contract/files.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';
import { saveVideos } from '../../../rigs/saved-files.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

async function withSaved(content: string, name = 'Launch.csv'): Promise<[EngineRig, string[]]> {
  const rig = await EngineRig.open();
  const { jobIds } = await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: { name, content },
    options: {},
  });
  await rig.until(async () => (await rig.update()).counts.done === jobIds.length);
  return [rig, jobIds];
}

/** An engine whose folder has `count` saved videos. */
async function withMany(count: number): Promise<[EngineRig, string[]]> {
  const folder = temporaryFolder();
  const store = await openStore({ folder, origin: ORIGIN });
  const ids = saveVideos(
    store,
    path.join(folder, 'renders'),
    Array.from({ length: count }, (_, index) => ({
      file: `${index}.mp4`,
      title: `Film ${index}`,
    })),
  );
  await store.close();
  return [await EngineRig.open({ folder }), ids.map(String)];
}

const namesIn = ({ files }: RenamePlan): unknown[] =>
  files.map(({ from, to, outcome }) => [from, to, outcome]);

const rendersOf = (rig: EngineRig): string => path.join(rig.folder, 'renders');

test('a template gives rows the same names as when they were added', async () => {
  const titles = Array.from({ length: 10 }, (_, index) => `Film ${index + 1}`);
  const [rig, ids] = await withSaved(
    ['title,2024,caption', ...titles.map((t) => `${t},last year,loud`)].join('\n'),
  );

  const same = await rig.engine.commands.files.planRename({
    ids,
    nameTemplate: '{batch}/{index} {title}',
    limit: 1,
  });
  const other = await rig.engine.commands.files.planRename({
    ids,
    nameTemplate: '{Caption} {row} {index} {who}',
    limit: 2,
  });

  expect(same.counts).toEqual({ renamed: 0, numbered: 0, unchanged: 10, kept: 0 });
  expect(namesIn(same)).toEqual([['Launch/01 Film 1.mp4', 'Launch/01 Film 1.mp4', 'unchanged']]);
  expect(namesIn(other)).toEqual([
    ['Launch/01 Film 1.mp4', 'loud 2 01.mp4', 'renamed'],
    ['Launch/02 Film 2.mp4', 'loud 3 02.mp4', 'renamed'],
  ]);
  expect(other.placeholders).toEqual(['title', '2024', 'caption', 'row', 'batch', 'index']);
  expect(other.unknown).toEqual(['who']);
});

test('renamed files are where their rows say, empty folders are removed, and renames are listed', async () => {
  const [rig, ids] = await withSaved('title\nOne\nTwo');
  const before = readFileSync(path.join(rendersOf(rig), 'Launch/1 One.mp4'));

  const outcome = await rig.engine.commands.files.rename({ ids, nameTemplate: 'Clips/{title}' });

  expect(outcome).toEqual({ renamed: 2, refused: [], step: '1' });
  expect(readdirSync(rendersOf(rig))).toEqual(['Clips']);
  const job = await rig.job(0);
  expect(job).toMatchObject({ state: 'done', failure: null });
  expect(job.file?.path).toBe(path.join(rendersOf(rig), 'Clips/One.mp4'));
  expect(readFileSync(job.file?.path ?? '').equals(before)).toBe(true);
  const { history } = await rig.engine.commands.jobs.show({ id: job.id });
  expect(history.at(-1)).toMatchObject({
    from: 'done',
    to: 'done',
    note: { message: 'Launch/1 One.mp4 is now Clips/One.mp4.' },
  });
  const kinds = async (...wanted: ('saved' | 'renamed')[]): Promise<string[]> =>
    (await rig.engine.commands.activity.list({ kinds: wanted, limit: 10 })).entries.map(
      ({ kind }) => kind,
    );
  expect(await kinds('renamed')).toEqual(['renamed', 'renamed']);
  expect(await kinds('saved')).toEqual(['saved', 'saved']);
  expect((await kinds('saved', 'renamed')).toSorted()).toEqual([
    'renamed',
    'renamed',
    'saved',
    'saved',
  ]);
  expect(
    (await rig.engine.commands.activity.list({ kinds: ['renamed'], search: 'two', limit: 10 }))
      .entries,
  ).toHaveLength(1);
  expect(rig.defects).toEqual([]);
});

test('the backup of the queue has the new names of files', async () => {
  const [rig, ids] = await withSaved('title\nOne');
  await rig.engine.commands.files.rename({ ids, nameTemplate: 'New {title}' });

  const fileInBackup = (): unknown => {
    using backup = new DatabaseSync(path.join(rig.folder, 'spool.backup.db'), { readOnly: true });
    return backup.prepare('SELECT file_path FROM job').get()?.file_path;
  };
  await expect.poll(fileInBackup).toBe(path.join(rendersOf(rig), 'New One.mp4'));
});

test('a name of another program’s file or of an unsaved video is numbered', async () => {
  const [rig, ids] = await withSaved('title\nOne\nTwo');
  const foreignFile = path.join(rendersOf(rig), 'Film.mp4');
  writeFileSync(foreignFile, 'another program’s');
  rig.service.renderMs = Infinity;
  await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: { name: 'Later.csv', content: 'title\nLater' },
    options: { nameTemplate: 'Film (2)' },
  });

  const plan = await rig.engine.commands.files.planRename({ ids, nameTemplate: 'Film', limit: 10 });
  await rig.engine.commands.files.rename({ ids, nameTemplate: 'Film' });

  expect(namesIn(plan).map((file) => (file as unknown[]).slice(1))).toEqual([
    ['Film (3).mp4', 'numbered'],
    ['Film (4).mp4', 'numbered'],
  ]);
  expect(readdirSync(rendersOf(rig)).toSorted()).toEqual([
    'Film (3).mp4',
    'Film (4).mp4',
    'Film.mp4',
  ]);
  expect(readFileSync(foreignFile, 'utf8')).toBe('another program’s');
});

test('a row without a file keeps its name and gives the reason, and the others are renamed', async () => {
  const [rig, ids] = await withSaved('title\nOne\nTwo');
  rig.service.renderMs = Infinity;
  const [unsaved = ''] = await rig.add(['Three']);
  rmSync((await rig.job(0)).file?.path ?? '');

  const wanted = { ids: [...ids, unsaved], nameTemplate: '{title}' };
  const plan = await rig.engine.commands.files.planRename({ ...wanted, limit: 10 });
  const { renamed, refused } = await rig.engine.commands.files.rename(wanted);

  expect(plan.files.map(({ title, outcome, why }) => [title, outcome, why?.message])).toEqual([
    ['One', 'kept', 'Its file is missing. Download it again first.'],
    ['Three', 'kept', 'This video is not saved yet.'],
    ['Two', 'renamed', undefined],
  ]);
  expect(renamed).toBe(1);
  expect(refused.map(({ title }) => title)).toEqual(['One', 'Three']);
  expect(await rig.job(0)).toMatchObject({ state: 'missing' });
  expect(existsSync(path.join(rendersOf(rig), 'Two.mp4'))).toBe(true);
});

test('an engine that closes while renaming finishes at its next start', async () => {
  const [rig, ids] = await withMany(20);

  const renaming = rig.engine.commands.files.rename({ ids, nameTemplate: '{title}' });
  // Checks at every event loop turn, each of which moves at most one file.
  while (!existsSync(path.join(rendersOf(rig), 'Film 3.mp4'))) await turn();
  await rig.close();
  const { renamed, refused } = await renaming;

  expect(renamed).toBeLessThan(20);
  expect(renamed + refused.length).toBe(20);
  const { service, clock, folder } = rig;
  const next = await EngineRig.open({ folder, service, clock });
  // A plan waits until no rename is pending.
  const { counts } = await next.engine.commands.files.planRename({
    ids,
    nameTemplate: '{title}',
    limit: 0,
  });
  expect(counts).toMatchObject({ unchanged: 20 });
  expect((await next.update()).counts.done).toBe(20);
});

test('a file whose name changed only in case before a crash is found', async () => {
  const [rig, ids] = await withSaved('title\nOne');
  await rig.engine.commands.files.rename({ ids, nameTemplate: 'CLIP' });
  const { service, clock, folder } = rig;
  await rig.close();
  const store = await openStore({ folder, origin: ORIGIN });
  const id = Number(ids[0]);
  const filePath = path.join(rendersOf(rig), 'CLIP.mp4');
  store.files.planRenames([{ id, filePath, renameTo: 'Clip.mp4' }]);
  await store.close();
  // The file is moved, but the move is not recorded.
  renameSync(filePath, path.join(rendersOf(rig), 'Clip.mp4'));

  const next = await EngineRig.open({ folder, service, clock });
  await next.engine.commands.files.planRename({ ids, nameTemplate: '{title}', limit: 0 });

  expect(await next.job(0)).toMatchObject({ state: 'done' });
  expect((await next.job(0)).file?.path).toBe(path.join(rendersOf(rig), 'Clip.mp4'));
});
