import { expect, test } from 'vitest';
import { videosPerMonth } from '../../../src/local-service/accounts/account.ts';
import { ImageUnreadableError } from '../../../src/local-service/rendering/render-errors.ts';
import { EMAIL, makeVideo, signUp } from './studio-forms.ts';
import { type Answer, FakeRenderer, type Rig, settled, startRig, storyboard } from './rig.ts';

const roomy = { requests: 100_000, windowSeconds: 60 };
const limits = { generate: roomy, status: roomy, download: roomy, authentication: roomy };

function generate(rig: Rig, headers: Record<string, string>, title?: string): Promise<Answer> {
  return rig.client.post('/api/v1/video/generate', storyboard(title), headers);
}

test('the plans have the documented quotas', () => {
  expect(videosPerMonth).toEqual({ free: 3, starter: 15, creator: 50, pro: 150, business: 500 });
});

test.each(['free', 'starter', 'creator', 'pro', 'business'] as const)(
  'concurrent requests never exceed the quota of the %s plan',
  async (plan) => {
    const rig = await startRig({ limits, renderer: new FakeRenderer('by-hand') });
    const headers = await rig.signUp(plan);
    const wanted = videosPerMonth[plan];
    const answers = await Promise.all(
      Array.from({ length: wanted + 10 }, () => generate(rig, headers)),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(wanted);
    expect(answers.filter((answer) => answer.status === 403)).toHaveLength(10);
  },
);

test('a used-up quota is a 403 with the use, the limit and the reset', async () => {
  const rig = await startRig();
  const account = await rig.accounts.add({
    email: 'a@example.com',
    plan: 'starter',
    billingDate: '2025-12-31',
    customQuota: 1,
  });
  const headers = { 'x-api-key': (await rig.keys.create(account, 'k')).value };
  expect((await generate(rig, headers)).status).toBe(200);
  const refused = await generate(rig, headers);
  expect(refused.status).toBe(403);
  expect(refused.json).toMatchObject({
    success: false,
    code: 'QUOTA_EXCEEDED',
    details: { used: 1, limit: 1, resetAt: '2026-03-31T00:00:00.000Z' },
  });

  rig.clock.set('2026-03-30T23:59:59.999Z');
  expect((await generate(rig, headers)).status).toBe(403);
  rig.clock.set('2026-03-31T00:00:00.000Z');
  expect((await generate(rig, headers)).status).toBe(200);
  const again = await generate(rig, headers);
  expect(again.json.details).toMatchObject({ resetAt: '2026-04-30T00:00:00.000Z' });
});

test('a free plan counts from the sign-up date, ignoring any billing date', async () => {
  const rig = await startRig();
  const account = await rig.accounts.add({
    email: 'a@example.com',
    plan: 'free',
    billingDate: '2026-01-25',
    customQuota: 0,
  });
  const headers = { 'x-api-key': (await rig.keys.create(account, 'k')).value };
  const refused = await generate(rig, headers);
  expect(refused.json.details).toMatchObject({ resetAt: '2026-04-10T00:00:00.000Z' });
});

test('a unit is held while a video renders, and returned when rendering fails', async () => {
  const renderer = new FakeRenderer('by-hand');
  const rig = await startRig({ renderer, limits });
  const headers = await rig.signUp('free');
  const account = await rig.accounts.add({ email: 'b@example.com', plan: 'free', customQuota: 1 });
  const one = { 'x-api-key': (await rig.keys.create(account, 'k')).value };

  const made = await generate(rig, one);
  expect((await generate(rig, one)).status).toBe(403);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    (await renderer.next()).fail(new Error('broken'));
  }
  const failed = await settled(rig, one, String(made.json.id));
  expect(failed.json).toMatchObject({
    status: 'failed',
    error: 'The video could not be rendered.',
  });

  const again = await generate(rig, one);
  expect(again.status).toBe(200);
  (await renderer.next()).finish();
  expect((await settled(rig, one, String(again.json.id))).json.status).toBe('done');
  expect((await generate(rig, one)).status).toBe(403);
  expect((await generate(rig, headers)).status).toBe(200);
});

// abuse.md 58
test('an account whose videos fail again and again waits, and keeps its quota', async () => {
  const renderer = new FakeRenderer('by-hand');
  const rig = await startRig({ renderer, limits });
  const user = await signUp(rig);
  const key = await rig.keys.create(await rig.accounts.withEmail(EMAIL), 'test');
  const headers = { 'x-api-key': key.value };
  const other = await rig.signUp('free');
  for (let video = 0; video < 20; video += 1) {
    const made = await generate(rig, headers);
    expect(made.status).toBe(200);
    rig.clock.advance(60_000);
    (await renderer.next()).fail(new ImageUnreadableError('scene 1'));
    await settled(rig, headers, String(made.json.id));
  }
  const firstFailed = Date.parse('2026-03-10T12:01:00.250Z');
  const day = 24 * 60 * 60 * 1000;
  const refused = await generate(rig, headers);
  expect(refused.status).toBe(429);
  expect(refused.json).toMatchObject({
    code: 'RATE_LIMITED',
    message:
      'Too many videos of this account failed in the last 24 hours. Change what made them fail, and try again later.',
    details: { resetAt: new Date(Math.ceil((firstFailed + day) / 1000) * 1000).toISOString() },
  });
  const wait = Number(refused.headers['retry-after']) * 1000;
  expect(refused.headers['x-ratelimit-remaining']).toBe('0');
  const page = await makeVideo(rig, user, {
    'scene-0-kind': 'title',
    'scene-0-text': 'x',
  });
  expect([page.status, page.headers['retry-after']]).toEqual([429, refused.headers['retry-after']]);
  expect(page.bytes.toString('utf8')).toContain('Too many of your videos failed');
  expect((await generate(rig, other)).status).toBe(200);
  (await renderer.next()).finish();

  rig.clock.advance(wait - 2000);
  expect((await generate(rig, headers)).status).toBe(429);
  rig.clock.advance(2000);
  expect((await generate(rig, headers)).status).toBe(200);
  (await renderer.next()).finish();
});

test('a request that is not valid costs no quota', async () => {
  const rig = await startRig({ limits });
  const headers = await rig.signUp('free');
  for (let i = 0; i < 5; i += 1) await rig.client.post('/api/v1/video/generate', {}, headers);
  for (let i = 0; i < 3; i += 1) expect((await generate(rig, headers)).status).toBe(200);
});

test('a custom quota applies from the next request on', async () => {
  const rig = await startRig({ limits });
  const headers = await rig.signUp('free', 'a@example.com');
  for (let i = 0; i < 3; i += 1) await generate(rig, headers);
  expect((await generate(rig, headers)).status).toBe(403);
  await rig.accounts.setQuota(await rig.accounts.withEmail('a@example.com'), 5);
  expect((await generate(rig, headers)).status).toBe(200);
  expect((await generate(rig, headers)).status).toBe(200);
  expect((await generate(rig, headers)).json.details).toMatchObject({ used: 5, limit: 5 });
});
