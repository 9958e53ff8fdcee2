/** The table of a batch's results, beside its source. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const TABLE = 'title,accent\nOne,red\n=SUM(A1),plum\n+49 Two,red\n';

async function setUp(name = 'week.csv') {
  const folder = temporaryFolder();
  const rig = await EngineRig.open();
  const file = path.join(folder, 'week.results.csv');
  const add = (options = {}, table = TABLE) =>
    rig.engine.commands.batches.add({
      origin: ORIGIN,
      source: { name, content: new Blob([table]), folder },
      options: { results: true, leaveOut: [3], ...options },
    });
  const rows = (of = file): Record<string, string>[] =>
    parse(readFileSync(of, 'utf8'), { bom: true, columns: true });
  const saved = (of: string): number => rows(of).filter(({ state }) => state === 'saved').length;
  const isSaved = async (): Promise<boolean> => (await rig.update()).counts.done === 2;
  const problem = async () => (await rig.update()).batches[0]?.results?.problem ?? null;
  return { rig, folder, file, add, rows, saved, isSaved, problem };
}

const until = (rig: EngineRig, isDone: () => boolean | Promise<boolean>) =>
  rig.until(async () => isDone());

test('follows every row from adding to the saved file, and is safe to open in a spreadsheet', async () => {
  const { rig, folder, file, add, rows, isSaved } = await setUp();
  await add();
  await until(rig, () => existsSync(file));
  expect(rows().map(({ row, title, state }) => [row, title, state])).toEqual([
    ['2', 'One', expect.stringMatching(/^(queued|sending|submitted)$/)],
    ['3', "'=SUM(A1)", 'left out'],
    ['4', "'+49 Two", 'queued'],
  ]);
  expect(rows()[1]?.reason).toContain('Row 3, title');
  await until(rig, isSaved);
  await until(rig, () => rows().filter(({ state }) => state === 'saved').length === 2);
  const [one] = rows();
  expect(existsSync(one?.file ?? '')).toBe(true);
  expect(one).toMatchObject({ cost: '1 video', reason: '' });
  expect(Number(one?.seconds)).toBeGreaterThan(0);
  expect(readdirSync(folder)).toEqual(['week.results.csv']);
});

test('has the service’s own words about a video that it could not render', async () => {
  const { rig, add, rows } = await setUp();
  const error = 'The clip has no key frame.';
  rig.service.nextStatus.push({ state: 'failed', word: 'error', progress: null, error });
  await add();
  await until(rig, async () => (await rig.update()).counts.done === 1);
  await rig.close();
  expect(rows().find(({ state }) => state === 'failed')?.reason).toMatch(
    /could not render this video.* The clip has no key frame\.$/,
  );
});

test('is separated by semicolons where its source is', async () => {
  const { rig, file, add } = await setUp();
  await add({}, TABLE.replaceAll(',', ';'));
  await until(rig, () => existsSync(file));
  const rows = parse(readFileSync(file, 'utf8'), { bom: true, columns: true, delimiter: ';' });
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatchObject({ row: '2', title: 'One' });
});

test('lists the videos of a row in their order, whatever becomes of each', async () => {
  const folder = temporaryFolder();
  const rig = await EngineRig.open();
  const content = 'title,aspect\nLake,"16:9, 9:16, 1:1"\n';
  const { jobIds } = await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: { name: 'week.csv', content: new Blob([content]), folder },
    options: { results: true },
  });
  await rig.engine.commands.jobs.cancel({ ids: [jobIds[1]!] });
  await until(rig, async () => (await rig.update()).counts.done === 2);
  await rig.close();
  const text = readFileSync(path.join(folder, 'week.results.csv'), 'utf8');
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
  expect(rows.map(({ row, variant, state }) => [row, variant, state])).toEqual([
    ['2', '16:9', 'saved'],
    ['2', '9:16', 'cancelled'],
    ['2', '1:1', 'saved'],
  ]);
});

test('is written to the end when the queue closes', async () => {
  const { rig, add, rows, isSaved } = await setUp();
  await add();
  await until(rig, isSaved);
  await rig.close();
  expect(rows().map(({ state }) => state)).toEqual(['saved', 'left out', 'saved']);
});

test('replaces no file of the user, and goes on beside one that took its place', async () => {
  const { rig, folder, file, add, isSaved, problem, saved } = await setUp();
  writeFileSync(file, 'mine');
  await add();
  const second = path.join(folder, 'week-2.results.csv');
  await until(rig, () => existsSync(second));
  expect(await problem()).toBeNull();
  writeFileSync(second, 'mine too');
  await until(rig, isSaved);
  const third = path.join(folder, 'week-2-2.results.csv');
  await until(rig, () => existsSync(third) && saved(third) === 2);
  expect((await problem())?.message).toBe(
    `“${second}” was changed outside Spool and is left as it is. The results continue in “${third}”.`,
  );
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(readFileSync(second, 'utf8')).toBe('mine too');
});

test.each(['while it is open', 'while it is closed'])(
  'keeps a table of results that the user edited %s',
  async (when) => {
    const { rig, folder, file, add, isSaved, saved } = await setUp();
    await add();
    await until(rig, () => existsSync(file));
    const { clock, service } = rig;
    const isClosed = when === 'while it is closed';
    if (isClosed) await rig.close();
    const edited = readFileSync(file, 'utf8').replace('One', 'One, for Anna');
    writeFileSync(file, edited);
    const next = isClosed ? await EngineRig.open({ folder: rig.folder, clock, service }) : rig;
    await until(next, isClosed ? async () => (await next.update()).counts.done === 2 : isSaved);
    const second = path.join(folder, 'week-2.results.csv');
    await until(next, () => existsSync(second) && saved(second) === 2);
    expect(readFileSync(file, 'utf8')).toBe(edited);
  },
);

test('writes the paths of files as they are', async () => {
  const { rig, add, rows, isSaved } = await setUp();
  await add({ nameTemplate: 'Offer; -50 %; {title}' });
  await until(rig, isSaved);
  await rig.close();
  const paths = rows().flatMap(({ file }) => file ?? []);
  expect(paths.filter((each) => each !== '').map((each) => existsSync(each))).toEqual([true, true]);
});

test('leaves a file of the user that has the name of an unfinished table, and removes its own', async () => {
  const { rig, file, add, isSaved, problem, saved } = await setUp();
  await add();
  await until(rig, () => existsSync(file));
  // A stop may leave any part of a table.
  writeFileSync(`${file}.new`, '\ufeffrow,ti');
  await until(rig, () => !existsSync(`${file}.new`));
  expect(await problem()).toBeNull();
  writeFileSync(`${file}.new`, 'mine');
  await until(rig, isSaved);
  const second = file.replace('week', 'week-2');
  await until(rig, () => existsSync(second) && saved(second) === 2);
  expect((await problem())?.message).toContain(`“${file}.new” was changed`);
  expect(readFileSync(`${file}.new`, 'utf8')).toBe('mine');
});

test.skipIf(process.platform === 'win32')(
  'replaces no link, not even one that leads nowhere',
  async () => {
    const { rig, folder, file, add, isSaved } = await setUp();
    symlinkSync(path.join(folder, 'nowhere'), file);
    await add();
    await until(rig, isSaved);
    await until(rig, () => existsSync(path.join(folder, 'week-2.results.csv')));
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
  },
);

test.skipIf(process.platform === 'win32')('a pipe in its place holds nothing up', async () => {
  const { rig, file, add, isSaved, problem } = await setUp();
  await add();
  await until(rig, () => existsSync(file));
  rmSync(file);
  execFileSync('mkfifo', [file]);
  await until(rig, isSaved);
  await until(rig, async () => (await problem()) !== null);
  expect((await problem())?.message).toContain('was changed outside Spool');
  await rig.close();
  expect(lstatSync(file).isFIFO()).toBe(true);
});

test('a place that cannot be written to is reported, tried again, and stops no video', async () => {
  const { rig, file, add, rows, isSaved, problem } = await setUp();
  // A folder in the place of the file stands for one that a program holds: root may write anywhere.
  await add();
  await until(rig, () => existsSync(file));
  rmSync(file);
  mkdirSync(file);
  await until(rig, isSaved);
  await until(rig, async () => (await problem()) !== null);
  expect((await problem())?.message).toContain(`“${file}” (EISDIR)`);
  rmSync(file, { recursive: true });
  await until(rig, async () => (await problem()) === null && existsSync(file));
  expect(rows().map(({ state }) => state)).toEqual(['saved', 'left out', 'saved']);
});

test.each([
  ['the user wants none', { results: false }, {}],
  ['the rows were pasted', {}, { content: TABLE }],
])('is not written if %s', async (_why, options, source) => {
  const folder = temporaryFolder();
  const rig = await EngineRig.open();
  await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: { name: 'week.csv', content: new Blob([TABLE]), folder, ...source },
    options: { results: true, leaveOut: [3], ...options },
  });
  await until(rig, async () => (await rig.update()).counts.done === 2);
  await rig.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('goes on in the same file after a restart, and for rows that are added again', async () => {
  const { rig, folder, add, rows, file } = await setUp();
  await add();
  await rig.close();
  const { clock, service } = rig;
  const next = await EngineRig.open({ folder: rig.folder, clock, service });
  await next.engine.commands.batches.add({
    origin: ORIGIN,
    source: { name: 'week.csv', content: new Blob([TABLE]), folder },
    options: { results: true, leaveOut: [3] },
  });
  await until(next, async () => (await next.update()).counts.done === 2);
  await next.close();
  expect(rows().map(({ state }) => state)).toEqual(['saved', 'left out', 'saved']);
  expect(readdirSync(folder)).toEqual([path.basename(file)]);
});
