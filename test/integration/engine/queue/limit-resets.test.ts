import { expect, test } from 'vitest';
import type { Summary } from '../../../../src/contract/summary.ts';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { offline } from '../../../rigs/fake-service.ts';
import { rateServer } from '../../../rigs/rate-servers.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const HOUR = 3_600_000;

/** Returns the last summary that was pushed. It requests none, as that could refresh it. */
function listen(rig: EngineRig): () => Summary | undefined {
  let latest: Summary | undefined;
  const end = new AbortController();
  void (async () => {
    for await (const { summary } of rig.engine.watch(undefined, end.signal)) latest = summary;
  })();
  return () => latest;
}

test('a watcher of an idle queue is notified when limits and quota reset', async () => {
  // The hourly limit resets at 23:54, the quota at midnight.
  const clock = new VirtualClock(Date.UTC(2026, 0, 31, 23, 50));
  const rig = await EngineRig.open({ clock });
  rig.service.rateLimit = rateServer('fixed', 10, 3_600_000, 54 / 60);
  const latest = listen(rig);
  await rig.add(['One']);
  await rig.until(() => latest()?.counts.done === 1);
  expect(latest()).toMatchObject({
    limits: { generate: { remaining: 9 } },
    quota: { used: 1, resetAt: Date.UTC(2026, 1, 1) },
  });

  await clock.advance(3 * 60_000);
  expect(latest()).toMatchObject({
    limits: { generate: { remaining: 10, resetAt: null } },
    quota: { used: 1 },
  });

  await clock.advance(7 * 60_000);
  expect(latest()?.quota).toMatchObject({ used: 0, resetAt: Date.UTC(2026, 2, 1) });
});

test('a watcher of an idle queue receives nothing while nothing resets', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'done');
  const latest = listen(rig);
  await rig.clock.advance(5000);
  const before = latest();
  await rig.clock.advance(60_000);

  expect(before?.counts.done).toBe(1);
  expect(latest()).toBe(before);
});

test('after a sleep across the end of a month, the quota resets before the service responds', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 31, 23, 50));
  const rig = await EngineRig.open({ clock, limit: 2 });
  await rig.add(['One', 'Two', 'Three']);
  await rig.until(async () => (await rig.update()).counts.done === 2);

  // During sleep the wall clock and the service's advance, timers do not.
  clock.jumpWall(8 * HOUR);
  rig.service.aheadMs += 8 * HOUR;
  // The network is not up yet.
  rig.service.trouble = offline;
  await clock.advance(60_000);

  const march = Date.UTC(2026, 2, 1);
  expect((await rig.update()).quota).toMatchObject({ used: 0, resetAt: march });
  expect((await rig.engine.commands.quota.days({ zone: 'UTC' }))?.cycle.end).toBe(march);
  expect((await rig.job(2)).forecast.sendAt).toBeLessThan(clock.now() + HOUR);

  await rig.engine.commands.quota.correct({ origin: rig.engine.origin, used: 1 });
  await rig.add(['Four'], 'Another.csv');
  rig.service.trouble = null;
  await clock.advance(HOUR);
  expect((await rig.update()).quota).toMatchObject({ used: 2, resetAt: march });
  expect(rig.service.videos).toHaveLength(3);
});
