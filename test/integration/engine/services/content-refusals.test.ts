import { beforeAll, describe, expect, test } from 'vitest';
import type { AnswerRules } from '../../../../src/contract/answer-rules.ts';
import type { Job } from '../../../../src/contract/job.ts';
import { builtInProfile } from '../../../../src/engine/profiles/services.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { fal } from '../../../rigs/service-fakes/fal.ts';
import { luma } from '../../../rigs/service-fakes/luma.ts';
import { runway } from '../../../rigs/service-fakes/runway.ts';
import type { Reply, ServiceFacts } from '../../../rigs/service-fakes/service-facts.ts';
import { ServiceRig } from '../../../rigs/service-fakes/service-rig.ts';

/**
 * Refusals because of the content, as services document them: in place of the acceptance, in a
 * finished status, in place of the link to a finished video; with and without a reason.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let certificate: TestCertificate;
beforeAll(async () => {
  certificate = await issueCertificate();
});

const open = (facts: ServiceFacts): Promise<ServiceRig> => ServiceRig.open(facts, certificate);

/** As fal documents it. */
const flagged: Reply = {
  status: 422,
  body: {
    detail: [
      {
        loc: ['body', 'prompt'],
        msg: 'A checker flagged this text.',
        type: 'content_policy_violation',
        input: 'A lake',
      },
    ],
  },
};

async function ended(rig: ServiceRig, index = 0): Promise<Job> {
  await rig.until(
    async () => ['rejected', 'failed', 'done'].includes((await rig.states())[index] ?? ''),
    2 * HOUR,
  );
  return (await rig.jobs())[index]!;
}

/** Units of the quota or of the account that are counted as spent. */
async function spentUnits(rig: ServiceRig): Promise<readonly string[]> {
  const { units } = await rig.engine.commands.activity.units({ limit: 100 });
  return units.map(({ quota }) => quota);
}

describe('a refusal because of the content', () => {
  test('of the request names the field, and counts as spent where the cost is unknown', async () => {
    const rig = await open(fal);
    rig.service.next.push(flagged);
    await rig.add(2);

    const job = await ended(rig);

    expect(job).toMatchObject({
      state: 'rejected',
      failure: {
        code: 'content-refused',
        message:
          'The service refused this video because of its content. The service may charge for it, so it counts as spent.',
        fields: [{ path: 'prompt', detail: 'A checker flagged this text.' }],
        refusal: { when: 'before-render', paid: 'unknown' },
      },
    });
    expect(await spentUnits(rig)).toContain('charged');
    await rig.until(async () => (await rig.states())[1] === 'done');
    expect(rig.service.generates).toHaveLength(2);
    const { entries } = await rig.engine.commands.activity.list({ kinds: ['failed'], limit: 10 });
    expect(entries.map(({ units }) => units)).toEqual([1]);
  });

  test('in place of the link to a finished video ends the row', async () => {
    const rig = await open({
      ...fal,
      link: (video) => (video.number === 1 ? flagged : (fal.link?.(video) ?? flagged)),
    });
    await rig.add(2);

    const job = await ended(rig);
    await rig.until(async () => (await rig.states())[1] === 'done');

    expect(job).toMatchObject({
      state: 'rejected',
      failure: { code: 'content-refused', fields: [{ path: 'prompt' }] },
    });
    const { history } = await rig.engine.commands.jobs.show({ id: job.id });
    expect(history.at(-1)).toMatchObject({ event: 'refused' });
    expect(await spentUnits(rig)).toEqual(['charged', 'charged']);
    expect(rig.service.generates).toHaveLength(2);
  });

  test('an error of a field in place of the link ends the row, and counts as spent', async () => {
    const detail = [{ loc: ['body', 'image_url'], msg: 'The picture is too small.', type: 'size' }];
    const rig = await open({ ...fal, link: () => ({ status: 422, body: { detail } }) });
    await rig.add(1);

    expect(await ended(rig)).toMatchObject({
      state: 'rejected',
      failure: {
        code: 'service-refused',
        fields: [{ path: 'image_url', detail: 'The picture is too small.' }],
        refusal: { when: 'after-render', paid: 'unknown' },
      },
    });
    expect(await spentUnits(rig)).toEqual(['charged']);
    // It may have been paid for, so only the user's own choice of it renders it again.
    const plan = await rig.engine.commands.jobs.planRetry({});
    expect(plan).toMatchObject({ renders: 0, contentRefused: 1 });
  });

  test('in a finished status is charged where the service says so', async () => {
    const rig = await open(runway);
    rig.service.statusReply = ({ id, phase }) =>
      phase === 'done'
        ? { status: 200, body: { id, status: 'FAILED', failureCode: 'SAFETY.INPUT.TEXT' } }
        : null;
    await rig.add(1);

    const job = await ended(rig);

    expect(job).toMatchObject({
      state: 'rejected',
      failure: {
        code: 'content-refused',
        detail: 'SAFETY.INPUT.TEXT',
        fields: [{ path: 'promptText', detail: null }],
        refusal: { when: 'before-render', paid: 'yes' },
      },
    });
    expect(await spentUnits(rig)).toEqual(['charged']);
    await rig.clock.advance(24 * HOUR);
    expect(rig.service.generates).toHaveLength(1);
  });

  test('is refunded where the service pays it back', async () => {
    const rig = await open(luma);
    rig.service.statusReply = ({ id, phase }) =>
      phase === 'done'
        ? { status: 200, body: { id, state: 'failed', failure_reason: 'Failed moderation.' } }
        : null;
    await rig.add(1);

    expect(await ended(rig)).toMatchObject({
      state: 'rejected',
      failure: { code: 'content-refused', refusal: { paid: 'no' } },
    });
    expect(await spentUnits(rig)).toEqual(['refunded']);
  });

  test('in another language is recognised by a phrase of the profile', async () => {
    const profile = builtInProfile('luma');
    const german = 'Der Text verstößt gegen die Richtlinien.';
    const reply: Reply = { status: 400, body: { detail: german } };
    const withPhrase: AnswerRules = {
      ...profile.answers,
      contentRefusals: [{ phrases: ['verstößt gegen'], when: 'before-render', paid: 'no' }],
    };
    for (const [answers, code] of [
      [profile.answers, 'service-refused'],
      [withPhrase, 'content-refused'],
    ] as const) {
      const described = { profile: { ...profile, answers }, batch: luma.batch };
      const rig = await ServiceRig.open(luma, certificate, described);
      rig.service.next.push(reply);
      await rig.add(1);
      expect(await ended(rig)).toMatchObject({ failure: { code, detail: german } });
    }
  });
});

describe('a batch', () => {
  const refused = (rig: ServiceRig): void => {
    rig.service.next.push(...Array.from({ length: 9 }, () => flagged));
  };

  test('is held after three refusals in a row, and another one continues', async () => {
    const rig = await open(fal);
    refused(rig);
    await rig.add(6);
    await rig.until(async () => (await rig.states())[5] === 'held');

    const states = await rig.states();
    expect(states).toEqual(['rejected', 'rejected', 'rejected', 'held', 'held', 'held']);
    expect(rig.service.generates).toHaveLength(3);
    const [held] = (await rig.jobs()).slice(3);
    expect(held?.failure).toMatchObject({
      code: 'batch-held',
      message: expect.stringContaining('refused 3 videos of this batch in a row') as string,
    });

    const { batchId } = (await rig.jobs())[0]!;
    const { commands } = rig.engine;
    const failed = (code: string) => expect.objectContaining({ code }) as unknown;
    expect(await commands.batches.notSaved({ batchId })).toEqual([
      {
        state: 'rejected',
        code: 'content-refused',
        count: 3,
        texts: [{ count: 3, failure: failed('content-refused') }],
      },
      {
        state: 'held',
        code: 'batch-held',
        count: 3,
        texts: [{ count: 3, failure: failed('batch-held') }],
      },
    ]);

    rig.service.next.length = 0;
    await rig.add(1, 'Other.csv');
    await rig.until(async () => (await rig.states())[6] === 'done');
    await rig.engine.commands.jobs.release({ ids: [held?.id ?? ''] });
    await rig.until(async () => (await rig.states())[3] === 'done');
    expect((await rig.jobs())[3]?.failure).toBeNull();
  });

  test('is held for the same reason after a release or a cancelling was undone', async () => {
    const rig = await open(fal);
    refused(rig);
    await rig.add(5);
    await rig.until(async () => (await rig.states())[4] === 'held');
    const { jobs, queue } = rig.engine.commands;
    await queue.pause({ origin: rig.service.origin, what: 'sending' });
    const held = (await rig.jobs()).slice(3);
    const ids = held.map(({ id }) => id);

    for (const command of ['release', 'cancel'] as const) {
      const { step } = await jobs[command]({ ids });
      expect((await rig.jobs())[3]?.failure).toBeNull();
      await jobs.undo({ step: step ?? '' });
      expect((await rig.jobs()).slice(3)).toEqual(held);
    }
  });

  test('continues when a video between the refused ones is accepted', async () => {
    const rig = await open(fal);
    const { queue } = rig.engine.commands;
    const { origin } = rig.service;
    await queue.pause({ origin, what: 'sending' });
    rig.service.next.push(flagged, flagged);
    await rig.add(5);
    await queue.stopBefore({ origin, id: (await rig.jobs())[3]?.id ?? '' });
    await queue.resume({ origin });
    await rig.until(async () => (await rig.states())[2] === 'done');
    rig.service.next.push(flagged);
    await queue.resume({ origin });
    await rig.until(async () => (await rig.states())[4] === 'done');

    expect(await rig.states()).toEqual(['rejected', 'rejected', 'done', 'rejected', 'done']);
  });

  test('is not retried with all that failed, and says how many were left out', async () => {
    const rig = await open(fal);
    rig.service.next.push(flagged, fal.refused);
    await rig.add(2);
    await rig.until(async () => (await rig.states()).every((state) => state === 'rejected'));
    const { jobs } = rig.engine.commands;
    const [first] = await rig.jobs();

    const price = {
      unit: 'money',
      currency: 'USD',
      amount: expect.closeTo(0.7735) as number,
      unknown: 0,
    };
    expect(await jobs.planRetry({})).toMatchObject({
      renders: 1,
      contentRefused: 1,
      cost: price,
      goneCost: { ...price, amount: 0 },
    });
    expect(await jobs.planRetry({ ids: [first?.id ?? ''] })).toMatchObject({
      renders: 1,
      contentRefused: 1,
    });
    const { origin } = rig.service;
    await jobs.retryFailed({ origin, limit: 10, payAgain: false });
    await rig.until(async () => (await rig.states())[1] === 'done');
    expect((await rig.states())[0]).toBe('rejected');
  });
});
