import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Job } from '../../../../src/contract/job.ts';
import { profileSchema } from '../../../../src/engine/profiles/profile.ts';
import { builtInProfile } from '../../../../src/engine/profiles/services.ts';
import { proposeService } from '../../../../src/host/settings/propose-service.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { documentedExamples } from '../../../rigs/service-examples.ts';
import { creatomate } from '../../../rigs/service-fakes/creatomate.ts';
import { fal } from '../../../rigs/service-fakes/fal.ts';
import { heygen } from '../../../rigs/service-fakes/heygen.ts';
import { json2video } from '../../../rigs/service-fakes/json2video.ts';
import { openai } from '../../../rigs/service-fakes/openai.ts';
import { replicate } from '../../../rigs/service-fakes/replicate.ts';
import { runway } from '../../../rigs/service-fakes/runway.ts';
import type { FakeVideo } from '../../../rigs/service-fakes/service-facts.ts';
import { shotstack } from '../../../rigs/service-fakes/shotstack.ts';
import { ServiceRig } from '../../../rigs/service-fakes/service-rig.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let certificate: TestCertificate;
beforeAll(async () => {
  certificate = await issueCertificate();
});

/** A profile as the app proposes one for a service with OpenAI's endpoints. */
function likeOpenai(): Parameters<typeof ServiceRig.open>[2] {
  const documented = documentedExamples.find(({ service }) => service === 'openai');
  if (!documented) throw new Error('There are no examples.');
  const { api, ...profile } = profileSchema.parse(proposeService(documented.examples).profile);
  if (!api) throw new Error('The profile has no endpoints.');
  const about = (means: 'remaining' | 'reset') =>
    ({ name: `x-ratelimit-${means}-requests`, means, endpoint: null }) as const;
  const headers = [about('remaining'), about('reset')];
  const limits = { ...api.limits, concurrent: null, headers };
  return { profile: { ...profile, api: { ...api, limits } }, batch: documented.batch };
}

/** As OpenAI sends them with every 429, whatever it is about. */
const ROOM_LEFT = {
  'x-ratelimit-limit-requests': '500',
  'x-ratelimit-remaining-requests': '499',
  'x-ratelimit-reset-requests': '120ms',
};

describe('a used-up balance', () => {
  test.each([
    ['insufficient_quota', 'insufficient_quota'],
    ['insufficient_quota', null],
    ['insufficient_quota', 'credit_balance_exhausted'],
    ['insufficient_quota', 'project_spend_limit_exceeded'],
    ['billing_error', 'organization_spend_limit_exceeded'],
    ['insufficient_quota', 'organization_usage_limit_exceeded'],
    // A code that the profile does not know yet.
    ['insufficient_quota', 'team_spend_limit_exceeded'],
  ])('is none of the rate limits: %s, %s', async (type, code) => {
    const rig = await ServiceRig.open(openai, certificate, likeOpenai());
    const message = 'You exceeded your current quota, please check your plan and billing details.';
    rig.service.generateReply = {
      status: 429,
      headers: ROOM_LEFT,
      body: { error: { message, type, param: null, code } },
    };
    await rig.add(2);

    await rig.clock.advance(40 * SECOND);

    expect(rig.service.generates).toHaveLength(1);
    const [job] = await rig.jobs();
    expect(job).toMatchObject({ state: 'queued', wait: { reason: 'sending-suspended' } });
    const { history } = await rig.engine.commands.jobs.show({ id: job?.id ?? '' });
    expect(history.at(-1)?.note?.message).toMatch(/nothing is left/i);
  });
});

test('waits longer after each refusal in a row, although each says that there is room', async () => {
  const rig = await ServiceRig.open(openai, certificate, likeOpenai());
  rig.service.generateReply = {
    status: 429,
    headers: ROOM_LEFT,
    body: { error: { message: 'Slow down.', type: 'requests', param: null, code: 'slow_down' } },
  };
  await rig.add(2);

  await rig.clock.advance(40 * SECOND);
  expect(rig.service.generates.length).toBeLessThan(8);
  await rig.clock.advance(6 * HOUR);
  expect(rig.service.generates.length).toBeLessThan(25);

  rig.service.generateReply = null;
  await rig.until(async () => (await rig.states()).every((state) => state === 'done'));
  expect(rig.service.videos).toHaveLength(2);
});

test.each([
  ['its words', { body: { detail: 'Request was throttled. Your rate limit resets in ~12s.' } }],
  ['a field of its body', { body: { detail: 'Request was throttled.', retry_after: 12 } }],
  ['a fraction', { body: {}, headers: { 'retry-after': '11.5' } }],
  ['milliseconds', { body: {}, headers: { 'retry-after-ms': '11500' } }],
])('waits as long as a 429 says in %s', async (_, reply) => {
  const rig = await ServiceRig.open(replicate, certificate);
  rig.service.next.push({ status: 429, ...reply });
  await rig.add(1);

  await rig.until(() => rig.service.generates.length === 1);
  await rig.clock.advance(11 * SECOND);
  expect(rig.service.generates).toHaveLength(1);
  await rig.clock.advance(3 * SECOND);
  expect(rig.service.generates).toHaveLength(2);
});

test('a gateway’s refusal of the key is about no row', async () => {
  const rig = await ServiceRig.open(shotstack, certificate);
  rig.service.generateReply = {
    status: 403,
    headers: { 'x-amzn-errortype': 'ForbiddenException' },
    body: { message: 'Forbidden' },
  };
  await rig.add(4);

  await rig.clock.advance(HOUR);

  expect(await rig.states()).toEqual(['queued', 'queued', 'queued', 'queued']);
  expect((await rig.jobs())[0]?.wait?.reason).toBe('key-refused');
  expect(rig.service.generates).toHaveLength(1);
});

describe('a status word that no profile knows', () => {
  const rendersOnHold = async (): Promise<ServiceRig> => {
    const rig = await ServiceRig.open(creatomate, certificate);
    rig.service.statusReply = ({ id }) => ({ status: 200, body: { id, status: 'on_hold' } });
    await rig.add(1);
    await rig.until(() => rig.service.statusReads.length > 0);
    return rig;
  };
  const end = async (rig: ServiceRig): Promise<Job | undefined> => {
    await rig.until(async () => (await rig.states())[0] === 'failed');
    return (await rig.jobs())[0];
  };

  test('is asked for at growing intervals, and ends in a sentence with a choice', async () => {
    const rig = await rendersOnHold();

    await rig.clock.advance(4 * MINUTE);
    expect(rig.service.statusReads.length).toBeLessThan(10);
    const [waiting] = await rig.jobs();
    expect(waiting).toMatchObject({ serviceWord: 'on_hold', wait: { reason: 'status-unknown' } });

    const failed = await end(rig);
    expect(rig.service.statusReads.length).toBeLessThan(20);
    expect(failed?.failure).toMatchObject({ code: 'status-unknown' });
    expect(failed?.failure?.message).toContain('“on_hold”');
    const { history } = await rig.engine.commands.jobs.show({ id: failed?.id ?? '' });
    expect(history.at(-1)?.event).toBe('status-unknown');
    await rig.clock.advance(24 * HOUR);
    expect(rig.service.statusReads.length).toBeLessThan(20);
    expect(rig.service.generates).toHaveLength(1);
  });

  test('is asked for again, which is free, when the user retries', async () => {
    const rig = await rendersOnHold();
    const failed = await end(rig);
    const plan = await rig.engine.commands.jobs.planRetry({ ids: [failed?.id ?? ''] });
    expect(plan).toMatchObject({ renders: 0, gone: 1 });

    rig.service.statusReply = null;
    await rig.engine.commands.jobs.retry({ ids: [failed?.id ?? ''], payAgain: false });
    await rig.until(async () => (await rig.states())[0] === 'done');

    expect(rig.service.generates).toHaveLength(1);
  });

  test('can be explained by the user, and the video continues at once', async () => {
    const rig = await rendersOnHold();
    const { origin } = rig.engine;
    await rig.engine.commands.service.defineWord({ origin, word: 'On_Hold', means: 'working' });
    await rig.clock.advance(2 * SECOND);
    expect(await rig.states()).toEqual(['rendering']);

    const other = await rendersOnHold();
    await end(other);
    const teaching = { origin: other.engine.origin, word: 'on_hold', means: 'working' } as const;
    await other.engine.commands.service.defineWord(teaching);
    await other.clock.advance(2 * SECOND);
    expect(await other.jobs()).toMatchObject([{ state: 'rendering', failure: null }]);
  });

  test('may be missing altogether', async () => {
    const rig = await rendersOnHold();
    rig.service.statusReply = ({ id }) => ({ status: 200, body: { id } });

    const failed = await end(rig);

    expect(failed?.failure).toMatchObject({ code: 'status-unknown' });
    expect(rig.service.statusReads.length).toBeLessThan(20);
  });

  test('frees its place among the renders of the service', async () => {
    const rig = await ServiceRig.open(runway, certificate);
    rig.service.statusReply = ({ id, number }) =>
      number === 1 ? { status: 200, body: { id, status: 'ON_HOLD' } } : null;
    await rig.add(2);

    await rig.until(async () => (await rig.states())[1] === 'done');

    expect(await rig.states()).toEqual(['failed', 'done']);
  });
});

test('Creatomate’s cancelled render has failed', async () => {
  const rig = await ServiceRig.open(creatomate, certificate);
  rig.service.statusReply = ({ id }) => ({ status: 200, body: { id, status: 'cancelled' } });
  await rig.add(1);

  await rig.until(async () => (await rig.states())[0] === 'failed', HOUR);

  expect((await rig.jobs())[0]?.failure?.code).toBe('render-failed');
});

describe('a finished video without a file', () => {
  test('that Replicate has removed is reported at once', async () => {
    const rig = await ServiceRig.open(replicate, certificate);
    rig.service.statusReply = ({ id, phase }) =>
      phase === 'done'
        ? { status: 200, body: { id, status: 'succeeded', output: null, data_removed: true } }
        : null;
    await rig.add(1);

    await rig.until(async () => (await rig.states())[0] === 'failed', 10 * MINUTE);

    const [job] = await rig.jobs();
    expect(job?.failure?.code).toBe('video-expired');
    const reads = rig.service.statusReads.length;
    await rig.clock.advance(24 * HOUR);
    expect(rig.service.statusReads).toHaveLength(reads);
  });

  test('is reported at once when the file is removed before it was downloaded', async () => {
    const rig = await ServiceRig.open(replicate, certificate);
    rig.service.expiresLinksOnce = true;
    rig.service.statusReply = ({ id, phase }) =>
      phase === 'done' && rig.service.exchanges.some(({ path }) => path.startsWith('/files/'))
        ? { status: 200, body: { id, status: 'succeeded', output: null, data_removed: true } }
        : null;
    await rig.add(1);

    await rig.until(async () => (await rig.states())[0] === 'failed', HOUR);

    expect((await rig.jobs())[0]?.failure?.code).toBe('video-expired');
  });

  test.each([
    ['null', { output: null }],
    ['missing', {}],
    ['an empty list', { output: [] }],
    ['an object', { output: { video: 'https://files.example/1.mp4' } }],
    ['no https address', { output: 'http://files.example/1.mp4' }],
  ])('is not asked for without end: the link is %s', async (_, output) => {
    const rig = await ServiceRig.open(replicate, certificate);
    rig.service.statusReply = ({ id, phase }) =>
      phase === 'done' ? { status: 200, body: { id, status: 'succeeded', ...output } } : null;
    await rig.add(1);

    await rig.until(async () => (await rig.states())[0] === 'failed', 24 * HOUR);

    const [job] = await rig.jobs();
    expect(job?.failure?.code).toBe('file-not-offered');
    const { length } = rig.service.statusReads;
    expect(length).toBeLessThan(100);
    await rig.clock.advance(24 * HOUR);
    expect(rig.service.statusReads).toHaveLength(length);
    const plan = await rig.engine.commands.jobs.planRetry({ ids: [job?.id ?? ''] });
    expect(plan).toMatchObject({ downloads: 0, renders: 0, gone: 1 });

    rig.service.statusReply = null;
    await rig.engine.commands.jobs.retry({ ids: [job?.id ?? ''], payAgain: false });
    await rig.until(async () => (await rig.states())[0] === 'done');
    expect(rig.service.generates).toHaveLength(1);
  });
});

describe('an answer about another video', () => {
  test.each([
    ['creatomate', creatomate],
    ['shotstack', shotstack],
    ['json2video', json2video],
    ['heygen', heygen],
    ['runway', runway],
    ['fal', fal],
  ])('is not believed: %s', async (_, facts) => {
    const rig = await ServiceRig.open(facts, certificate);
    // As a cache does that ignores the path or the query.
    let first: FakeVideo | null = null;
    let isCached = true;
    rig.service.statusReply = (video) => {
      if (video.number === 1) first = video;
      return isCached && first !== null ? facts.status(first) : null;
    };
    await rig.add(2);

    await rig.until(async () => (await rig.states())[0] === 'done');
    await rig.clock.advance(HOUR);
    expect(await rig.states()).not.toEqual(['done', 'done']);

    isCached = false;
    await rig.until(async () => (await rig.states()).every((state) => state === 'done'));
    const saved = (await rig.jobs()).map(({ file }) => readFileSync(file?.path ?? ''));
    expect(saved).toEqual([1, 2].map((number) => rig.service.file(number)));
  });

  test('leaves a sentence when its file is the same as that of another request', async () => {
    const rig = await ServiceRig.open(creatomate, certificate);
    let first: FakeVideo | null = null;
    rig.service.statusReply = (video) => {
      first ??= video;
      return video.phase === 'done'
        ? creatomate.status({ ...video, link: first.link })
        : creatomate.status(video);
    };
    await rig.add(2);

    await rig.until(async () => (await rig.states()).every((state) => state === 'done'));

    const [one, two] = await rig.jobs();
    const [saidBy, other] = one?.notice ? [one, two] : [two, one];
    expect(other?.notice).toBeNull();
    expect(saidBy?.notice?.message).toContain(`“${other?.title}”`);
    const { history } = await rig.engine.commands.jobs.show({ id: saidBy?.id ?? '' });
    expect(history.at(-1)).toMatchObject({ event: 'saved', note: saidBy?.notice });
  });
});

test('equal requests may have equal files', async () => {
  const rig = await ServiceRig.open(creatomate, certificate, {
    profile: builtInProfile('creatomate'),
    batch: [creatomate.batch[0], creatomate.batch[1].replace('{n}', 'n')],
  });
  let first: FakeVideo | null = null;
  rig.service.statusReply = (video) => {
    first ??= video;
    return creatomate.status({ ...video, link: first.link });
  };
  await rig.add(2, 'Batch.csv', { duplicates: 'render' });

  await rig.until(async () => (await rig.states()).every((state) => state === 'done'));

  expect((await rig.jobs()).map(({ notice }) => notice)).toEqual([null, null]);
});

test('shows what the service warns of when it accepts a request', async () => {
  const rig = await ServiceRig.open(creatomate, certificate);
  const warnings = [{ message: 'The modification “Titel” matches no element.' }, 'No font.'];
  rig.service.acceptedReply = (video) => ({
    status: 202,
    body: { ...(creatomate.accepted(video).body as object), errors: [], warnings },
  });
  await rig.add(1);

  await rig.until(async () => (await rig.states())[0] === 'done');

  const [job] = await rig.jobs();
  expect(job?.notice?.message).toContain('matches no element.');
  expect(job?.notice?.message).toContain('No font.');
  const { history } = await rig.engine.commands.jobs.show({ id: job?.id ?? '' });
  expect(history.find(({ event }) => event === 'accepted')?.note).toEqual(job?.notice);
});

test('asks Runway for the status of a video at most every five seconds', async () => {
  const rig = await ServiceRig.open(runway, certificate);
  const times: number[] = [];
  rig.service.statusReply = () => {
    times.push(rig.clock.monotonic());
    return null;
  };
  rig.service.renderMs = 3 * MINUTE;
  await rig.add(1);

  await rig.until(async () => (await rig.states())[0] === 'done');

  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5 * SECOND);
  expect(gaps.length).toBeGreaterThan(5);
});

describe('the cost of a video', () => {
  test('is what the service says, beside the estimate', async () => {
    const rig = await ServiceRig.open(shotstack, certificate);
    await rig.add(1);
    const [added] = await rig.jobs();
    const details = () => rig.engine.commands.jobs.show({ id: added?.id ?? '' });
    const estimated = { amount: 5, unit: 'second', currency: null };
    expect((await details()).cost).toEqual({ estimated, actual: null });

    await rig.until(async () => (await rig.states())[0] === 'done');

    const actual = { amount: 5.5, unit: 'second', currency: null };
    expect((await details()).cost).toEqual({ estimated, actual });
    const exported: string[] = [];
    const { signal } = new AbortController();
    const wanted = { what: 'quota', format: 'json' } as const;
    for await (const { text } of await rig.engine.commands.activity.export(wanted, { signal })) {
      exported.push(text);
    }
    expect(JSON.parse(exported.join(''))).toMatchObject([
      { cost: 5.5, 'estimated cost': 5, 'cost unit': 'second' },
    ]);
  });

  test.each([
    ['in cents', { amount: 42 }, { amount: 0.42, unit: 'money', currency: 'USD' }],
    ['as text', { amount: '42' }, null],
    ['negative', { amount: -42 }, null],
    ['missing', {}, null],
  ])('may be in the answer to the request: %s', async (_, charged, actual) => {
    const described = builtInProfile('creatomate');
    if (!described.api) throw new Error('The profile has no endpoints.');
    const reported = {
      at: 'charged.amount',
      unit: 'money',
      currency: 'USD',
      factor: 0.01,
    } as const;
    const cost = { ...described.api.cost, actual: { ...reported, where: null } };
    const rig = await ServiceRig.open(creatomate, certificate, {
      profile: { ...described, api: { ...described.api, cost } },
      batch: creatomate.batch,
    });
    rig.service.acceptedReply = (video) => ({
      status: 202,
      body: { ...(creatomate.accepted(video).body as object), charged },
    });
    await rig.add(1);

    await rig.until(async () => (await rig.states())[0] === 'done');

    const [job] = await rig.jobs();
    const { cost: shown } = await rig.engine.commands.jobs.show({ id: job?.id ?? '' });
    expect(shown).toEqual({ estimated: null, actual });
  });
});
