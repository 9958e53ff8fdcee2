import { expect, test } from 'vitest';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';

const MINUTE = 60_000;

async function pausedRig(titles: readonly string[]): Promise<[EngineRig, string[]]> {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  return [rig, await rig.add(titles)];
}

async function titles(rig: EngineRig): Promise<string[]> {
  return (await rig.jobs()).map(({ title }) => title);
}

test('a held row keeps its place while others are sent', async () => {
  const [rig, [one = '']] = await pausedRig(['One', 'Two']);
  expect(await rig.engine.commands.jobs.hold({ ids: [one] })).toMatchObject({
    changed: 1,
    refused: [],
  });
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.job(1)).state === 'done');
  expect((await rig.job(0)).state).toBe('held');

  await rig.engine.commands.jobs.release({ ids: [one] });
  await rig.until(async () => (await rig.job(0)).state === 'done');
});

test('rows are sent by priority, then in their current order', async () => {
  const [rig, [one = '', , three = '', four = '']] = await pausedRig([
    'One',
    'Two',
    'Three',
    'Four',
  ]);

  await rig.engine.commands.jobs.move({ ids: [four], before: one });
  expect(await titles(rig)).toEqual(['Four', 'One', 'Two', 'Three']);
  await rig.engine.commands.jobs.prioritise({ ids: [three], priority: 1 });
  expect(await titles(rig)).toEqual(['Three', 'Four', 'One', 'Two']);
  await rig.engine.commands.jobs.move({ ids: [four], before: null });
  expect(await titles(rig)).toEqual(['Three', 'One', 'Two', 'Four']);

  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(() => rig.service.videos.length === 4);
  const sent = rig.service.asked.map((body) => /One|Two|Three|Four/.exec(body)?.[0]);
  expect(sent).toEqual(['Three', 'One', 'Two', 'Four']);
});

test('many rows moved repeatedly to one place keep their order', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `Row ${index}`);
  const [rig, ids] = await pausedRig(names);
  const last = ids.at(-1) ?? '';
  // Each move halves the gap before the last row's position, until positions are renumbered.
  for (const id of ids.slice(0, -1))
    await rig.engine.commands.jobs.move({ ids: [id], before: last });
  await rig.engine.commands.jobs.move({ ids: ids.slice(0, 20), before: last });

  expect(await titles(rig)).toEqual([...names.slice(20, 39), ...names.slice(0, 20), 'Row 39']);
});

test('sending pauses automatically before the marked row', async () => {
  const [rig, [, two = '']] = await pausedRig(['One', 'Two', 'Three']);
  await rig.engine.commands.queue.stopBefore({ origin: rig.engine.origin, id: two });
  expect((await rig.job(1)).stopsHere).toBe(true);
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });

  await rig.until(async () => (await rig.update()).flow.state === 'paused');
  await rig.clock.advance(30 * MINUTE);

  expect(rig.service.videos).toHaveLength(1);
  expect((await rig.job(1)).stopsHere).toBe(false);
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.update()).counts.done === 3);
});

test('the mark before a row is kept after a restart', async () => {
  const [before, [, two = '']] = await pausedRig(['One', 'Two']);
  await before.engine.commands.queue.stopBefore({ origin: before.engine.origin, id: two });
  await before.close();
  const { folder, clock, service } = before;

  const rig = await EngineRig.open({ folder, clock, service });
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.clock.advance(30 * MINUTE);

  expect(service.videos).toHaveLength(1);
  expect((await rig.update()).flow.state).toBe('paused');
});

test('an unsent row is cancelled; a submitted one is abandoned and can still be downloaded', async () => {
  const rig = await EngineRig.open();
  const [one = ''] = await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'rendering');
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  const [two = ''] = await rig.add(['Two']);

  await rig.engine.commands.jobs.cancel({ ids: [one] });
  expect((await rig.job(0)).state).toBe('abandoned');
  await rig.engine.commands.jobs.downloadAgain({ ids: [one] });
  await rig.until(async () => (await rig.job(0)).state === 'done');

  expect((await rig.update()).quota?.used).toBe(rig.service.videos.length);
  expect(await rig.engine.commands.jobs.cancel({ ids: [one, two] })).toMatchObject({
    refused: [{ id: one, failure: { code: 'not-possible-now' } }],
  });
});

test('a row whose request is being sent cannot be cancelled, and is sent once', async () => {
  const rig = await EngineRig.open();
  rig.service.latencyMs = 10_000;
  const [one = ''] = await rig.add(['One']);
  await rig.until(() => rig.service.asked.length === 1);

  expect(await rig.engine.commands.jobs.cancel({ ids: [one] })).toMatchObject({
    changed: 0,
    refused: [{ failure: { message: expect.stringContaining('being sent') as string } }],
  });
  await rig.until(async () => (await rig.job(0)).state === 'done');

  expect(rig.service.asked).toHaveLength(1);
});

test('abandoning a row stops its download', async () => {
  const rig = await EngineRig.open();
  const [one = ''] = await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'downloading');

  expect(await rig.engine.commands.jobs.cancel({ ids: [one] })).toMatchObject({
    changed: 1,
    refused: [],
  });

  expect(await rig.job(0)).toMatchObject({ state: 'abandoned', transfer: null });
});

test('failed rows are retried together, in queue order, up to the given limit', async () => {
  const rig = await EngineRig.open();
  const failed = { state: 'failed', word: 'failed', progress: null, error: null } as const;
  rig.service.nextStatus.push(failed, failed, failed);
  await rig.add(['One', 'Two', 'Three']);
  await rig.until(async () => (await rig.update()).counts.failed === 3);
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });

  expect(
    await rig.engine.commands.jobs.retryFailed({
      origin: ORIGIN,
      batchId: undefined,
      limit: 2,
      payAgain: false,
    }),
  ).toMatchObject({ changed: 2, refused: [] });

  expect((await rig.jobs()).map(({ state }) => state)).toEqual(['queued', 'queued', 'failed']);
});

test('a rendered video that could not be saved is downloaded again, not rendered again', async () => {
  const rig = await EngineRig.open();
  rig.nextDownload.push({
    kind: 'failed',
    code: 'damaged',
    ...userMessage('verbatim', { text: 'It is damaged.' }),
  });
  const [one = ''] = await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'failed');

  await rig.engine.commands.jobs.retry({ ids: [one], payAgain: false });
  await rig.until(async () => (await rig.job(0)).state === 'done');

  expect(rig.service.asked).toHaveLength(1);
});

async function uncertainRig(): Promise<[EngineRig, string]> {
  const rig = await EngineRig.open();
  const failure = {
    code: 'outcome-unknown',
    ...userMessage('verbatim', { text: 'The connection broke.' }),
  } as const;
  rig.service.nextGenerate.push({ kind: 'unknown', failure, response: null });
  const [one = ''] = await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'uncertain');
  return [rig, one];
}

test('an uncertain row continues with the ID that the user enters', async () => {
  const [rig, one] = await uncertainRig();
  rig.service.videos.push({ id: 'found-it', body: '', madeAt: rig.clock.monotonic(), askedFor: 0 });

  await rig.engine.commands.jobs.resolve({
    id: one,
    attempts: 1,
    as: 'accepted',
    remoteId: 'found-it',
  });
  await rig.until(async () => (await rig.job(0)).state === 'done');

  expect(rig.service.asked).toHaveLength(1);
  expect((await rig.update()).quota).toMatchObject({ used: 1, held: 0 });
});

test('an uncertain row is sent again when the user says that it was not accepted', async () => {
  const [rig, one] = await uncertainRig();

  await rig.engine.commands.jobs.resolve({ id: one, attempts: 1, as: 'resend' });
  await rig.until(async () => (await rig.job(0)).state === 'done');

  expect(rig.service.asked).toHaveLength(2);
  expect((await rig.update()).quota).toMatchObject({ used: 1, held: 0 });
});

test('a decision about an uncertain row applies to the attempt that the user saw, and to no later one', async () => {
  const [rig, one] = await uncertainRig();
  const seen = await rig.job(0);
  const failure = {
    code: 'outcome-unknown',
    ...userMessage('verbatim', { text: 'The connection broke.' }),
  } as const;
  rig.service.nextGenerate.push({ kind: 'unknown', failure, response: null });
  const again = { id: one, attempts: seen.attempts, as: 'resend' } as const;
  await rig.engine.commands.jobs.resolve(again);
  await rig.until(() => rig.service.asked.length === 2);
  await rig.until(async () => (await rig.job(0)).state === 'uncertain');

  await expect(rig.engine.commands.jobs.resolve(again)).rejects.toMatchObject({
    failure: { code: 'not-possible-now' },
  });
  await rig.clock.advance(60 * MINUTE);

  expect(rig.service.asked).toHaveLength(2);
  expect((await rig.job(0)).attempts).toBe(2);
});

test('an uncertain row cannot be decided about while its request is sent again', async () => {
  const once = { idempotencyHeader: 'Idempotency-Key', keyLifeMs: null, idField: null, list: null };
  const rig = await EngineRig.open({ api: { once } });
  const failure = {
    code: 'outcome-unknown',
    ...userMessage('verbatim', { text: 'The connection broke.' }),
  } as const;
  rig.service.nextGenerate.push({ kind: 'unknown', failure, response: null });
  const [one = ''] = await rig.add(['One']);
  await rig.until(() => rig.service.asked.length === 2);

  const { state, attempts } = await rig.job(0);
  expect(state).toBe('uncertain');
  for (const as of ['resend', 'abandon'] as const) {
    await expect(rig.engine.commands.jobs.resolve({ id: one, attempts, as })).rejects.toMatchObject(
      { failure: { code: 'not-possible-now' } },
    );
  }
  await rig.until(async () => (await rig.job(0)).state === 'done');

  expect(rig.service.asked).toHaveLength(2);
  expect(rig.service.videos).toHaveLength(1);
  expect((await rig.update()).quota).toMatchObject({ used: 1, held: 0 });
});

test('a decision about an uncertain row ends the pause before the next request', async () => {
  const [rig, one] = await uncertainRig();
  await rig.add(['Two']);
  expect((await rig.update()).flow).toMatchObject({ failure: { code: 'outcome-unknown' } });

  await rig.engine.commands.jobs.resolve({ id: one, attempts: 1, as: 'abandon' });

  expect((await rig.update()).flow).not.toHaveProperty('failure');
  await rig.until(() => rig.service.asked.length === 2, 1000);
});

test('an abandoned uncertain row counts as spent', async () => {
  const [rig, one] = await uncertainRig();

  await rig.engine.commands.jobs.resolve({ id: one, attempts: 1, as: 'abandon' });

  expect((await rig.job(0)).state).toBe('abandoned');
  expect((await rig.update()).quota).toMatchObject({ used: 1, held: 0 });
  await expect(
    rig.engine.commands.jobs.resolve({ id: one, attempts: 1, as: 'resend' }),
  ).rejects.toMatchObject({
    failure: { code: 'not-possible-now' },
  });
});

test('an unsent row can be edited and a sent one cannot', async () => {
  const [rig, [one = '']] = await pausedRig(['One']);
  await rig.engine.commands.jobs.edit({ id: one, values: { title: 'Uno' } });
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.job(0)).state === 'done');

  expect(await rig.job(0)).toMatchObject({ title: 'Uno' });
  expect(rig.service.asked).toEqual([expect.stringContaining('"title":"Uno"')]);
  await expect(
    rig.engine.commands.jobs.edit({ id: one, values: { title: 'Ein' } }),
  ).rejects.toMatchObject({
    failure: { code: 'not-possible-now' },
  });
});

test('a list can be searched, filtered and paged', async () => {
  const [rig, ids] = await pausedRig(['Über uns', 'Kontakt', 'ÜBERSICHT', 'Ende']);
  await rig.engine.commands.jobs.hold({ ids: [ids[2] ?? ''] });

  const found = await rig.engine.commands.jobs.list({ search: 'über', offset: 0, limit: 10 });
  expect(found.jobs.map(({ title }) => title)).toEqual(['Über uns', 'ÜBERSICHT']);
  const held = await rig.engine.commands.jobs.list({ states: ['held'], offset: 0, limit: 10 });
  expect(held).toMatchObject({ total: 1 });
  const page = await rig.engine.commands.jobs.list({ offset: 1, limit: 2 });
  expect(page.total).toBe(4);
  expect(page.jobs.map(({ title }) => title)).toEqual(['Kontakt', 'ÜBERSICHT']);
});

test('rows are named in queue order and read in any order, in batches and states', async () => {
  const [rig, [one = '', two = '', three = '']] = await pausedRig(['One', 'Two', 'Three']);
  const { jobs } = rig.engine.commands;
  await jobs.move({ ids: [three], before: one });
  await jobs.hold({ ids: [two] });
  const { batchId } = (await jobs.show({ id: one })).job;

  expect(await jobs.ids({ offset: 0 })).toEqual({ ids: [three, one, two] });
  expect(await jobs.ids({ batchId, states: ['queued'], offset: 0 })).toEqual({ ids: [three, one] });
  expect(await jobs.ids({ search: 't', offset: 1, limit: 1 })).toEqual({ ids: [two] });
  const read = await jobs.read({ ids: [two, '999', three] });
  expect(read.jobs.map(({ id, state }) => [id, state])).toEqual([
    [two, 'held'],
    [three, 'queued'],
  ]);
});

test('a row is found by the title that it was given, and no longer by its old one', async () => {
  const [rig, [one = '']] = await pausedRig(['Kontakt', 'Ende']);
  await rig.engine.commands.jobs.edit({ id: one, values: { title: 'Über uns' } });

  const found = async (search: string): Promise<string[]> =>
    (await rig.engine.commands.jobs.list({ search, offset: 0, limit: 10 })).jobs.map(
      ({ title }) => title,
    );
  expect(await found('über')).toEqual(['Über uns']);
  expect(await found('kontakt')).toEqual([]);
});

test('unknown IDs are refused without affecting the others', async () => {
  const [rig, [one = '']] = await pausedRig(['One']);

  expect(await rig.engine.commands.jobs.hold({ ids: ['999', one, 'nonsense'] })).toMatchObject({
    changed: 1,
    refused: [
      { id: '999', failure: { code: 'job-unknown' } },
      { id: 'nonsense', failure: { code: 'job-unknown' } },
    ],
  });
  await expect(rig.engine.commands.jobs.show({ id: '999' })).rejects.toMatchObject({
    failure: { code: 'job-unknown' },
  });
});

test('a pause is kept after a restart, and submitted videos are still downloaded', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One', 'Two']);
  await rig.until(async () => (await rig.job(0)).state === 'submitted');
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  await rig.close();

  const next = await EngineRig.open({
    folder: rig.folder,
    clock: rig.clock,
    service: rig.service,
  });
  await next.until(async () => (await next.job(0)).state === 'done');
  await next.clock.advance(30 * MINUTE);

  expect((await next.update()).flow).toEqual({ state: 'paused', what: 'sending', failure: null });
  const sent = rig.service.asked.length;
  await next.engine.commands.queue.resume({ origin: next.engine.origin });
  await next.until(async () => (await next.update()).counts.done === 2);
  expect(rig.service.asked.length).toBeLessThanOrEqual(Math.max(2, sent));
});

test('pausing everything stops a download and resuming continues it', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'downloading');

  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'everything' });
  expect((await rig.job(0)).state).toBe('ready');
  await rig.clock.advance(30 * MINUTE);
  expect((await rig.job(0)).state).toBe('ready');

  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.job(0)).state === 'done');
});
