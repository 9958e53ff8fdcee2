import { describe, expect, test } from 'vitest';
import type { DownloadRequest } from '../../../../src/engine/downloads/request.ts';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { NO_SUCH_VIDEO, VIDEO_EXPIRED, type ScriptedResponse } from '../../../rigs/fake-service.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A proxy's response, which says nothing about the video. */
const PAGE: ScriptedResponse = { status: 410, body: '<html>Gone</html>' };

const ended = async (rig: EngineRig, index = 0): Promise<boolean> =>
  ['done', 'failed'].includes((await rig.job(index)).state);

/** Rendered videos, none of them downloaded. */
async function withReady(...titles: readonly string[]): Promise<EngineRig> {
  const rig = await EngineRig.open();
  await rig.engine.commands.transfers.pause({ origin: rig.engine.origin });
  await rig.add(titles);
  await rig.until(async () => (await rig.update()).counts.ready === titles.length);
  return rig;
}

/** Videos whose renders take 15 minutes. */
async function withRendering(...titles: readonly string[]): Promise<EngineRig> {
  const rig = await EngineRig.open();
  rig.service.renderMs = 15 * MINUTE;
  await rig.add(titles);
  await rig.until(async () => (await rig.update()).counts.rendering === titles.length);
  return rig;
}

async function remoteIdOf(rig: EngineRig, index = 0): Promise<string> {
  return (await rig.job(index)).remoteId ?? '';
}

function times(entries: readonly string[], entry: string): number {
  return entries.filter((each) => each === entry).length;
}

describe('a video that the service has deleted', () => {
  test('before its download fails once the service confirms it, at the cost of one link', async () => {
    const rig = await withReady('One', 'Two');
    const id = await remoteIdOf(rig);
    rig.service.linkResponses.set(id, VIDEO_EXPIRED);
    rig.service.statusResponses.set(id, VIDEO_EXPIRED);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
    const start = rig.clock.monotonic();

    await rig.until(async () => (await rig.job(1)).state === 'done', 5 * MINUTE);
    await rig.until(async () => (await rig.job(0)).wait?.reason === 'not-found', 5 * MINUTE);
    expect((await rig.job(0)).failure).toBeNull();
    await rig.until(() => ended(rig), HOUR);

    expect(await rig.job(0)).toMatchObject({
      state: 'failed',
      failure: { code: 'video-expired', detail: expect.stringContaining('deleted') as string },
    });
    expect(rig.clock.monotonic() - start).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(times(rig.service.links, id)).toBe(1);
    const { flow, quota } = await rig.update();
    expect(flow).toEqual({ state: 'running' });
    // It was rendered: what it cost stays spent.
    expect(quota).toMatchObject({ used: 2, held: 0 });
  });

  test('while Spool expects it to render fails as well, and delays no other row', async () => {
    const rig = await withRendering('One', 'Two');
    const id = await remoteIdOf(rig);
    rig.service.statusResponses.set(id, VIDEO_EXPIRED);
    const asked = times(rig.service.statuses, id);

    await rig.until(() => ended(rig), HOUR);
    expect((await rig.job(0)).failure?.code).toBe('video-expired');
    expect(times(rig.service.statuses, id) - asked).toBeLessThanOrEqual(3);
    expect((await rig.update()).quota).toMatchObject({ used: 2, held: 0 });
    await rig.until(async () => (await rig.job(1)).state === 'done', HOUR);
  });

  test('does not add hours to the learned render time', async () => {
    const rig = await withReady('One', 'Two', 'Three', 'Four', 'Five', 'Six');
    for (const { remoteId } of await rig.jobs()) {
      rig.service.linkResponses.set(remoteId ?? '', NO_SUCH_VIDEO);
    }
    await rig.clock.advance(6 * HOUR);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
    await rig.until(() => rig.service.links.length === 6);
    rig.service.linkResponses.clear();
    await rig.until(async () => (await rig.update()).counts.done === 6, HOUR);
    expect(rig.clock.now() - ((await rig.job(0)).readyAt ?? Infinity)).toBeGreaterThan(5 * HOUR);

    await rig.add(['Seven'], 'Later.csv');
    const { sendAt, readyAt } = (await rig.job(6)).forecast;
    expect((readyAt ?? Infinity) - (sendAt ?? 0)).toBeLessThan(10 * MINUTE);
  });

  test.each(['link', 'status'] as const)('needs more than one 410 of the %s', async (which) => {
    const rig = await (which === 'link' ? withReady('One') : withRendering('One'));
    const id = await remoteIdOf(rig);
    const responses = which === 'link' ? rig.service.linkResponses : rig.service.statusResponses;
    const asked = which === 'link' ? rig.service.links : rig.service.statuses;
    const before = times(asked, id);
    responses.set(id, VIDEO_EXPIRED);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
    await rig.until(() => times(asked, id) > before);
    responses.clear();

    await rig.until(() => ended(rig), 2 * HOUR);

    expect(await rig.job(0)).toMatchObject({ state: 'done', failure: null, wait: null });
    expect(rig.service.asked).toHaveLength(1);
  });

  test.each(['link', 'status'] as const)(
    'is not assumed because of a proxy’s page: %s',
    async (which) => {
      const rig = await (which === 'link' ? withReady('One') : withRendering('One'));
      const responses = which === 'link' ? rig.service.linkResponses : rig.service.statusResponses;
      responses.set(await remoteIdOf(rig), PAGE);
      await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

      await rig.clock.advance(5 * HOUR);
      expect(await rig.job(0)).toMatchObject({ failure: null, wait: { reason: 'service-error' } });
      responses.clear();
      await rig.until(async () => (await rig.job(0)).state === 'done', HOUR);
    },
  );

  test('while its download needs a new link is checked before it fails', async () => {
    const rig = await withReady('One');
    const id = await remoteIdOf(rig);
    const renewals: unknown[] = [];
    rig.nextDownload.push(async ({ renewLink, signal }: DownloadRequest) => {
      rig.service.linkResponses.set(id, VIDEO_EXPIRED);
      renewals.push(await renewLink?.('expired', signal));
      rig.service.linkResponses.clear();
      return { kind: 'waiting', reason: 'no-link', until: null, neededBytes: null };
    });
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
    await rig.until(() => renewals.length > 0);
    expect(renewals).toEqual([{ kind: 'wait', reason: 'no-link', until: null }]);

    await rig.until(() => ended(rig), HOUR);
    expect((await rig.job(0)).state).toBe('done');
  });
});

describe('a link request answered with 404', () => {
  test('for a video that the service knows is repeated at growing intervals', async () => {
    const rig = await withReady('One', 'Two');
    const id = await remoteIdOf(rig);
    rig.service.linkResponses.set(id, NO_SUCH_VIDEO);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
    await rig.until(async () => (await rig.job(1)).state === 'done', 5 * MINUTE);
    await rig.until(() => times(rig.service.links, id) === 3, HOUR);
    expect((await rig.job(0)).failure).toBeNull();
    rig.service.linkResponses.clear();

    await rig.until(() => ended(rig), HOUR);
    expect((await rig.job(0)).state).toBe('done');
  });

  test('every time fails the row after ten minutes and few links', async () => {
    const rig = await withReady('One');
    const id = await remoteIdOf(rig);
    rig.service.linkResponses.set(id, NO_SUCH_VIDEO);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
    const start = rig.clock.monotonic();

    await rig.until(() => ended(rig), 2 * HOUR);

    expect(await rig.job(0)).toMatchObject({
      state: 'failed',
      failure: { code: 'video-unknown', detail: expect.stringContaining('no such') as string },
    });
    expect(rig.clock.monotonic() - start).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(times(rig.service.links, id)).toBeLessThanOrEqual(8);
  });

  test('for a video that the service no longer knows costs one link', async () => {
    const rig = await withReady('One', 'Two', 'Three');
    const id = await remoteIdOf(rig);
    rig.service.linkResponses.set(id, NO_SUCH_VIDEO);
    rig.service.statusResponses.set(id, NO_SUCH_VIDEO);
    rig.service.renderMs = 15 * MINUTE;
    await rig.add(['Four'], 'Later.csv');
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

    await rig.until(() => ended(rig), 2 * HOUR);

    expect((await rig.job(0)).failure?.code).toBe('video-unknown');
    expect(times(rig.service.links, id)).toBe(1);
  });

  test('because the key is of another account fails no video for a day', async () => {
    const rig = await withReady('One', 'Two', 'Three');
    for (const { remoteId } of await rig.jobs()) {
      rig.service.linkResponses.set(remoteId ?? '', NO_SUCH_VIDEO);
      rig.service.statusResponses.set(remoteId ?? '', NO_SUCH_VIDEO);
    }
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

    await rig.clock.advance(12 * HOUR);
    expect((await rig.update()).counts.failed).toBe(0);
    rig.service.linkResponses.clear();
    rig.service.statusResponses.clear();

    await rig.until(async () => (await rig.update()).counts.done === 3, HOUR);
  });
});
