import { expect, test } from 'vitest';
import { userMessage } from '../../../../src/contract/user-message.ts';
import type { ServiceApi } from '../../../../src/contract/service-profile.ts';
import type { GenerateOutcome } from '../../../../src/engine/service/outcomes.ts';
import { EngineRig, type EngineRigOptions } from '../../../rigs/engine-rig.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Videos a month in the documented API's Free plan. */
const FREE = 3;

/** A service that is not the documented one. */
const OTHER: Partial<ServiceApi> = {
  generate: { method: 'POST', path: '/v1/generations', pathBy: [], body: 'json' },
};

const TITLES = ['One', 'Two', 'Three', 'Four', 'Five'];

function open(options: EngineRigOptions = {}): Promise<EngineRig> {
  return EngineRig.open({ limit: FREE, api: OTHER, ...options });
}

async function isBlocked(rig: EngineRig): Promise<boolean> {
  return (await rig.update()).flow.state === 'blocked';
}

function refusal(rig: EngineRig, headers: Record<string, string> = {}): GenerateOutcome {
  const failure = {
    code: 'quota-used-up',
    ...userMessage('verbatim', { text: 'No credits.' }),
  } as const;
  return { kind: 'quota-used-up', failure, response: rig.service.response(402, headers) };
}

test('sends more rows than a documented plan allows if a profile names no cap', async () => {
  const rig = await open();
  const { notThisCycle, savedBy } = await rig.engine.commands.batches.plan({
    source: { name: 'Batch.csv', content: ['title', ...TITLES].join('\n') },
    options: {},
  });
  expect(notThisCycle).toBe(0);
  expect(savedBy).not.toBeNull();
  await rig.add(TITLES);
  const waiting = (await rig.jobs()).filter(({ state }) => state === 'queued');
  expect(new Set(waiting.map(({ wait }) => wait?.reason))).toEqual(new Set(['turn']));
  await rig.until(() => rig.service.videos.length === TITLES.length, HOUR);
  expect(rig.defects).toEqual([]);
});

test('has no quota if a profile names no cap', async () => {
  const rig = await open();
  await rig.add(['One']);
  await rig.until(() => rig.service.videos.length === 1);
  expect((await rig.update()).quota).toBeNull();
  expect(await rig.engine.commands.quota.days({})).toBeNull();
  await expect(
    rig.engine.commands.quota.correct({ origin: rig.engine.origin, used: 1 }),
  ).rejects.toThrow(/no quota/);
});

test('counts by the plan if a profile only narrows the limits of the documented API', async () => {
  const rig = await EngineRig.open({ limit: FREE, serviceLimits: { concurrent: { count: 5 } } });
  await rig.add(TITLES);
  await rig.until(() => rig.service.videos.length === FREE, HOUR);
  await rig.clock.advance(DAY);
  expect(rig.service.videos).toHaveLength(FREE);
  expect((await rig.update()).quota).toMatchObject({ per: 'month', plan: 'custom', limit: FREE });
});

test('stops sending when the service reports that nothing is left, and retries at growing intervals', async () => {
  const rig = await open();
  rig.service.nextGenerate.push(refusal(rig), refusal(rig));
  await rig.add(TITLES);
  await rig.until(() => isBlocked(rig));

  const { flow, quota } = await rig.update();
  expect(quota).toBeNull();
  expect(flow).toMatchObject({
    state: 'blocked',
    failure: {
      code: 'nothing-left',
      message: 'The service says that nothing is left.',
      retryAt: rig.clock.now() + MINUTE,
    },
  });
  expect((await rig.job(0)).wait).toEqual({
    reason: 'sending-suspended',
    until: rig.clock.now() + MINUTE,
  });
  await rig.clock.advance(MINUTE - SECOND);
  expect(rig.service.asked).toHaveLength(1);
  await rig.until(() => rig.service.asked.length === 2, MINUTE);
  await rig.clock.advance(4 * MINUTE - SECOND);
  expect(rig.service.asked).toHaveLength(2);
  await rig.until(() => rig.service.videos.length === TITLES.length, HOUR);
  expect((await rig.update()).flow).toEqual({ state: 'running' });
  const notes = (await rig.engine.commands.activity.list({ limit: 100 })).entries;
  expect(JSON.stringify(notes)).not.toMatch(/month/);
});

test('tries again at once when the user resumes', async () => {
  const rig = await open();
  rig.service.nextGenerate.push(refusal(rig, { 'retry-after': String((5 * DAY) / SECOND) }));
  await rig.add(['One']);
  await rig.until(() => isBlocked(rig));
  await rig.clock.advance(HOUR);
  expect(rig.service.asked).toHaveLength(1);
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(() => rig.service.videos.length === 1, MINUTE);
});

test('remembers after a restart that nothing is left', async () => {
  const before = await open();
  const { folder, clock, service } = before;
  service.nextGenerate.push(refusal(before, { 'retry-after': '7200' }));
  await before.add(['One']);
  await before.until(() => isBlocked(before));
  await before.close();

  const rig = await open({ folder, clock, service });
  await rig.clock.advance(HOUR);
  expect(service.asked).toHaveLength(1);
  await rig.until(() => service.videos.length === 1, 2 * HOUR);
});

test('counts the videos of today if a profile has a daily cap', async () => {
  const rig = await open({ serviceLimits: { cap: { count: 2, per: 'day' } } });
  await rig.add(TITLES);
  await rig.until(() => rig.service.videos.length === 2, HOUR);
  const { flow, quota } = await rig.update();
  expect(quota).toMatchObject({ per: 'day', plan: null, limit: 2, used: 2 });
  expect(flow).toMatchObject({
    failure: {
      code: 'daily-quota-used-up',
      message: 'All 2 videos of today are used or reserved.',
    },
  });
  const waits = (await rig.jobs()).slice(2).map(({ wait }) => wait);
  const [tomorrow, dayAfter] = [0, 24 * HOUR].map((ms) => quota!.resetAt + ms);
  expect(waits).toEqual(
    [tomorrow, tomorrow, dayAfter].map((until) => ({ reason: 'daily-quota', until })),
  );
});
