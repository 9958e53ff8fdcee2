import { expect, test } from 'vitest';
import type { Flow } from '../../../../src/contract/summary.ts';
import { inEnglish } from '../../../../src/contract/user-message.ts';
import { openKeyStore } from '../../../../src/engine/keys/key-store.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';
import { FakeKeychain } from '../../../rigs/fake-keychain.ts';
import { offline } from '../../../rigs/fake-service.ts';
import { RATE_DIALECTS, rateServer } from '../../../rigs/rate-servers.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function obstacle(flow: Flow): string {
  return flow.state === 'blocked' ? flow.failure.code : flow.state;
}

test('offline fails no row: the queue reports the reason and resumes automatically', async () => {
  const rig = await EngineRig.open();
  rig.service.trouble = offline;
  await rig.add(['One', 'Two']);
  await rig.clock.advance(5 * MINUTE);

  expect(obstacle((await rig.update()).flow)).toBe('service-unreachable');
  expect(rig.service.videos).toEqual([]);
  // Attempts after 1, 2, 4 … 60 s, at most halved by jitter: not one a second.
  expect(rig.service.asked.length).toBeLessThan(15);

  rig.service.trouble = null;
  await rig.until(async () => (await rig.update()).counts.done === 2, 3 * MINUTE);
  expect(rig.service.videos).toHaveLength(2);
  expect((await rig.update()).quota).toMatchObject({ used: 2, held: 0 });
});

test('six hours offline count as no attempt, and add nothing to the history', async () => {
  const rig = await EngineRig.open();
  rig.service.trouble = offline;
  const [one = ''] = await rig.add(['One', 'Two']);
  await rig.clock.advance(6 * 60 * MINUTE);

  const { job, history } = await rig.engine.commands.jobs.show({ id: one });
  expect(job.attempts).toBe(0);
  expect(history).toHaveLength(1);
  const { entries } = await rig.engine.commands.activity.list({ limit: 1000 });
  expect(entries.map(({ kind }) => kind)).toEqual(['added', 'added']);

  rig.service.trouble = null;
  await rig.until(async () => (await rig.update()).counts.done === 2, 3 * MINUTE);
  expect((await rig.job(0)).attempts).toBe(1);
});

test('being offline uses no link: the download resumes as soon as the network is back', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.transfers.pause({ origin: rig.engine.origin });
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'ready');
  rig.service.trouble = offline;
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
  await rig.clock.advance(40 * MINUTE);

  rig.service.trouble = null;
  await rig.until(async () => (await rig.job(0)).state === 'done', 3 * MINUTE);
});

test('a service that becomes unreachable during a render is waited for', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'rendering');
  rig.service.trouble = offline;
  await rig.clock.advance(30 * MINUTE);
  expect((await rig.job(0)).state).toBe('rendering');

  rig.service.trouble = null;
  await rig.until(async () => (await rig.job(0)).state === 'done', 10 * MINUTE);
});

test('a refused key stops the queue, which keeps its rows until a key works', async () => {
  const rig = await EngineRig.open();
  rig.service.keyIs = 'refused';
  await rig.add(['One', 'Two']);
  await rig.clock.advance(30 * MINUTE);

  expect(obstacle((await rig.update()).flow)).toBe('key-refused');
  expect(rig.service.asked).toHaveLength(1);
  expect((await rig.jobs()).map(({ state }) => state)).toEqual(['queued', 'queued']);
  // It is unknown when the next key will be entered.
  expect((await rig.job(0)).forecast).toEqual({ sendAt: null, readyAt: null, savedAt: null });
  expect((await rig.update()).quota).toMatchObject({ used: 0, held: 0 });

  rig.service.keyIs = 'accepted';
  const set = rig.engine.commands.key.set({ origin: ORIGIN, value: 'svc_live_another_key_wxyz' });
  await rig.clock.advance(1000);
  expect(await set).toMatchObject({ state: 'accepted', lastFour: 'wxyz' });
  await rig.until(async () => (await rig.update()).counts.done === 2);
});

test('a key entered while the previous one is being refused stays in use', async () => {
  const rig = await EngineRig.open();
  rig.service.latencyMs = 10_000;
  const failure = { code: 'key-refused', ...inEnglish('The key is not valid.') } as const;
  rig.service.nextGenerate.push({ kind: 'key-refused', failure, answer: rig.service.answer(401) });
  await rig.add(['One']);
  await rig.until(() => rig.service.asked.length === 1);

  rig.service.latencyMs = 100;
  const set = rig.engine.commands.key.set({ origin: ORIGIN, value: 'svc_live_another_key_wxyz' });
  await rig.clock.advance(1000);
  await set;

  await rig.until(async () => (await rig.job(0)).state === 'done');
});

test('without a key nothing is sent', async () => {
  const rig = await EngineRig.open({ key: null });
  await rig.add(['One']);
  await rig.clock.advance(5 * MINUTE);

  expect(obstacle((await rig.update()).flow)).toBe('key-missing');
  expect(rig.service.asked).toEqual([]);
});

// abuse.md 21
test.each<[when: string, act: (rig: EngineRig) => Promise<unknown>]>([
  ['a batch is added', (rig) => rig.add(['Two'])],
  ['the queue is resumed', ({ engine }) => engine.commands.queue.resume({ origin: engine.origin })],
  ['the key is tested', ({ engine }) => engine.commands.key.check()],
])('a key in a keychain that was locked at the start is used when %s', async (_when, act) => {
  const clock = new VirtualClock();
  const keychain = new FakeKeychain();
  const store = await openKeyStore({ clock, loadKeychain: () => Promise.resolve(keychain) });
  await store.set(ORIGIN, 'svc_live_from_an_earlier_run');
  keychain.trouble = 'locked';
  const keys = await openKeyStore({
    clock,
    loadKeychain: () => Promise.resolve(keychain),
  });
  const rig = await EngineRig.open({ clock, keys, key: null });
  await rig.add(['One']);
  await clock.advance(5 * MINUTE);
  expect(obstacle((await rig.update()).flow)).toBe('key-missing');
  const tried = keychain.calls;

  keychain.trouble = 'none';
  await clock.advance(60 * MINUTE);
  // A read can show a prompt, so only the user's actions cause one.
  expect(keychain.calls).toBe(tried);
  const done = act(rig);

  await rig.until(async () => (await rig.job(0)).state === 'done');
  await done;
  expect((await rig.update()).key).toMatchObject({ keptIn: 'keychain', trouble: null });
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

test('a 429 returns the job to the queue until the time that the service gave', async () => {
  const rig = await EngineRig.open();
  rig.service.nextGenerate.push({
    kind: 'rate-limited',
    answer: rig.service.answer(429, { 'retry-after': '600', 'x-ratelimit-remaining': '0' }),
  });
  await rig.add(['One']);
  const start = rig.clock.monotonic();

  await rig.until(() => rig.service.videos.length === 1);

  const waited = rig.clock.monotonic() - start;
  expect(waited).toBeGreaterThan(10 * MINUTE - 2000);
  expect(waited).toBeLessThan(11 * MINUTE);
  expect(rig.service.asked).toHaveLength(2);
});

test('a refused request costs nothing and does not stop other rows', async () => {
  const rig = await EngineRig.open();
  const failure = { code: 'service-refused', ...inEnglish('A colour is wrong.') } as const;
  rig.service.nextGenerate.push({
    kind: 'rejected',
    about: 'video',
    failure,
    answer: rig.service.answer(400),
  });
  await rig.add(['One', 'Two']);

  await rig.until(async () => (await rig.update()).counts.done === 1);

  expect(await rig.job(0)).toMatchObject({ state: 'rejected', failure });
  expect((await rig.update()).quota).toMatchObject({ used: 1, held: 0 });
  await rig.clock.advance(60 * MINUTE);
  expect(rig.service.asked).toHaveLength(2);
});

test('a failed render is refunded and shows the service’s message', async () => {
  const rig = await EngineRig.open();
  rig.service.nextStatus.push({
    state: 'failed',
    word: 'error',
    progress: null,
    error: 'No font.',
  });
  await rig.add(['One']);

  await rig.until(async () => (await rig.job(0)).state === 'failed');

  expect((await rig.job(0)).failure).toMatchObject({ code: 'render-failed', detail: 'No font.' });
  expect((await rig.update()).quota).toMatchObject({ used: 0, held: 0 });
});

test('an unknown status word is shown, can be defined, and is requested again', async () => {
  const rig = await EngineRig.open();
  const word = { state: null, word: 'percolating', progress: null, error: null };
  rig.service.nextStatus.push(word, word);
  await rig.add(['One']);

  await rig.until(async () => (await rig.job(0)).wordUnknown);
  expect((await rig.job(0)).serviceWord).toBe('percolating');
  await rig.engine.commands.service.teach({
    origin: rig.engine.origin,
    word: 'Percolating',
    means: 'working',
  });

  await rig.until(async () => (await rig.job(0)).state === 'done');
});

test('a request of unknown outcome waits for the user and is never resent automatically', async () => {
  const rig = await EngineRig.open();
  const failure = { code: 'outcome-unknown', ...inEnglish('The connection broke.') } as const;
  rig.service.nextGenerate.push({ kind: 'unknown', failure, answer: null });
  await rig.add(['One', 'Two']);
  await rig.until(async () => (await rig.job(1)).state === 'done');
  await rig.clock.advance(60 * MINUTE);

  expect(await rig.job(0)).toMatchObject({ state: 'uncertain', failure });
  expect(rig.service.asked).toHaveLength(2);
  expect((await rig.update()).quota).toMatchObject({ used: 1, held: 1 });
});

test('a full disk pauses downloads, is reported, and is retried', async () => {
  const rig = await EngineRig.open();
  const full = { kind: 'waiting', reason: 'no-space', until: null, neededBytes: 10 } as const;
  rig.nextDownload.push(full, full);
  await rig.add(['One']);
  await rig.until(async () => obstacle((await rig.update()).flow) === 'disk-full');

  await rig.until(async () => (await rig.job(0)).state === 'done', 5 * MINUTE);
  expect((await rig.update()).flow).toEqual({ state: 'running' });
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

/** Saves ten of twelve videos, which uses up the limit of the hour. */
async function tenOfTwelve(rig: EngineRig): Promise<void> {
  rig.service.rateLimit = rateServer('sliding-next', 10, HOUR);
  await rig.add(Array.from({ length: 12 }, (_, index) => `Row ${index}`));
  await rig.until(async () => (await rig.update()).counts.done === 10);
}

test.each(RATE_DIALECTS)(
  'a limit that a service reports as %s is used to the last request, and again once it resets',
  async (dialect) => {
    const rig = await EngineRig.open();
    const tenMinutesLeft = 1 / 6;
    rig.service.rateLimit = rateServer('fixed', 10, HOUR, tenMinutesLeft);
    rig.service.rateDialect = dialect;
    await rig.add(Array.from({ length: 12 }, (_, index) => `Row ${index}`));
    await rig.until(() => rig.service.videos.length === 12, 10 * MINUTE + 5000);
    expect(rig.service.tooEarly).toBe(0);
  },
);

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
    answer: rig.service.answer(429, { 'retry-after': '7200', 'x-ratelimit-remaining': '0' }),
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

test('an identifier of another active video is not accepted', async () => {
  const rig = await EngineRig.open();
  const answer = rig.service.answer(200);
  rig.service.nextGenerate.push(
    { kind: 'accepted', remoteId: 'the-same', answer },
    { kind: 'accepted', remoteId: 'the-same', answer },
  );
  const [, two = ''] = await rig.add(['One', 'Two']);
  await rig.until(async () => (await rig.job(1)).state === 'uncertain');

  expect(await rig.job(0)).toMatchObject({ remoteId: 'the-same' });
  expect((await rig.job(1)).failure).toMatchObject({ code: 'outcome-unknown', detail: 'the-same' });
  expect((await rig.job(1)).failure?.message).toContain('“One”');
  await expect(
    rig.engine.commands.jobs.resolve({ id: two, attempts: 1, as: 'made', remoteId: 'the-same' }),
  ).rejects.toMatchObject({ failure: { code: 'not-possible-now' } });
});

test('an identifier of a saved video is not accepted for another request', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'done');
  const { remoteId } = await rig.job(0);
  rig.service.nextGenerate.push({
    kind: 'accepted',
    remoteId: remoteId ?? '',
    answer: rig.service.answer(200),
  });

  await rig.add(['Two']);
  await rig.until(async () => (await rig.job(1)).state === 'uncertain');

  expect((await rig.job(1)).failure?.message).toContain('“One”');
});

test('a service that claims a huge limit neither stops the engine nor fills its memory', async () => {
  const rig = await EngineRig.open();
  rig.service.nextGenerate.push({
    kind: 'accepted',
    remoteId: 'video-0',
    answer: rig.service.answer(200, {
      'x-ratelimit-remaining': '999999999',
      'x-ratelimit-reset': new Date(rig.clock.now() + 60 * MINUTE).toISOString(),
    }),
  });
  await rig.add(['One', 'Two']);
  await rig.until(() => rig.service.videos.length === 1);

  const { limits } = await rig.update();
  expect(limits.generate.limit).toBeLessThanOrEqual(10_000);
  expect((await rig.job(1)).forecast).toBeDefined();
  expect(rig.defects).toEqual([]);
});
