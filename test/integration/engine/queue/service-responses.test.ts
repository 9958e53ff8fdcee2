import { expect, test } from 'vitest';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { RATE_DIALECTS, rateServer } from '../../../rigs/rate-servers.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('a 429 returns the job to the queue until the time that the service gave', async () => {
  const rig = await EngineRig.open();
  rig.service.nextGenerate.push({
    kind: 'rate-limited',
    response: rig.service.response(429, { 'retry-after': '600', 'x-ratelimit-remaining': '0' }),
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
  const failure = {
    code: 'service-refused',
    ...userMessage('verbatim', { text: 'A colour is wrong.' }),
  } as const;
  rig.service.nextGenerate.push({
    kind: 'rejected',
    about: 'video',
    failure,
    response: rig.service.response(400),
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
  await rig.engine.commands.service.defineWord({
    origin: rig.engine.origin,
    word: 'Percolating',
    means: 'working',
  });

  await rig.until(async () => (await rig.job(0)).state === 'done');
});

test('a request of unknown outcome waits for the user and is never resent automatically', async () => {
  const rig = await EngineRig.open();
  const failure = {
    code: 'outcome-unknown',
    ...userMessage('verbatim', { text: 'The connection broke.' }),
  } as const;
  rig.service.nextGenerate.push({ kind: 'unknown', failure, response: null });
  await rig.add(['One', 'Two']);
  await rig.until(async () => (await rig.job(1)).state === 'done');
  await rig.clock.advance(60 * MINUTE);

  expect(await rig.job(0)).toMatchObject({ state: 'uncertain', failure });
  expect(rig.service.asked).toHaveLength(2);
  expect((await rig.update()).quota).toMatchObject({ used: 1, held: 1 });
});

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

test('an identifier of another active video is not accepted', async () => {
  const rig = await EngineRig.open();
  const response = rig.service.response(200);
  rig.service.nextGenerate.push(
    { kind: 'accepted', remoteId: 'the-same', response },
    { kind: 'accepted', remoteId: 'the-same', response },
  );
  const [, two = ''] = await rig.add(['One', 'Two']);
  await rig.until(async () => (await rig.job(1)).state === 'uncertain');

  expect(await rig.job(0)).toMatchObject({ remoteId: 'the-same' });
  expect((await rig.job(1)).failure).toMatchObject({ code: 'outcome-unknown', detail: 'the-same' });
  expect((await rig.job(1)).failure?.message).toContain('“One”');
  await expect(
    rig.engine.commands.jobs.resolve({
      id: two,
      attempts: 1,
      as: 'accepted',
      remoteId: 'the-same',
    }),
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
    response: rig.service.response(200),
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
    response: rig.service.response(200, {
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
