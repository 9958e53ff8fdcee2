import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Service } from '../../src/engine/service/outcomes.ts';
import { ServiceClient } from '../../src/engine/service/service-client.ts';
import { usualRules } from '../../src/engine/service/vocabularies.ts';
import { systemClock } from '../../src/engine/system-clock.ts';
import { FakeService } from '../rigs/fake-service.ts';
import { generate } from '../rigs/generate.ts';
import { rateServer } from '../rigs/rate-servers.ts';
import { VirtualClock } from '../rigs/virtual-clock.ts';
import { FakeRenderer, ManualClock, settled, startRig, storyboard } from './local-service/rig.ts';

/**
 * The engine verifies the service's certificate by the real time. One that is issued on 10 March of
 * this year is valid for 397 days.
 */
const YEAR = new Date(Date.now() - 70 * 24 * 3_600_000).getUTCFullYear();

/** A service that allows ten submissions an hour and twelve videos a month. */
interface Subject {
  readonly service: Service;
  /** Waits for an outcome, by the subject's clock. */
  answer<Outcome>(call: Promise<Outcome>): Promise<Outcome>;
  advance(ms: number): Promise<void>;
  /** Ends a video's render. */
  finish(remoteId: string): Promise<void>;
  /** Makes the service delete the video as expired. */
  expire(remoteId: string): Promise<void>;
  revokeKey(): Promise<void>;
}

const HOUR = 3_600_000;
const BODY = JSON.stringify(storyboard('Plum tart'));
const LIMIT = 10;
const QUOTA = 12;

async function openFake(): Promise<Subject> {
  const clock = new VirtualClock(Date.UTC(YEAR, 2, 10, 12));
  const service = new FakeService(clock);
  service.rateLimit = rateServer('fixed', LIMIT, HOUR);
  service.monthlyQuota = QUOTA;
  return Promise.resolve({
    service,
    async answer(call) {
      await clock.advance(0);
      await clock.advance(service.latencyMs);
      return call;
    },
    advance: (ms) => clock.advance(ms),
    finish: () => clock.advance(service.renderMs),
    expire(remoteId) {
      const body = { success: false, code: 'VIDEO_EXPIRED', message: 'It is deleted.' };
      service.statusResponses.set(remoteId, { status: 410, body });
      service.linkResponses.set(remoteId, { status: 410, body });
      return Promise.resolve();
    },
    revokeKey() {
      service.keyIs = 'refused';
      return Promise.resolve();
    },
  });
}

async function openLocal(): Promise<Subject> {
  const renderer = new FakeRenderer('by-hand');
  const clock = new ManualClock();
  clock.set(`${YEAR}-03-10T12:00:00.250Z`);
  const rig = await startRig({ renderer, clock });
  const { keys } = rig;
  const account = await rig.accounts.add({
    email: 'ana@example.com',
    plan: 'starter',
    customQuota: QUOTA,
    billingDate: `${YEAR}-03-01`,
  });
  const key = await keys.create(account, 'test');
  const service = new ServiceClient({
    baseUrl: rig.service.url,
    key: () => key.value,
    rules: usualRules,
    clock: systemClock,
    ca: readFileSync(rig.service.caFile ?? '', 'utf8'),
  });
  onTestFinished(() => service.close());
  return {
    service,
    answer: (call) => call,
    advance(ms) {
      rig.clock.advance(ms);
      return Promise.resolve();
    },
    async finish(remoteId) {
      (await renderer.next()).finish();
      await settled(rig, { 'x-api-key': key.value }, remoteId);
    },
    expire() {
      rig.clock.advance(30 * 24 * HOUR);
      return Promise.resolve();
    },
    revokeKey: async () => void (await keys.revoke(account)),
  };
}

describe.each([
  ['the local service behind the engine’s client', openLocal],
  ['the fake that the engine’s tests use', openFake],
])('%s', (_name, open) => {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });

  const submit = () => subject.answer(generate(subject.service, BODY));
  const status = (id: string) => subject.answer(subject.service.status(id));
  const link = (id: string) => subject.answer(subject.service.link(id));

  async function accepted(): Promise<string> {
    const outcome = await submit();
    if (outcome.kind !== 'accepted') throw new Error(`It was ${outcome.kind}.`);
    return outcome.remoteId;
  }

  test('accepts a video with a unique ID, and sends its time and the remaining requests', async () => {
    const outcome = await submit();
    expect(outcome).toMatchObject({ kind: 'accepted', response: { status: 200 } });
    if (outcome.kind !== 'accepted') return;
    expect(Date.parse(outcome.response.headers.date ?? '')).not.toBeNaN();
    expect(outcome.response.headers).toMatchObject({ 'x-ratelimit-remaining': String(LIMIT - 1) });
    expect(await accepted()).not.toBe(outcome.remoteId);
  });

  test('renders a video, and gives no link before it is done', async () => {
    const id = await accepted();
    const early = await status(id);
    expect(early.kind === 'status' && early.status.state).toMatch(/^(queued|working)$/);
    expect(await link(id)).toMatchObject({ kind: 'not-ready', response: { status: 409 } });
    await subject.finish(id);
    expect(await status(id)).toMatchObject({
      kind: 'status',
      status: { state: 'done', error: null },
    });
    const ready = await link(id);
    expect(ready).toMatchObject({ kind: 'link' });
    if (ready.kind === 'link') expect(ready.link.url).toMatch(/^https:\/\//);
  });

  test('reports an unknown video as not found', async () => {
    const failure = { code: 'video-unknown' };
    expect(await status('nothing')).toMatchObject({ kind: 'not-found', failure });
    expect(await link('nothing')).toMatchObject({ kind: 'not-found', failure });
  });

  test('reports a deleted video as expired', async () => {
    const id = await accepted();
    await subject.finish(id);
    await subject.expire(id);
    const failure = { code: 'video-expired' };
    expect(await status(id)).toMatchObject({ kind: 'expired', failure });
    expect(await link(id)).toMatchObject({ kind: 'expired', failure });
  });

  test('refuses a request beyond the hourly limit, with the time of the reset', async () => {
    for (let sent = 0; sent < LIMIT; sent += 1) await accepted();
    const refused = await submit();
    expect(refused).toMatchObject({ kind: 'rate-limited', response: { status: 429 } });
    if (refused.kind !== 'rate-limited') return;
    const { headers } = refused.response;
    expect(headers).toMatchObject({ 'x-ratelimit-remaining': '0' });
    const reset = Date.parse(headers['x-ratelimit-reset'] ?? '');
    const wait = reset - Date.parse(headers.date ?? '');
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(HOUR + 1000);
    await subject.advance(wait + 1000);
    expect(await submit()).toMatchObject({ kind: 'accepted' });
  });

  test('refuses a video beyond the monthly quota, with the time of the reset', async () => {
    for (let sent = 0; sent < QUOTA; sent += 1) {
      if (sent === LIMIT) await subject.advance(HOUR);
      await accepted();
    }
    const refused = await submit();
    expect(refused).toMatchObject({
      kind: 'quota-used-up',
      failure: { code: 'quota-used-up' },
      response: { status: 403 },
    });
    if (refused.kind !== 'quota-used-up') return;
    const body: unknown = JSON.parse(refused.response.body);
    expect(body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      details: { resetAt: `${YEAR}-04-01T00:00:00.000Z` },
    });
  });

  test('accepts a valid key, and refuses every request with a revoked one', async () => {
    expect(await subject.answer(subject.service.checkKey())).toMatchObject({ kind: 'accepted' });
    const id = await accepted();
    await subject.revokeKey();
    const failure = { code: 'key-refused' };
    expect(await submit()).toMatchObject({
      kind: 'key-refused',
      failure,
      response: { status: 401 },
    });
    expect(await status(id)).toMatchObject({ kind: 'key-refused', failure });
    expect(await link(id)).toMatchObject({ kind: 'key-refused', failure });
    expect(await subject.answer(subject.service.checkKey())).toMatchObject({
      kind: 'key-refused',
      failure,
    });
  });
});
