import { expect, test } from 'vitest';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { rateServer } from '../../../rigs/rate-servers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Saves ten of twelve videos, which uses up the limit of the hour. */
async function tenOfTwelve(rig: EngineRig): Promise<void> {
  rig.service.rateLimit = rateServer('sliding-next', 10, HOUR);
  await rig.add(Array.from({ length: 12 }, (_, index) => `Row ${index}`));
  await rig.until(async () => (await rig.update()).counts.done === 10);
}

test('a clock set forward by hours does not make the queue wait or send too early', async () => {
  const rig = await EngineRig.open();
  await tenOfTwelve(rig);
  const firstAt = rig.service.videos[0]?.madeAt ?? 0;
  rig.clock.jumpWall(5 * HOUR);

  await rig.until(() => rig.service.videos.length === 12, 2 * HOUR);

  // The computer may have slept for as long: one request finds out, and its 429 costs nothing.
  expect(rig.service.tooEarly).toBeLessThanOrEqual(1);
  expect(rig.clock.monotonic() - firstAt).toBeLessThan(HOUR + 10_000);
});

test('a clock that was set back while Spool was closed delays the queue by an hour at most', async () => {
  const rig = await EngineRig.open();
  await tenOfTwelve(rig);
  await rig.close();
  rig.clock.jumpWall(-12 * HOUR);

  const next = await EngineRig.open({
    folder: rig.folder,
    clock: rig.clock,
    service: rig.service,
  });
  await next.until(() => rig.service.videos.length === 12, HOUR + MINUTE);
  expect(rig.service.tooEarly).toBe(0);
});

test('a clock that was set back while Spool was closed does not extend a Retry-After', async () => {
  const rig = await EngineRig.open();
  rig.service.nextGenerate.push({
    kind: 'rate-limited',
    response: rig.service.response(429, { 'retry-after': '7200', 'x-ratelimit-remaining': '0' }),
  });
  await rig.add(['One']);
  await rig.until(() => rig.service.asked.length === 1);
  await rig.clock.advance(1000);
  await rig.close();
  rig.clock.jumpWall(-12 * HOUR);

  const next = await EngineRig.open({
    folder: rig.folder,
    clock: rig.clock,
    service: rig.service,
  });
  await next.until(() => rig.service.videos.length === 1, 2 * HOUR + MINUTE);
});

test('a clock set back by hours does not delay a finished video', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One', 'Two']);
  await rig.until(async () => (await rig.update()).counts.rendering === 2);
  rig.clock.jumpWall(-5 * 60 * MINUTE);

  await rig.until(async () => (await rig.update()).counts.done === 2, 10 * MINUTE);
});

test('a clock set back by hours while Spool was closed does not delay a finished video', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One', 'Two']);
  await rig.until(async () => (await rig.update()).counts.rendering === 2);
  await rig.close();
  rig.clock.jumpWall(-5 * HOUR);

  const { folder, clock, service } = rig;
  const next = await EngineRig.open({ folder, clock, service });
  await next.until(async () => (await next.update()).counts.done === 2, 10 * MINUTE);
});

test('a clock that jumps back and forth during a full window costs no video', async () => {
  const rig = await EngineRig.open();
  await tenOfTwelve(rig);
  for (const hours of [3, -7, 11, -7]) {
    rig.clock.jumpWall(hours * HOUR);
    await rig.clock.advance(5 * MINUTE);
  }
  // The computer may have slept twice: one request each time finds out.
  expect(rig.service.tooEarly).toBeLessThanOrEqual(2);

  await rig.until(async () => (await rig.update()).counts.done === 12, HOUR);
  expect(rig.service.tooEarly).toBeLessThanOrEqual(2);
  expect(rig.service.videos).toHaveLength(12);
  expect(rig.defects).toEqual([]);
});

test('time that the computer slept does not count as render time', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'rendering');
  // During sleep the wall clock and the service's advance, timers do not.
  rig.clock.jumpWall(8 * HOUR);
  rig.service.aheadMs = 8 * HOUR;
  await rig.until(async () => (await rig.job(0)).state === 'done');

  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  await rig.add(['Two'], 'Another.csv');
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.clock.advance(2000);
  const { forecast, submittedAt } = await rig.job(1);
  expect((forecast.readyAt ?? Infinity) - (submittedAt ?? 0)).toBeLessThan(5 * MINUTE);
});

test('a computer that goes to sleep sends nothing until it wakes', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.service.fallAsleep();
  await rig.add(['One']);
  await rig.clock.advance(30_000);
  expect(rig.service.videos).toEqual([]);
  await rig.engine.commands.service.tryNow();
  await rig.until(async () => (await rig.job(0)).state === 'done');
});

test('a cancelled sleep delays the queue by a minute and no longer', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.service.fallAsleep();
  await rig.add(['One']);
  await rig.clock.advance(MINUTE - 1000);
  expect(rig.service.asked).toEqual([]);

  await rig.clock.advance(2000);
  expect(rig.service.asked).toHaveLength(1);
});
