import { describe, expect, test } from 'vitest';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import type { ScriptedResponse } from '../../../rigs/fake-service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Unusable responses that a service may give for a single video. */
const UNUSABLE: readonly (readonly [string, ScriptedResponse])[] = [
  ['500', { status: 500, body: { success: false, message: 'Oops' } }],
  ['403', { status: 403, body: { success: false, message: 'Not for you' } }],
  ['400', { status: 400, body: { success: false, message: 'Bad identifier' } }],
  ['an HTML page', { status: 200, body: '<html>hello</html>' }],
  ['an object without the expected fields', { status: 200, body: {} }],
];

const OOPS: ScriptedResponse = { status: 500, body: { success: false, message: 'Oops' } };

/** Rendered videos, none of them downloaded. */
async function withReady(count: number): Promise<EngineRig> {
  const rig = await EngineRig.open();
  await rig.engine.commands.transfers.pause({ origin: rig.engine.origin });
  await rig.add(Array.from({ length: count }, (_, index) => `Row ${index + 1}`));
  await rig.until(async () => (await rig.update()).counts.ready === count);
  return rig;
}

async function remoteIdOf(rig: EngineRig, index: number): Promise<string> {
  return (await rig.job(index)).remoteId ?? '';
}

function linksFor(rig: EngineRig, remoteId: string): number {
  return rig.service.links.filter((asked) => asked === remoteId).length;
}

describe('an unusable link response for one video', () => {
  test.each(UNUSABLE)('affects no other video, and gives its reason: %s', async (_, response) => {
    const rig = await withReady(3);
    const broken = await remoteIdOf(rig, 0);
    rig.service.linkResponses.set(broken, response);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

    await rig.until(async () => (await rig.update()).counts.done === 2, 5 * MINUTE);

    expect((await rig.update()).flow).toEqual({ state: 'running' });
    expect(await rig.job(0)).toMatchObject({
      state: 'ready',
      wait: { reason: 'service-error', until: expect.any(Number) as number },
    });
    await rig.clock.advance(5 * HOUR);
    // Finally every ten minutes: six of the thirty links an hour.
    expect(linksFor(rig, broken)).toBeLessThanOrEqual(40);

    rig.service.linkResponses.clear();
    await rig.until(async () => (await rig.job(0)).state === 'done', 11 * MINUTE);
    expect((await rig.job(0)).wait).toBeNull();
  });

  test('is tried at once when the user resumes', async () => {
    const rig = await withReady(1);
    rig.service.linkResponses.set(await remoteIdOf(rig, 0), OOPS);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
    await rig.clock.advance(2 * HOUR);

    rig.service.linkResponses.clear();
    await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
    await rig.until(async () => (await rig.job(0)).state === 'done', MINUTE);
  });

  test('is tried once after a restart, and its intervals keep growing', async () => {
    const before = await withReady(1);
    const broken = await remoteIdOf(before, 0);
    before.service.linkResponses.set(broken, OOPS);
    await before.engine.commands.transfers.resume({ origin: before.engine.origin });
    await before.clock.advance(2 * HOUR);
    await before.close();

    const { folder, clock, service } = before;
    const asked = service.links.length;
    const rig = await EngineRig.open({ folder, clock, service });
    await rig.clock.advance(9 * MINUTE);
    expect(linksFor(rig, broken) - asked).toBe(1);
    expect((await rig.job(0)).wait).toMatchObject({ reason: 'service-error' });
    await rig.clock.advance(2 * MINUTE);
    expect(linksFor(rig, broken) - asked).toBe(2);
  });

  test('is retried no later because the clock was set back', async () => {
    const rig = await withReady(1);
    rig.service.linkResponses.set(await remoteIdOf(rig, 0), OOPS);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
    await rig.clock.advance(2 * HOUR);
    rig.service.linkResponses.clear();

    rig.clock.jumpWall(-24 * HOUR);
    await rig.until(async () => (await rig.job(0)).state === 'done', 11 * MINUTE);
  });

  test('for three videos in a row is an outage, which ends with the first good response', async () => {
    const rig = await withReady(6);
    for (const { remoteId } of await rig.jobs())
      rig.service.linkResponses.set(remoteId ?? '', OOPS);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
    await rig.clock.advance(MINUTE);

    const { flow } = await rig.update();
    expect(flow).toMatchObject({
      state: 'blocked',
      failure: { code: 'service-unreachable', detail: 'Oops' },
    });
    const asked = rig.service.links.length;
    await rig.clock.advance(3 * HOUR);
    // Pauses grow to 5 to 10 minutes: six to twelve of the thirty links an hour.
    expect(rig.service.links.length - asked).toBeLessThanOrEqual(3 * 12);

    rig.service.linkResponses.clear();
    await rig.until(async () => (await rig.update()).counts.done === 6, 11 * MINUTE);
    expect((await rig.update()).flow).toEqual({ state: 'running' });
  });

  test('during an outage does not stop status requests for other videos', async () => {
    const rig = await withReady(3);
    for (const { remoteId } of await rig.jobs())
      rig.service.linkResponses.set(remoteId ?? '', OOPS);
    await rig.add(['Row 4'], 'Later.csv');
    await rig.until(async () => (await rig.job(3)).state === 'submitted');
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

    await rig.until(async () => (await rig.job(3)).readyAt !== null, 5 * MINUTE);
  });
});

describe('an unusable status response for one video', () => {
  test.each(UNUSABLE.filter(([what]) => !what.startsWith('an object')))(
    'does not affect other videos: %s',
    async (_, response) => {
      const rig = await EngineRig.open();
      await rig.add(['One', 'Two', 'Three']);
      await rig.until(async () => (await rig.job(0)).remoteId !== null);
      const broken = await remoteIdOf(rig, 0);
      rig.service.statusResponses.set(broken, response);

      const flows = new Set<string>();
      await rig.until(async () => {
        const { flow, counts } = await rig.update();
        flows.add(flow.state);
        return counts.done === 2;
      }, 10 * MINUTE);
      const asked = rig.service.statuses.length;
      await rig.clock.advance(HOUR);

      expect([...flows]).toEqual(['running']);
      expect((await rig.update()).flow).toEqual({ state: 'running' });
      expect(rig.service.statuses.length - asked).toBeLessThanOrEqual(12);
      rig.service.statusResponses.clear();
      await rig.until(async () => (await rig.job(0)).state === 'done', 11 * MINUTE);
    },
  );

  test('for three videos in a row is an outage', async () => {
    const rig = await EngineRig.open();
    await rig.add(['One', 'Two', 'Three']);
    await rig.until(async () => (await rig.job(2)).remoteId !== null);
    for (const { remoteId } of await rig.jobs())
      rig.service.statusResponses.set(remoteId ?? '', OOPS);

    await rig.until(async () => (await rig.update()).flow.state === 'blocked', 5 * MINUTE);
    rig.service.statusResponses.clear();
    await rig.until(async () => (await rig.update()).counts.done === 3, 10 * MINUTE);
  });
});

describe('a rendered video whose link is not ready', () => {
  const early: ScriptedResponse = { status: 409, body: { success: false, message: 'Not ready' } };

  test('is requested with growing intervals and leaves links for the others', async () => {
    const rig = await withReady(2);
    const slow = await remoteIdOf(rig, 0);
    rig.service.linkResponses.set(slow, early);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

    await rig.until(async () => (await rig.job(1)).state === 'done', 5 * MINUTE);
    await rig.clock.advance(HOUR);
    expect(linksFor(rig, slow)).toBeLessThanOrEqual(13);

    const before = linksFor(rig, slow);
    await rig.clock.advance(5 * HOUR);
    expect(linksFor(rig, slow) - before).toBeLessThanOrEqual(31);
    rig.service.linkResponses.clear();
    await rig.until(async () => (await rig.job(0)).state === 'done', 15 * MINUTE);
  });

  test('does not use up the hourly links when all links of a service are late', async () => {
    const rig = await EngineRig.open();
    rig.service.linkAfterMs = 150_000;
    await rig.add(Array.from({ length: 10 }, (_, index) => `Row ${index + 1}`));

    await rig.until(async () => (await rig.update()).counts.done === 10, 10 * MINUTE);
    expect(rig.service.links.length).toBeLessThanOrEqual(25);

    // The learned delay applies to later videos.
    const before = rig.service.links.length;
    await rig.clock.advance(HOUR);
    await rig.add(['Row 11', 'Row 12', 'Row 13'], 'Later.csv');
    await rig.until(async () => (await rig.update()).counts.done === 13, 6 * MINUTE);
    expect(rig.service.links.length - before).toBeLessThanOrEqual(6);
  });

  test('is left to the user after a day, and can be asked for again', async () => {
    const rig = await withReady(1);
    rig.service.linkResponses.set(await remoteIdOf(rig, 0), early);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

    await rig.until(async () => (await rig.job(0)).state === 'failed', 26 * HOUR, MINUTE);
    const { id, failure } = await rig.job(0);
    expect(failure?.code).toBe('file-not-offered');
    const { length } = rig.service.links;
    await rig.clock.advance(24 * HOUR);
    expect(rig.service.links).toHaveLength(length);

    rig.service.linkResponses.clear();
    await rig.engine.commands.jobs.retry({ ids: [id], payAgain: false });
    await rig.until(async () => (await rig.job(0)).state === 'done', 15 * MINUTE);
  });

  test('reports the reason while it waits', async () => {
    const rig = await withReady(1);
    rig.service.linkResponses.set(await remoteIdOf(rig, 0), early);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

    await rig.until(async () => (await rig.job(0)).wait?.reason === 'link-not-ready', 30 * MINUTE);
  });
});
