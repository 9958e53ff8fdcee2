import { expect, test } from 'vitest';
import type { Batch } from '../../../../src/contract/batch.ts';
import type { Job } from '../../../../src/contract/job.ts';
import type { Summary } from '../../../../src/contract/summary.ts';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { offline } from '../../../rigs/fake-service.ts';
import { rateServer } from '../../../rigs/rate-servers.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const MINUTE = 60_000;

const reasons = (jobs: readonly Job[]): (string | undefined)[] =>
  jobs.map(({ wait }) => wait?.reason);

async function batchOf(rig: EngineRig): Promise<Batch> {
  const [batch] = (await rig.update()).batches;
  if (!batch) throw new Error('There is no batch.');
  return batch;
}

const failureCode = ({ flow }: Summary): string | undefined =>
  flow.state === 'running' ? undefined : flow.failure?.code;

test('a queued row reports when it is sent', async () => {
  const rig = await EngineRig.open();
  const titles = Array.from({ length: 12 }, (_, index) => `Row ${index}`);
  await rig.add(titles);
  await rig.until(async () => (await rig.update()).counts.done === 10);

  const [, , , , , , , , , , , last] = await rig.jobs();
  expect(last?.wait).toEqual({ reason: 'turn', until: last?.forecast.sendAt });
  expect(last?.forecast.sendAt).toBeGreaterThan(rig.clock.now());
  expect(await batchOf(rig)).toMatchObject({ savedBy: last?.forecast.savedAt, wait: null });
});

test('a limit is not shown as used up for weeks after the computer slept for weeks', async () => {
  const rig = await EngineRig.open({ limit: 500 });
  rig.service.rateLimit = rateServer('anchored', 10, 60 * MINUTE);
  await rig.add(Array.from({ length: 6 }, (_, index) => `Before ${index}`));
  await rig.until(async () => (await rig.update()).counts.done === 6);
  const sleptMs = 21 * 24 * 60 * MINUTE;
  rig.clock.jumpWall(sleptMs);
  rig.service.aheadMs += sleptMs;
  await rig.add(['After']);

  // The request is running, so the service's time is not known yet.
  expect((await rig.update()).limits.generate.resetAt).toBeNull();
});

test('a paused row reports the pause, not the quota', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  await rig.add(['One', 'Two']);

  expect(reasons(await rig.jobs())).toEqual(['paused', 'paused']);
  expect(await batchOf(rig)).toMatchObject({
    savedBy: null,
    wait: { reason: 'paused', until: null },
  });
  expect((await rig.update()).nextSendAt).toBeNull();

  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  expect((await rig.job(0)).wait?.reason).not.toBe('paused');
});

test('a video at the service waits too when everything is paused', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'rendering');
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  expect((await rig.job(0)).wait).toBeNull();

  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'everything' });
  expect((await rig.job(0)).wait).toEqual({ reason: 'paused', until: null });
  expect((await batchOf(rig)).wait).toEqual({ reason: 'paused', until: null });
});

test('a batch with a paused download has no known end', async () => {
  const rig = await EngineRig.open();
  const ids = await rig.add(['One']);
  await rig.engine.commands.transfers.pause({ origin: rig.engine.origin, ids });
  await rig.until(async () => (await rig.job(0)).state === 'ready');
  await rig.clock.advance(MINUTE);

  expect(await batchOf(rig)).toMatchObject({
    savedBy: null,
    wait: { reason: 'download-paused', until: null },
  });
});

test('rows beyond this cycle’s quota report when it resets, paused or not', async () => {
  const rig = await EngineRig.open({ limit: 3 });
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  await rig.add(['One', 'Two', 'Three', 'Four']);
  const { resetAt } = (await rig.update()).quota!;

  expect(reasons(await rig.jobs())).toEqual(['paused', 'paused', 'paused', 'quota']);
  expect((await rig.job(3)).wait).toEqual({ reason: 'quota', until: resetAt });
  // The batch waits for its last row.
  expect((await batchOf(rig)).wait).toEqual({ reason: 'quota', until: resetAt });

  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.update()).counts.done === 3);
  expect((await rig.job(3)).wait).toEqual({ reason: 'quota', until: resetAt });
});

test('rows beyond this cycle’s quota report the reset before they are sent, and when they are saved', async () => {
  const rig = await EngineRig.open({ limit: 2, clock: new VirtualClock(Date.UTC(2026, 10, 27)) });
  await rig.add(['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']);
  await rig.until(async () => (await rig.update()).counts.done === 2);

  const jobs = await rig.jobs();
  const [december, january, february] = [11, 12, 13].map((month) => Date.UTC(2026, month, 1));
  expect(jobs.slice(2).map(({ wait }) => wait)).toEqual(
    [december, december, january, january, february].map((until) => ({ reason: 'quota', until })),
  );
  const { sendAt, savedAt } = jobs[6]!.forecast;
  expect(sendAt).toBeGreaterThanOrEqual(february!);
  expect(await batchOf(rig)).toMatchObject({
    savedBy: savedAt,
    wait: { reason: 'quota', until: february },
  });
});

test('rows that the quota has no room for in five years have no forecast', async () => {
  const rig = await EngineRig.open({ limit: 1 });
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  await rig.add(Array.from({ length: 70 }, (_, index) => `Row ${index}`));
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });

  expect((await rig.job(60)).wait?.reason).toBe('quota');
  const far = { reason: 'years-away', until: null };
  expect((await rig.job(61)).wait).toEqual(far);
  expect((await rig.job(69)).wait).toEqual(far);
  expect(await batchOf(rig)).toMatchObject({ savedBy: null, wait: far });
  const plan = await rig.engine.commands.batches.plan({
    source: { name: 'More.csv', content: 'title\nMore' },
    options: {},
  });
  expect(plan.rows[0]).toMatchObject({ wait: far, forecast: { savedAt: null } });
});

test('rows wait for a missing or refused key', async () => {
  const without = await EngineRig.open({ key: null });
  await without.add(['One']);
  expect((await without.job(0)).wait).toEqual({ reason: 'key-missing', until: null });
  expect((await without.update()).nextSendAt).toBeNull();

  const rig = await EngineRig.open();
  rig.service.keyIs = 'refused';
  await rig.add(['One', 'Two']);
  await rig.clock.advance(MINUTE);
  expect(reasons(await rig.jobs())).toEqual(['key-refused', 'key-refused']);
  expect((await batchOf(rig)).wait).toEqual({ reason: 'key-refused', until: null });
});

test('an offline row reports the next retry, and no time of sending', async () => {
  const rig = await EngineRig.open();
  rig.service.trouble = offline;
  await rig.add(['One', 'Two']);
  await rig.clock.advance(5 * MINUTE);

  const { flow, nextSendAt } = await rig.update();
  const retryAt = flow.state === 'blocked' ? flow.failure.retryAt : undefined;
  expect(retryAt).toBeGreaterThan(rig.clock.now());
  for (const { wait } of await rig.jobs()) {
    expect(wait).toEqual({ reason: 'offline', until: retryAt });
  }
  expect(nextSendAt).toBeNull();
  expect((await batchOf(rig)).wait?.reason).toBe('offline');

  rig.service.trouble = null;
  await rig.until(async () => (await rig.update()).counts.done === 2);
});

test('a rendering video waits for an unreachable service', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'rendering');
  rig.service.trouble = offline;
  await rig.clock.advance(30 * MINUTE);
  expect((await rig.job(0)).wait?.reason).toBe('offline');
});

test('rows from a pause point on report it', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  const [, two = ''] = await rig.add(['One', 'Two', 'Three']);
  await rig.engine.commands.queue.stopBefore({ origin: rig.engine.origin, id: two });
  rig.service.latencyMs = MINUTE;
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  // The first row is sent once there is a connection for it.
  await rig.clock.advance(1000);

  expect(reasons(await rig.jobs())).toEqual([undefined, 'pause-point', 'pause-point']);
  expect((await batchOf(rig)).wait?.reason).toBe('pause-point');
});

test('a row that was sent cannot be a pause point, and changes none', async () => {
  const rig = await EngineRig.open();
  const [one = ''] = await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'done');
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  const [, three = ''] = await rig.add(['Two', 'Three'], 'Other.csv');
  await rig.engine.commands.queue.stopBefore({ origin: rig.engine.origin, id: three });

  const { origin } = rig.engine;
  await expect(
    Promise.resolve().then(() => rig.engine.commands.queue.stopBefore({ origin, id: one })),
  ).rejects.toMatchObject({ failure: { code: 'not-possible-now' } });
  expect((await rig.jobs()).map(({ stopsHere }) => stopsHere)).toEqual([false, false, true]);
});

test('pausing hides no other obstacle', async () => {
  const rig = await EngineRig.open();
  rig.service.keyIs = 'refused';
  await rig.add(['One']);
  await rig.clock.advance(MINUTE);
  expect(failureCode(await rig.update())).toBe('key-refused');

  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  const summary = await rig.update();
  expect(summary.flow.state).toBe('paused');
  expect(failureCode(summary)).toBe('key-refused');
});

test('a watcher receives every row whose wait reason changed', async () => {
  const rig = await EngineRig.open();
  rig.service.keyIs = 'refused';
  await rig.add(['One']);
  await rig.clock.advance(MINUTE);
  const stop = new AbortController();
  const relists: boolean[] = [];
  const watched = (async () => {
    for await (const { relist } of rig.engine.watch(undefined, stop.signal)) relists.push(relist);
  })();
  await rig.clock.advance(3000);
  relists.length = 0;
  await rig.clock.advance(3000);
  expect(relists).not.toContain(true);

  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  await rig.clock.advance(3000);
  expect(relists).toContain(true);
  expect((await rig.job(0)).wait?.reason).toBe('paused');
  stop.abort();
  await watched;
});

test('a plan names what new rows wait for', async () => {
  const rig = await EngineRig.open({ limit: 1 });
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  const content = ['title', 'One', 'Two'].join('\n');
  const { rows, notThisCycle } = await rig.engine.commands.batches.plan({
    source: { name: 'Batch.csv', content },
    options: {},
  });
  expect(rows.map(({ wait }) => wait?.reason)).toEqual(['paused', 'quota']);
  expect(notThisCycle).toBe(1);
});
