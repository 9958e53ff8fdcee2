import { expect, test } from 'vitest';
import { userMessage } from '../../../../src/contract/user-message.ts';
import type { GenerateOutcome } from '../../../../src/engine/service/outcomes.ts';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Ten minutes before February, by the service's clock. */
const EVE = Date.UTC(2026, 0, 31, 23, 50);
const FEBRUARY = Date.UTC(2026, 1, 1);

/** A service with one video a month, on a computer whose clock is `aheadMs` ahead. */
async function oneAMonth(aheadMs: number, startAt = EVE): Promise<EngineRig> {
  const rig = await EngineRig.open({ clock: new VirtualClock(startAt + aheadMs), limit: 2 });
  rig.service.aheadMs = -aheadMs;
  rig.service.monthlyQuota = 1;
  return rig;
}

function refusalUntil(until: number | 'in a second', rig: EngineRig): GenerateOutcome {
  const failure = {
    code: 'quota-used-up',
    ...userMessage('verbatim', { text: 'No videos left.' }),
  } as const;
  const response =
    until === 'in a second'
      ? rig.service.response(403, { 'retry-after': '1' })
      : rig.service.response(403);
  const details = until === 'in a second' ? {} : { resetAt: new Date(until).toISOString() };
  return {
    kind: 'quota-used-up',
    failure,
    response: { ...response, body: JSON.stringify({ details }) },
  };
}

test.each([-600 * SECOND, -2 * SECOND, 0, 2 * SECOND, 540 * SECOND])(
  'the first request of a month is not refused when the clock is %i ms ahead',
  async (aheadMs) => {
    const rig = await oneAMonth(aheadMs);
    rig.service.monthlyQuota = 2;
    await rig.add(['One', 'Two', 'Three']);
    await rig.until(() => rig.service.videos.length === 3, 20 * MINUTE);

    expect(rig.service.quotaRefusals).toBe(0);
    expect(rig.service.now() - FEBRUARY).toBeLessThan(10 * SECOND);
    expect((await rig.update()).quota).toMatchObject({ used: 1 });
  },
);

test.each([-HOUR, HOUR])(
  'a video sent as a month begins counts for that month after the clock is set by %i ms',
  async (byMs) => {
    const rig = await oneAMonth(0);
    rig.service.monthlyQuota = 2;
    await rig.add(['One', 'Two', 'Three']);
    await rig.until(() => rig.service.videos.length === 3, 20 * MINUTE);
    rig.clock.jumpWall(byMs);
    await rig.clock.advance(HOUR);
    expect((await rig.update()).quota).toMatchObject({ used: 1 });

    await rig.add(['Four', 'Five']);
    await rig.clock.advance(HOUR);
    expect([rig.service.videos.length, rig.service.quotaRefusals]).toEqual([4, 0]);
  },
);

test.each(['sleeps', 'is closed'])(
  'nothing is sent early when the computer %s for days and its clock is ahead',
  async (how) => {
    const rig = await oneAMonth(35 * SECOND, FEBRUARY - 4 * DAY);
    rig.service.monthlyQuota = 2;
    await rig.add(['One', 'Two', 'Three']);
    await rig.until(async () => (await rig.update()).counts.done === 2, 20 * MINUTE);
    const awayMs = 4 * DAY - HOUR;
    if (how === 'is closed') await rig.close();
    rig.clock.jumpWall(awayMs);
    rig.service.aheadMs += awayMs;
    const { folder, clock, service } = rig;
    if (how === 'is closed') {
      // The computer's clock is set meanwhile.
      rig.clock.jumpWall(30 * SECOND);
      await EngineRig.open({ folder, clock, service, limit: 2 });
    }
    await clock.advance(90 * MINUTE);

    expect([service.videos.length, service.quotaRefusals]).toEqual([3, 0]);
  },
);

test('a month refused under an unverified clock resumes at the service’s reset time', async () => {
  const rig = await oneAMonth(60 * SECOND);
  rig.service.tellsTime = false;
  await rig.add(['One', 'Two']);
  await rig.until(() => rig.service.quotaRefusals === 1, 20 * MINUTE);
  // Refused in January, and again in what only the computer's clock considers February.
  await rig.until(() => rig.service.quotaRefusals === 2, 20 * MINUTE);
  await rig.until(() => rig.service.videos.length === 2, 5 * MINUTE);
  expect(rig.service.now()).toBeGreaterThanOrEqual(FEBRUARY);
});

test('a refusal for seconds is waited out, forecast to the second, and not shown as a used-up month', async () => {
  const rig = await EngineRig.open();
  const resetAt = rig.clock.now() + 40 * SECOND;
  rig.service.nextGenerate.push(refusalUntil(resetAt, rig));
  await rig.add(['One']);
  await rig.until(() => rig.service.asked.length === 1);
  await rig.clock.advance(11 * SECOND);

  const { flow, quota, nextSendAt } = await rig.update();
  expect(flow).toEqual({ state: 'running' });
  expect(quota?.refused).toBe(false);
  await rig.until(() => rig.service.asked.length === 2, MINUTE);
  const sentAt = rig.clock.now();
  expect(sentAt - resetAt).toBeGreaterThanOrEqual(0);
  expect(sentAt - resetAt).toBeLessThan(10 * SECOND);
  expect(Math.abs(sentAt - (nextSendAt ?? 0))).toBeLessThan(SECOND);
});

test('a service that always promises quota in a second is asked at growing intervals', async () => {
  const rig = await EngineRig.open();
  for (let n = 0; n < 8; n++) rig.service.nextGenerate.push(refusalUntil('in a second', rig));
  await rig.add(['One']);
  await rig.clock.advance(6 * HOUR);
  // Now, after a second, then 1, 4, 16, 64 and 256 minutes apart.
  expect(rig.service.asked).toHaveLength(7);
  expect(rig.defects).toEqual([]);
});

test('a refusal without a reset time is retried at growing intervals, then daily', async () => {
  const rig = await oneAMonth(0, Date.UTC(2026, 0, 5));
  rig.service.tellsReset = false;
  await rig.add(['One', 'Two']);
  await rig.until(() => rig.service.quotaRefusals === 1);
  const { flow, quota } = await rig.update();
  const message = expect.stringContaining('again every day') as string;
  expect(flow).toMatchObject({ state: 'blocked', failure: { code: 'quota-used-up', message } });
  expect(quota).toMatchObject({ refused: true, used: 1, held: 0 });

  const minutesUntil: number[] = [];
  const start = rig.clock.monotonic();
  for (let refusals = 2; refusals <= 9; refusals++) {
    await rig.until(() => rig.service.quotaRefusals === refusals, DAY + MINUTE);
    minutesUntil.push(Math.floor((rig.clock.monotonic() - start) / MINUTE));
  }
  expect(minutesUntil).toEqual([1, 5, 21, 85, 341, 1365, 1365 + 1440, 1365 + 2 * 1440]);

  rig.service.monthlyQuota = 2;
  await rig.until(() => rig.service.videos.length === 2, DAY + MINUTE);
  expect((await rig.update()).quota).toMatchObject({ refused: false, used: 2 });
});

test('a refusal until the end of the month is retried daily', async () => {
  const rig = await oneAMonth(0, Date.UTC(2026, 0, 5));
  await rig.add(['One', 'Two']);
  await rig.clock.advance(2 * DAY + MINUTE);
  expect(rig.service.quotaRefusals).toBe(3);

  rig.service.monthlyQuota = 2;
  await rig.until(() => rig.service.videos.length === 2, DAY + MINUTE);
});

test.each(['resumes the queue', 'tries now', 'selects another plan', 'corrects the count'])(
  'a refusal is retried at once when the user %s',
  async (what) => {
    const rig = await oneAMonth(0, Date.UTC(2026, 0, 5));
    await rig.add(['One', 'Two']);
    await rig.until(() => rig.service.quotaRefusals === 1);
    rig.service.monthlyQuota = 2;

    if (what === 'resumes the queue')
      await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
    else if (what === 'tries now') await rig.engine.commands.service.tryNow();
    else if (what === 'corrects the count')
      await rig.engine.commands.quota.correct({ origin: rig.engine.origin, used: 1 });
    else rig.engine.applySettings({}, { name: 'custom', limit: 100, anchor: Date.UTC(2026, 0, 1) });
    await rig.until(() => rig.service.videos.length === 2, MINUTE);
  },
);

test('a quota refusal as a 429 with a Retry-After of weeks delays nothing longer than a day', async () => {
  const rig = await EngineRig.open();
  const failure = {
    code: 'quota-used-up',
    ...userMessage('verbatim', { text: 'No videos left.' }),
  } as const;
  const response = rig.service.response(429, { 'retry-after': String((14 * DAY) / SECOND) });
  rig.service.nextGenerate.push({ kind: 'quota-used-up', failure, response });
  await rig.add(['One']);
  await rig.until(() => rig.service.asked.length === 1);

  await rig.until(() => rig.service.videos.length === 1, DAY + MINUTE);
});

test('the local quota count stops at the plan’s limit, and the user can correct it', async () => {
  const rig = await EngineRig.open({ limit: 2 });
  await rig.add(['One', 'Two', 'Three']);
  await rig.until(async () => (await rig.update()).counts.done === 2);
  await rig.clock.advance(10 * MINUTE);
  expect(rig.service.asked).toHaveLength(2);

  await rig.engine.commands.quota.correct({ origin: rig.engine.origin, used: 1 });
  await rig.until(async () => (await rig.update()).counts.done === 3);

  expect((await rig.update()).quota).toMatchObject({ limit: 2, used: 2 });
});
