import { expect, onTestFinished, test } from 'vitest';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import { QuotaTracker } from '../../../../src/engine/flow/quota-tracker.ts';
import { limitsOf, type ServiceLimits } from '../../../../src/engine/pacing/service-limits.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const DAY = 86_400_000;

async function setUp(clock: VirtualClock, aheadMs = 0, service: Partial<ServiceLimits> = {}) {
  const folder = temporaryFolder();
  const now = clock.now();
  const origin = 'https://service.example';
  const store = await openStore({ folder, origin, now });
  onTestFinished(() => store.close());
  const plan = { name: 'custom', limit: 10, anchor: Date.UTC(2026, 0, 1) };
  const limits = { serviceAheadMs: aheadMs, likelyAheadMs: aheadMs };
  const quota = new QuotaTracker(plan, store, limits, clock, {
    ...limitsOf(DOCUMENTED_API),
    ...service,
  });
  return { quota, notes: store.notes };
}

const REFUSAL = { status: 403, headers: {}, body: '{"code":"QUOTA_EXCEEDED"}' };

test('a refusal stored by an earlier version is retried at once', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5));
  const { quota, notes } = await setUp(clock);
  notes.write('quota', { cycleStart: Date.UTC(2026, 0, 1), correction: 2, refused: true });
  expect(quota.view()).toMatchObject({ refused: true, used: 2 });
  expect(quota.left).toBe(0);
  expect(quota.wait()).toBe(0);
});

test('after the clock is set back, a retry is at most a day away', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5));
  const { quota } = await setUp(clock);
  const body = JSON.stringify({ details: { resetAt: '2026-01-20T00:00:00Z' } });
  quota.refuse({ status: 403, headers: {}, body, sentAt: clock.now(), receivedAt: clock.now() });
  clock.jumpWall(-2 * DAY);
  expect(quota.wait()).toBeLessThanOrEqual(DAY);
});

test('a service that refuses after its reset is asked after a minute twice, then less often', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 1, 1, 0, 0, 5));
  const { quota } = await setUp(clock);
  const waits: number[] = [];
  for (let refusals = 1; refusals <= 4; refusals += 1) {
    quota.refuse({ ...REFUSAL, sentAt: clock.now(), receivedAt: clock.now() });
    waits.push(quota.wait());
    await clock.advance(quota.wait());
  }
  expect(waits).toEqual([60_000, 60_000, 240_000, 960_000]);
});

test.each([
  [0, '2026-02-01T00:00:05.000Z'],
  [-2000, '2026-02-01T00:00:07.000Z'],
  [600_000, '2026-01-31T23:50:05.000Z'],
  // A clock that is more than a year off is not used.
  [400 * DAY, '2026-02-01T00:00:05.000Z'],
  [-400 * DAY, '2026-02-01T00:00:05.000Z'],
])('a cycle ends for a service that is %i ms ahead at %s', async (aheadMs, end) => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 31, 12));
  const { quota } = await setUp(clock, aheadMs);
  quota.correct(10);
  expect(new Date(clock.now() + quota.wait()).toISOString()).toBe(end);
  await clock.advance(quota.wait() - 1);
  expect(quota.left).toBe(0);
  await clock.advance(1);
  expect(quota.left).toBe(10);
});

test.each([-600_000, 0, 600_000])(
  'a cycle has 31 days until its end, and the next one day after it, for a service %i ms ahead',
  async (aheadMs) => {
    const clock = new VirtualClock(Date.UTC(2026, 0, 31, 12));
    const { quota } = await setUp(clock, aheadMs);
    quota.correct(10);
    await clock.advance(quota.wait() - 1);
    expect(quota.days('UTC')?.days).toHaveLength(31);
    await clock.advance(1);
    expect(quota.days('UTC')?.days.map(({ date }) => date)).toEqual(['2026-02-01']);
  },
);

test('a daily quota of the profile applies whatever the plan', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 31, 12));
  const { quota } = await setUp(clock, 0, { quota: { count: 3, per: 'day' } });
  expect(quota.view()).toMatchObject({
    plan: null,
    per: 'day',
    limit: 3,
    resetAt: Date.UTC(2026, 1, 1),
  });
  quota.correct(3);
  expect(quota.wait()).toBe(DAY / 2 + 5000);
  await clock.advance(quota.wait());
  expect(quota.left).toBe(3);
  expect(quota.view()?.resetAt).toBe(Date.UTC(2026, 1, 2));
});

test('a monthly quota of the profile applies from the billing date on', async () => {
  const { quota } = await setUp(new VirtualClock(Date.UTC(2026, 0, 31, 12)), 0, {
    quota: { count: 2000, per: 'month' },
  });
  expect(quota.view()).toMatchObject({ limit: 2000, resetAt: Date.UTC(2026, 1, 1) });
});

test('a service without a quota has no count, no end and no wait, until it refuses a request', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 31, 23, 59));
  const { quota } = await setUp(clock, 0, { quota: null });
  expect([quota.view(), quota.days('UTC'), quota.quota, quota.per]).toEqual(Array(4).fill(null));
  expect([quota.left, quota.room, quota.wait()]).toEqual([Infinity, Infinity, 0]);
  expect(quota.dependsOnTime).toBe(false);
  expect(() => {
    quota.correct(1);
  }).toThrow(/no quota/);

  quota.refuse({ ...REFUSAL, sentAt: clock.now(), receivedAt: clock.now() });
  expect([quota.isUsedUp, quota.left, quota.wait()]).toEqual([true, 0, 60_000]);
  // A new month begins, which changes nothing.
  await clock.advance(60_000);
  quota.refuse({ ...REFUSAL, sentAt: clock.now(), receivedAt: clock.now() });
  expect(quota.wait()).toBe(240_000);
  quota.accepted();
  expect([quota.isUsedUp, quota.wait()]).toEqual([false, 0]);
});

test('a refusal gives the reset time in the header that the profile names', async () => {
  const HOUR = 3_600_000;
  const clock = new VirtualClock(Date.UTC(2026, 0, 5));
  const { quota } = await setUp(clock, 0, {
    headers: [{ name: 'X-Quota-Wait', means: 'retry-after', endpoint: null }],
  });
  const headers = { 'x-quota-wait': '7200' };
  quota.refuse({ ...REFUSAL, headers, sentAt: clock.now(), receivedAt: clock.now() });
  expect(quota.wait()).toBe(2 * HOUR);
});
