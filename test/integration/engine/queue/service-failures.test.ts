import { describe, expect, test } from 'vitest';
import { userMessage } from '../../../../src/contract/user-message.ts';
import type { GenerateOutcome } from '../../../../src/engine/service/outcomes.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';

const MINUTE = 60_000;

const unknown: GenerateOutcome = {
  kind: 'unknown',
  failure: { code: 'outcome-unknown', ...userMessage('verbatim', { text: 'Bad gateway.' }) },
  response: null,
};

function titles(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Row ${index + 1}`);
}

/** Makes the service refuse the next `times` requests. */
function refuse(rig: EngineRig, times: number, status: number, about: 'video' | 'service'): void {
  const outcome = {
    kind: 'rejected',
    about,
    failure: {
      code: 'service-refused',
      ...userMessage('verbatim', { text: 'No.' }),
      detail: '<h1>Not here</h1>',
    },
    response: rig.service.response(status),
  } as const;
  rig.service.nextGenerate.push(...Array.from({ length: times }, () => outcome));
}

async function restarted(rig: EngineRig): Promise<EngineRig> {
  await rig.close();
  return EngineRig.open({ folder: rig.folder, clock: rig.clock, service: rig.service });
}

describe('an unknown outcome', () => {
  test('delays the next request, longer each time', async () => {
    const rig = await EngineRig.open();
    rig.service.nextGenerate.push(unknown, unknown, unknown, unknown);
    await rig.add(titles(5));

    await rig.clock.advance(20 * MINUTE);

    expect((await rig.update()).flow).toMatchObject({
      state: 'blocked',
      failure: { code: 'outcome-unknown', ...userMessage('verbatim', { text: 'Bad gateway.' }) },
    });
    expect(rig.service.asked).toHaveLength(3);
  });

  test('delays the next request equally if Spool restarts in between', async () => {
    let rig = await EngineRig.open();
    rig.service.nextGenerate.push(unknown, unknown, unknown, unknown);
    await rig.add(titles(5));

    for (let minute = 0; minute < 12; minute++) {
      await rig.clock.advance(MINUTE);
      rig = await restarted(rig);
    }

    expect((await rig.update()).flow).toMatchObject({ failure: { code: 'outcome-unknown' } });
    expect(rig.service.asked).toHaveLength(3);
  });

  test('does not wait for days because the clock was set back before a restart', async () => {
    const rig = await EngineRig.open();
    rig.service.nextGenerate.push(unknown);
    await rig.add(titles(2));
    await rig.until(async () => (await rig.job(0)).state === 'uncertain');
    rig.clock.jumpWall(-48 * 60 * MINUTE);

    const next = await restarted(rig);
    await next.until(() => rig.service.asked.length === 2, 2 * MINUTE);
  });

  test('delays the forecast of the next row as long as the row itself', async () => {
    const rig = await EngineRig.open();
    rig.service.nextGenerate.push(unknown, unknown);
    await rig.add(titles(3));
    await rig.until(() => rig.service.asked.length === 2);
    await rig.clock.advance(11_000);

    const { sendAt } = (await rig.job(2)).forecast;
    await rig.until(() => rig.service.asked.length === 3);

    expect(Math.abs(rig.clock.now() - (sendAt ?? 0))).toBeLessThan(2000);
  });
});

describe('a service that does not know', () => {
  test('one video of several fails it after ten minutes', async () => {
    const rig = await EngineRig.open();
    rig.service.renderMs = 30 * MINUTE;
    await rig.add(['Lost', 'Known']);
    await rig.until(() => rig.service.videos.length === 2);
    rig.service.videos.shift();

    await rig.until(async () => (await rig.job(0)).state === 'failed', 25 * MINUTE);
    expect((await rig.job(0)).failure).toMatchObject({ code: 'video-unknown' });
    await rig.until(async () => (await rig.job(1)).state === 'done');
  });

  test('one video of several does not fail it if the key has changed since', async () => {
    const rig = await EngineRig.open();
    rig.service.renderMs = 2 * 60 * MINUTE;
    await rig.add(['Of the other account', 'Known']);
    await rig.until(() => rig.service.videos.length === 2);
    rig.service.videos.shift();
    await rig.clock.advance(MINUTE);
    const set = rig.engine.commands.key.set({
      origin: ORIGIN,
      value: 'svc_live_of_another_account',
    });
    await rig.clock.advance(1000);
    await set;

    await rig.until(async () => (await rig.job(1)).state === 'done', 3 * 60 * MINUTE);
    expect((await rig.job(0)).state).toBe('submitted');
  });

  test('any video fails no job for a day, as all are paid for', async () => {
    const rig = await EngineRig.open();
    await rig.add(titles(3));
    await rig.until(() => rig.service.videos.length === 3);
    rig.service.trouble = {
      kind: 'not-found',
      failure: {
        code: 'service-refused',
        ...userMessage('verbatim', { text: 'There is no such video.' }),
      },
      response: rig.service.response(404),
    };
    await rig.clock.advance(3 * 60 * MINUTE);
    expect((await rig.update()).counts.failed).toBe(0);

    rig.service.trouble = null;
    await rig.until(async () => (await rig.update()).counts.done === 3, 15 * MINUTE);
  });
});

describe('a service that refuses every request', () => {
  test('stops the queue at the third refusal, with the reason', async () => {
    const rig = await EngineRig.open();
    refuse(rig, 20, 404, 'service');
    await rig.add(titles(20));

    await rig.clock.advance(50_000);

    const { flow, counts, quota, key } = await rig.update();
    expect(flow).toMatchObject({
      state: 'blocked',
      failure: { code: 'service-refuses-all', detail: '<h1>Not here</h1>' },
    });
    expect(flow.state === 'blocked' && flow.failure.message).toContain('it answered 404 last');
    expect(counts).toMatchObject({ rejected: 3, queued: 17 });
    expect(quota).toMatchObject({ used: 0, held: 0 });
    // The refusals may come from another server than the service.
    expect(key.state).toBe('untested');
  });

  test('is retried at growing intervals, so a night costs few rows', async () => {
    const rig = await EngineRig.open();
    refuse(rig, 50, 403, 'service');
    await rig.add(titles(50));

    await rig.clock.advance(8 * 60 * MINUTE);

    expect(rig.service.asked.length).toBeLessThanOrEqual(14);
  });

  test('resumes automatically after recovery, and the refused rows can be rendered', async () => {
    const rig = await EngineRig.open();
    refuse(rig, 4, 403, 'service');
    await rig.add(titles(6));
    await rig.until(async () => (await rig.update()).counts.done === 2);
    expect((await rig.update()).flow).toEqual({ state: 'running' });

    const { changed } = await rig.engine.commands.jobs.retryFailed({
      origin: ORIGIN,
      batchId: undefined,
      limit: 1000,
      payAgain: false,
    });
    expect(changed).toBe(4);
    await rig.until(async () => (await rig.update()).counts.done === 6);
    expect(rig.service.videos).toHaveLength(6);
  });

  test('is tried once when the user resumes, and stops the queue again at one refusal', async () => {
    const rig = await EngineRig.open();
    refuse(rig, 4, 405, 'service');
    await rig.add(titles(6));
    await rig.until(async () => (await rig.update()).counts.rejected === 3);

    await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
    await rig.clock.advance(30_000);
    expect(rig.service.asked).toHaveLength(4);
    expect((await rig.update()).flow.state).toBe('blocked');

    await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
    await rig.until(async () => (await rig.update()).counts.done === 2);
  });

  test('is tried again after a restart, as the user may have found the cause', async () => {
    const rig = await EngineRig.open();
    refuse(rig, 3, 404, 'service');
    await rig.add(titles(4));
    await rig.until(async () => (await rig.update()).counts.rejected === 3);

    const next = await restarted(rig);
    await next.until(() => rig.service.asked.length === 4, 2000);
  });

  test('is distinguished from one that rejects every row', async () => {
    const rig = await EngineRig.open();
    refuse(rig, 8, 400, 'video');
    await rig.add(titles(9));

    await rig.until(async () => (await rig.update()).counts.done === 1, 10 * MINUTE);
    expect((await rig.update()).counts).toMatchObject({ rejected: 8, queued: 0 });
  });

  test('is distinguished from one that refuses some rows', async () => {
    const rig = await EngineRig.open();
    for (let times = 0; times < 4; times++) {
      refuse(rig, 2, 403, 'service');
      refuse(rig, 1, 400, 'video');
    }
    await rig.add(titles(10));

    await rig.clock.advance(MINUTE);
    expect(rig.service.asked).toHaveLength(10);
  });
});
