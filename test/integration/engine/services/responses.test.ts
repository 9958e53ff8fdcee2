import { beforeAll, describe, expect, test } from 'vitest';
import { profileSchema } from '../../../../src/engine/profiles/profile.ts';
import { proposeService } from '../../../../src/host/settings/propose-service.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { documentedExamples } from '../../../rigs/service-examples.ts';
import { openai } from '../../../rigs/service-fakes/openai.ts';
import { replicate } from '../../../rigs/service-fakes/replicate.ts';
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
