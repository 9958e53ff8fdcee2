import { rename, rm, writeFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { ActivityEntry, ActivityExport } from '../../../../src/contract/activity.ts';
import { userMessage } from '../../../../src/contract/user-message.ts';
import type { Failure } from '../../../../src/contract/failure.ts';
import type { GenerateOutcome } from '../../../../src/engine/service/outcomes.ts';
import { EngineRig } from '../../../rigs/engine-rig.ts';

const HOUR = 3_600_000;

function notSent(failure: Failure): GenerateOutcome {
  return { kind: 'not-sent', failure };
}

async function allEntries(rig: EngineRig, limit = 1000): Promise<ActivityEntry[]> {
  const entries: ActivityEntry[] = [];
  let after: string | undefined;
  do {
    const page = await rig.engine.commands.activity.list({ after, limit });
    entries.push(...page.entries);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return entries;
}

async function exported(rig: EngineRig, wanted: ActivityExport): Promise<string> {
  let file = '';
  const pieces = await rig.engine.commands.activity.export(wanted, {
    signal: new AbortController().signal,
  });
  for await (const { text } of pieces) file += text;
  return file;
}

async function rigWithThreeSaved(): Promise<EngineRig> {
  const rig = await EngineRig.open();
  await rig.add(['One', '=Two', 'Three']);
  // One after another, so that they are saved in that order.
  rig.service.renderMs = 1000;
  await rig.until(async () => (await rig.update()).counts.done === 3);
  return rig;
}

test('lists what happened to a video, newest first, without intermediate steps', async () => {
  const rig = await EngineRig.open();
  const [id = ''] = await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'done');

  const entries = await allEntries(rig);

  expect(entries.map(({ kind }) => kind)).toEqual([
    'saved',
    'rendering',
    'rendering',
    'sent',
    'added',
  ]);
  expect(entries.map(({ units }) => units)).toEqual([0, 0, 0, 1, 0]);
  expect(entries[0]).toMatchObject({
    job: { id, title: 'One', batchName: 'Batch', from: 'verifying', to: 'done' },
  });
});

test('repeated requeues for one reason, as earlier versions recorded them, are one entry', async () => {
  const rig = await EngineRig.open();
  const failure = {
    code: 'service-unreachable',
    ...userMessage('verbatim', { text: 'Connection lost.' }),
  } as const;
  rig.service.nextGenerate.push(...Array.from({ length: 50 }, () => notSent(failure)));
  const [id = ''] = await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'done', 3 * HOUR);

  expect((await allEntries(rig)).map(({ kind, note }) => note?.message ?? kind)).toEqual([
    'saved',
    'rendering',
    'rendering',
    'sent',
    'Connection lost.',
    'added',
  ]);
  const { job, history } = await rig.engine.commands.jobs.show({ id });
  expect(job.attempts).toBe(1);
  expect(history.filter(({ to }) => to === 'queued')).toHaveLength(2);
});

test('a video repeatedly without a link is recorded once', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.transfers.pause({ origin: rig.engine.origin });
  const [id = ''] = await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'ready');
  rig.service.linkResponses.set((await rig.job(0)).remoteId ?? '', { status: 409, body: {} });
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
  await rig.clock.advance(5 * HOUR);

  expect((await allEntries(rig)).length).toBeLessThanOrEqual(6);
  expect((await rig.engine.commands.jobs.show({ id })).history.length).toBeLessThanOrEqual(10);
});

test('lists what happened to a file, not only the state of its video', async () => {
  const rig = await rigWithThreeSaved();
  const files = (await rig.jobs()).map(({ file }) => file?.path ?? '');
  const [gone = '', damaged = '', away = ''] = files;
  const verify = async (): Promise<void> => {
    for await (const _ of await rig.engine.commands.files.verify(
      {},
      { signal: new AbortController().signal },
    ));
  };
  const before = (await allEntries(rig)).length;
  await rig.clock.advance(HOUR);

  await rm(gone);
  await writeFile(damaged, 'not the video');
  await rename(away, `${away}.away`);
  await verify();
  await rename(`${away}.away`, away);
  await verify();
  const [one = '', two = ''] = (await rig.jobs()).map(({ id }) => id);
  await rig.engine.commands.jobs.downloadAgain({ ids: [one, two] });
  await rig.until(async () => (await rig.update()).counts.done === 3);

  const entries = await allEntries(rig);
  const news = entries.slice(0, entries.length - before);
  expect(news.map(({ kind, job }) => `${job?.title}: ${kind}, ${job?.event}`).toSorted()).toEqual([
    '=Two: arranged, queued-to-download-again',
    '=Two: missing, file-damaged',
    '=Two: saved, saved',
    'One: arranged, queued-to-download-again',
    'One: missing, file-missing',
    'One: saved, saved',
    'Three: missing, file-missing',
    'Three: saved, file-found',
  ]);
  const { history } = await rig.engine.commands.jobs.show({ id: two });
  expect(history.map(({ event }) => event)).toEqual([
    'added',
    'reserved',
    'sending',
    'accepted',
    'rendered',
    'download-started',
    'verifying',
    'saved',
    'file-damaged',
    'queued-to-download-again',
    'download-started',
    'verifying',
    'saved',
  ]);
  for (const kinds of [['rendering'], ['arranged'], ['saved', 'missing']] as const) {
    const listed = await rig.engine.commands.activity.list({ kinds: [...kinds], limit: 100 });
    expect(listed.entries).toEqual(entries.filter(({ kind }) => kinds.some((k) => k === kind)));
    const found = await rig.engine.commands.activity.list({
      kinds: [...kinds],
      search: 't',
      limit: 100,
    });
    expect(found.entries).toEqual(listed.entries.filter(({ job }) => job?.title !== 'One'));
  }
  const csv = await exported(rig, { what: 'events', format: 'csv' });
  const rows = parse<Record<string, string>>(csv, { columns: true, bom: true });
  expect(rows.map(({ event }) => event)).toEqual(
    entries.map(({ kind, job }) => job?.event ?? kind),
  );
});

test('pages contain every entry once and in the same order, whatever their size', async () => {
  const rig = await rigWithThreeSaved();
  const all = await allEntries(rig);

  expect(await allEntries(rig, 2)).toEqual(all);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => b - a));
});

test('a list is filtered by kind, batch, text or time', async () => {
  const rig = await rigWithThreeSaved();
  const later = rig.clock.now() + HOUR;
  await rig.clock.advance(HOUR);
  await rig.add(['Four'], 'Other.csv');
  const batches = (await rig.update()).batches;
  const titles = async (filter: object): Promise<(string | undefined)[]> =>
    (await rig.engine.commands.activity.list({ ...filter, limit: 100 })).entries.map(
      ({ job }) => job?.title,
    );

  expect(await titles({ kinds: ['saved'] })).toEqual(['Three', '=Two', 'One']);
  expect(await titles({ kinds: ['added'], batchId: batches[1]?.id })).toEqual(['Four']);
  expect(new Set(await titles({ search: 'tWO' }))).toEqual(new Set(['=Two']));
  expect(await titles({ kinds: ['added'], from: later })).toEqual(['Four']);
  expect(await titles({ kinds: ['added'], to: later })).toEqual(['Three', '=Two', 'One']);
  await expect(titles({ after: 'made up' })).rejects.toMatchObject({
    failure: { code: 'value-invalid' },
  });
});

test('a failed render returns its unit', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One']);
  await rig.until(() => rig.service.videos.length === 1);
  rig.service.nextStatus.push({ state: 'failed', word: 'failed', progress: null, error: null });
  await rig.until(async () => (await rig.job(0)).state === 'failed');

  const [failed] = await allEntries(rig);

  expect(failed).toMatchObject({ kind: 'failed', units: -1 });
  expect(
    (await rig.engine.commands.quota.days({}))?.days.map(({ charged }) => charged),
  ).not.toContain(1);
});

test('corrections of the quota are separate entries', async () => {
  const rig = await rigWithThreeSaved();
  await rig.engine.commands.quota.correct({ origin: rig.engine.origin, used: 5 });
  await rig.engine.commands.quota.correct({ origin: rig.engine.origin, used: 4 });

  const { entries } = await rig.engine.commands.activity.list({
    kinds: ['quota-corrected'],
    limit: 10,
  });
  const days = await rig.engine.commands.quota.days({ zone: 'Asia/Tokyo' });

  expect(entries.map(({ units, used }) => ({ units, used }))).toEqual([
    { units: -1, used: 4 },
    { units: 2, used: 5 },
  ]);
  expect(days?.corrections.map(({ difference }) => difference)).toEqual([2, -1]);
  expect(days?.days.reduce((sum, { charged }) => sum + charged, 0)).toBe(3);
  expect((await rig.update()).quota?.used).toBe(4);
});

// abuse.md 25
test('the exported events are the listed ones, and no cell is a formula', async () => {
  const rig = await rigWithThreeSaved();

  const csv = await exported(rig, { what: 'events', format: 'csv' });
  const rows = parse<Record<string, string>>(csv, { columns: true, bom: true });
  const json = JSON.parse(await exported(rig, { what: 'events', format: 'json' })) as object[];

  expect(rows).toHaveLength((await allEntries(rig)).length);
  expect(json).toHaveLength(rows.length);
  expect(rows.filter(({ kind }) => kind === 'saved').map(({ title }) => title)).toEqual([
    'Three',
    "'=Two",
    'One',
  ]);
  expect(rows.map((row) => Number(row['units taken'])).reduce((a, b) => a + b)).toBe(3);
});

test('the exported quota has a line for each unit, with the video that it paid for', async () => {
  const rig = await rigWithThreeSaved();

  const units = JSON.parse(await exported(rig, { what: 'quota', format: 'json' })) as object[];

  const jobs = (await rig.jobs()).toReversed();
  expect(units).toEqual(
    jobs.map((job): unknown =>
      expect.objectContaining({
        quota: 'charged',
        title: job.title,
        'video is now': 'done',
        file: job.file?.path,
        'id at the service': job.remoteId,
      }),
    ),
  );
});

test('quota units are paged, newest first, every unit once', async () => {
  const rig = await rigWithThreeSaved();

  const first = await rig.engine.commands.activity.units({ limit: 2 });
  const second = await rig.engine.commands.activity.units({ limit: 2, after: first.next ?? '' });

  expect([...first.units, ...second.units].map(({ job }) => job.title)).toEqual([
    'Three',
    '=Two',
    'One',
  ]);
  expect(first.units[0]).toMatchObject({ quota: 'charged', bought: { state: 'done' } });
  expect(second.next).toBeNull();
  await expect(
    rig.engine.commands.activity.units({ limit: 2, after: 'made up' }),
  ).rejects.toMatchObject({
    failure: { code: 'value-invalid' },
  });
});

test('an empty export is a complete file', async () => {
  const rig = await EngineRig.open();

  expect(await exported(rig, { what: 'events', format: 'json' })).toBe('[]\n');
  expect(await exported(rig, { what: 'quota', format: 'csv' })).toMatch(/^\ufefftaken at,.*\r\n$/);
});
