import { linkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Job } from '../../../../src/contract/job.ts';
import type { Flow } from '../../../../src/contract/summary.ts';
import { userMessage } from '../../../../src/contract/user-message.ts';
import type { LinkOutcome } from '../../../../src/engine/service/outcomes.ts';
import { refusedByDisk } from '../../../../src/engine/downloads/download-failures.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';
import { filesBelow } from '../../../rigs/saved-files.ts';

const MINUTE = 60_000;

const states = async (rig: EngineRig): Promise<Job['state'][]> =>
  (await rig.jobs()).map(({ state }) => state);

const obstacle = (flow: Flow): unknown => (flow.state === 'blocked' ? flow.failure : null);

/** Rendered videos, none of them downloaded. */
async function withReady(...titles: readonly string[]): Promise<EngineRig> {
  const rig = await EngineRig.open();
  await rig.engine.commands.transfers.pause({ origin: rig.engine.origin });
  await rig.add(titles);
  await rig.until(async () => (await rig.update()).counts.ready === titles.length);
  return rig;
}

test('a paused transfer stops, reports the pause, and does not block others', async () => {
  const rig = await EngineRig.open();
  const [one = ''] = await rig.add(['One', 'Two']);
  await rig.until(async () => (await rig.job(0)).state === 'downloading');

  await rig.engine.commands.transfers.pause({ origin: rig.engine.origin, ids: [one] });

  expect(await rig.job(0)).toMatchObject({
    state: 'ready',
    wait: { reason: 'download-paused', until: null },
  });
  await rig.until(async () => (await rig.job(1)).state === 'done');
  expect((await rig.job(0)).state).toBe('ready');
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin, ids: [one] });
  await rig.until(async () => (await rig.job(0)).state === 'done');
  expect((await rig.job(0)).wait).toBeNull();
});

test('a transfer that waits for its server is tried at once when the user resumes it, or the queue', async () => {
  const rig = await EngineRig.open();
  const until = rig.clock.now() + 24 * 60 * MINUTE;
  const waiting = { kind: 'waiting', reason: 'server-busy', until, neededBytes: null } as const;
  rig.nextDownload.push(waiting, waiting);
  const [one = ''] = await rig.add(['One', 'Two']);
  await rig.until(async () => (await rig.jobs()).every(({ wait }) => wait?.until === until));

  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin, ids: [one] });
  await rig.until(async () => (await rig.job(0)).state === 'done', MINUTE);

  expect((await rig.job(1)).wait).toEqual({ reason: 'file-server-busy', until });
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.job(1)).state === 'done', MINUTE);
});

test('a transfer whose proxy does not connect names it, in its history too, and continues later', async () => {
  const rig = await EngineRig.open();
  const until = rig.clock.now() + 60 * MINUTE;
  const proxy = 'http://proxy.example:3128';
  const why = userMessage('proxy-login', { proxy });
  rig.nextDownload.push({
    kind: 'waiting',
    reason: 'proxy-failed',
    proxy,
    why,
    until,
    neededBytes: null,
  });
  const [one = ''] = await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).wait?.until === until);
  expect((await rig.job(0)).wait).toEqual({ reason: 'proxy-failed', proxy, until });
  const { history } = await rig.engine.commands.jobs.show({ id: one });
  expect(JSON.stringify(history)).toContain('asks for a user name and password');

  await rig.until(async () => (await rig.job(0)).state === 'done', 61 * MINUTE);
});

test('paused transfers stay paused after a restart; one can be resumed, and then the rest', async () => {
  const before = await withReady('One', 'Two', 'Three');
  await before.close();
  const { folder, clock, service } = before;
  const rig = await EngineRig.open({ folder, clock, service });
  await rig.clock.advance(30 * MINUTE);
  expect(await states(rig)).toEqual(['ready', 'ready', 'ready']);
  expect((await rig.update()).transfers.paused).toBe(true);

  await rig.engine.commands.transfers.resume({
    origin: rig.engine.origin,
    ids: [(await rig.job(1)).id],
  });
  await rig.until(async () => (await rig.job(1)).state === 'done');
  await rig.clock.advance(30 * MINUTE);
  expect(await states(rig)).toEqual(['ready', 'done', 'ready']);

  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.update()).counts.done === 3);
  expect((await rig.update()).transfers.paused).toBe(false);
});

test('a transfer without space waits, reports the missing bytes, and requests no link until it fits', async () => {
  const rig = await withReady('One', 'Two');
  rig.disk.freeBytes = 1000;
  const full = { kind: 'waiting', reason: 'no-space', until: null, neededBytes: 2e9 } as const;
  rig.nextDownload.push(full, full);
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

  await rig.until(async () => (await rig.job(1)).wait?.reason === 'disk-full');
  expect((await rig.job(0)).wait).toEqual({
    reason: 'disk-full',
    until: null,
    missingBytes: 2e9 - 1000,
  });
  expect(obstacle((await rig.update()).flow)).toMatchObject({
    code: 'disk-full',
    missingBytes: 2e9 - 1000,
    message: expect.stringContaining('needs 2.00 GB more') as string,
  });
  const links = rig.service.links.length;
  await rig.clock.advance(60 * MINUTE);
  expect(rig.service.links).toHaveLength(links);

  rig.disk.freeBytes = 1.5e9;
  await rig.clock.advance(MINUTE);
  expect((await rig.job(0)).wait).toMatchObject({ reason: 'disk-full', missingBytes: 5e8 });
  expect(rig.service.links).toHaveLength(links);

  rig.disk.freeBytes = 3e9;
  await rig.until(async () => (await rig.update()).counts.done === 2, 10 * MINUTE);
  expect((await rig.update()).flow).toEqual({ state: 'running' });
});

test('a transfer that waits for space checks the disk after a restart before it requests a link', async () => {
  const before = await withReady('One');
  before.disk.freeBytes = 1000;
  before.nextDownload.push({ kind: 'waiting', reason: 'no-space', until: null, neededBytes: 2e9 });
  await before.engine.commands.transfers.resume({ origin: before.engine.origin });
  await before.until(async () => (await before.job(0)).wait?.reason === 'disk-full');
  await before.close();

  const { folder, clock, service, disk } = before;
  const rig = await EngineRig.open({ folder, clock, service, disk });
  await rig.clock.advance(60 * MINUTE);
  expect((await rig.job(0)).wait).toMatchObject({ reason: 'disk-full', missingBytes: 2e9 - 1000 });
  expect(rig.service.links).toHaveLength(1);

  rig.disk.freeBytes = 3e9;
  await rig.until(async () => (await rig.job(0)).state === 'done', MINUTE);
});

test('a transfer that has started no longer waits for the space of the whole file', async () => {
  const before = await withReady('One');
  before.disk.freeBytes = 1000;
  before.nextDownload.push({ kind: 'waiting', reason: 'no-space', until: null, neededBytes: 2e9 });
  await before.engine.commands.transfers.resume({ origin: before.engine.origin });
  await before.until(async () => (await before.job(0)).wait?.reason === 'disk-full');
  before.disk.freeBytes = 3e9;
  await before.until(async () => (await before.job(0)).state === 'downloading', MINUTE);
  await before.close();

  const { folder, clock, service, disk } = before;
  disk.freeBytes = 1e9;
  const rig = await EngineRig.open({ folder, clock, service, disk });
  await rig.until(async () => (await rig.job(0)).state === 'done', MINUTE);
});

test('a folder that cannot be written to fails no row, uses no links, and is retried', async () => {
  const rig = await withReady('One');
  rig.disk.isWritable = false;
  rig.nextDownload.push({
    kind: 'waiting',
    reason: 'cannot-write',
    until: null,
    neededBytes: null,
  });
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

  await rig.until(async () => (await rig.job(0)).wait?.reason === 'folder-unusable');
  expect(obstacle((await rig.update()).flow)).toMatchObject({ code: 'folder-unusable' });
  await rig.clock.advance(60 * MINUTE);
  expect(rig.service.links).toHaveLength(1);

  rig.disk.isWritable = true;
  await rig.until(async () => (await rig.job(0)).state === 'done');
  expect((await rig.update()).flow).toEqual({ state: 'running' });
});

test('a limit of open files is not taken for a folder that cannot be written to', async () => {
  const rig = await withReady('One');
  rig.nextDownload.push(refusedByDisk('EMFILE', 10));
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

  await rig.until(async () => (await rig.job(0)).wait?.reason === 'too-many-files');
  expect((await rig.update()).flow).toEqual({ state: 'running' });
  await rig.until(async () => (await rig.job(0)).state === 'done');
});

test('a full disk pauses downloads, is reported, and is retried', async () => {
  const rig = await EngineRig.open();
  const full = { kind: 'waiting', reason: 'no-space', until: null, neededBytes: 10 } as const;
  rig.nextDownload.push(full, full);
  await rig.add(['One']);
  await rig.until(async () => obstacle((await rig.update()).flow) !== null);
  expect(obstacle((await rig.update()).flow)).toMatchObject({ code: 'disk-full' });

  await rig.until(async () => (await rig.job(0)).state === 'done', 5 * MINUTE);
  expect((await rig.update()).flow).toEqual({ state: 'running' });
});

test('a full disk is not reported once no job waits for it', async () => {
  const rig = await withReady('One');
  rig.disk.freeBytes = 0;
  rig.nextDownload.push({ kind: 'waiting', reason: 'no-space', until: null, neededBytes: 10 });
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
  await rig.until(async () => obstacle((await rig.update()).flow) !== null);

  await rig.engine.commands.jobs.cancel({ ids: [(await rig.job(0)).id] });

  expect((await rig.update()).flow).toEqual({ state: 'running' });
});

test('when links are used up, rendered videos report it and the time of the next link', async () => {
  const rig = await withReady('One', 'Two');
  rig.service.nextLink.push({
    kind: 'rate-limited',
    response: rig.service.response(429, { 'retry-after': '600', 'x-ratelimit-remaining': '0' }),
  });
  const start = rig.clock.now();
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

  await rig.until(async () => (await rig.job(0)).wait !== null);
  const wait = (await rig.job(1)).wait;
  expect(wait).toMatchObject({ reason: 'link-limit' });
  expect((wait?.until ?? 0) - start).toBeGreaterThanOrEqual(10 * MINUTE);
  expect((wait?.until ?? 0) - start).toBeLessThan(11 * MINUTE);
  await rig.until(async () => (await rig.update()).counts.done === 2);
  expect(rig.clock.now() - start).toBeLessThan(12 * MINUTE);
  expect(rig.service.links).toHaveLength(3);
});

test('a higher limit of parallel transfers applies at once', async () => {
  const rig = await withReady('One', 'Two', 'Three', 'Four', 'Five');
  const active = async (): Promise<number> => (await rig.update()).counts.downloading;
  const none = { totalBytesPerSecond: null, perTransferBytesPerSecond: null };
  rig.engine.applySettings({ transferLimits: { parallel: 1, ...none } });
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

  await rig.until(async () => (await rig.job(0)).state === 'downloading');
  await rig.clock.advance(500);
  expect(await active()).toBe(1);
  rig.engine.applySettings({ transferLimits: { parallel: 3, ...none } });
  await rig.clock.advance(400);
  expect(await active()).toBe(3);
  await rig.until(async () => (await rig.update()).counts.done === 5);
});

test('of several transfers abandoned at once, none restarts while another is being stopped', async () => {
  const rig = await withReady('One', 'Two');
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.update()).counts.downloading === 2);
  const ids = (await rig.jobs()).map(({ id }) => id);
  rig.disk.flushMs.push(0, 500);

  const cancelling = rig.engine.commands.jobs.cancel({ ids });
  await rig.clock.advance(10 * MINUTE);

  expect(await cancelling).toMatchObject({ changed: 2, refused: [] });
  expect(await states(rig)).toEqual(['abandoned', 'abandoned']);
  expect(filesBelow(path.join(rig.folder, 'renders')).size).toBe(0);
  expect(rig.defects).toEqual([]);
});

test('a download that begins while thousands of rows are cancelled is stopped before it is', async () => {
  const rig = await withReady('One');
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  const [one = ''] = (await rig.jobs()).map(({ id }) => id);
  const others = await rig.add(
    Array.from({ length: 2000 }, (_, index) => `Row ${index}`),
    'Many.csv',
  );
  const link = Promise.withResolvers<LinkOutcome>();
  rig.service.link = () => link.promise;
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
  await rig.clock.advance(5000);

  const cancelling = rig.engine.commands.jobs.cancel({ ids: [...others, one] });
  const url = 'https://files.example/video-1';
  link.resolve({
    kind: 'link',
    link: { url, expiresAt: null },
    response: rig.service.response(200),
  });
  await rig.clock.advance(10 * MINUTE);

  expect(await cancelling).toMatchObject({ changed: 2001, refused: [] });
  expect(await rig.job(0)).toMatchObject({ state: 'abandoned' });
  expect(filesBelow(path.join(rig.folder, 'renders')).size).toBe(0);
  expect(rig.defects).toEqual([]);
});

test.each([
  [
    'all work is paused',
    (rig: EngineRig) =>
      rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'everything' }),
  ],
  [
    'transfers are paused',
    (rig: EngineRig) => rig.engine.commands.transfers.pause({ origin: rig.engine.origin }),
  ],
])('a link that arrives once %s is not used', async (_, pause) => {
  const rig = await withReady('One');
  rig.service.latencyMs = 10_000;
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
  await rig.clock.advance(5000);

  await pause(rig);
  await rig.clock.advance(10 * MINUTE);

  expect(rig.service.links).toHaveLength(1);
  expect(await states(rig)).toEqual(['ready']);
});

/** A saved video, and one whose download is paused. */
async function withSavedAndPaused(onCollision: 'skip' | 'replace'): Promise<EngineRig> {
  const rig = await EngineRig.open();
  const { transfers, batches } = rig.engine.commands;
  await transfers.pause({ origin: ORIGIN });
  const { jobIds } = await batches.add({
    origin: ORIGIN,
    source: { name: 'Batch.csv', content: 'title\nOne\nTwo' },
    options: { onCollision },
  });
  await transfers.resume({ origin: ORIGIN, ids: jobIds.slice(0, 1) });
  await rig.until(async () => (await rig.job(0)).state === 'done');
  return rig;
}

test.each(['skip', 'replace'] as const)(
  'a video whose name another download has gets another name, also with “%s”',
  async (onCollision) => {
    const rig = await withSavedAndPaused(onCollision);
    rig.nextDownload.push(({ target }) => {
      writeFileSync(target, 'of the other download');
      return Promise.resolve({
        kind: 'failed',
        code: 'target-busy',
        ...userMessage('target-busy'),
      });
    });
    await rig.engine.commands.transfers.resume({ origin: ORIGIN });

    await rig.until(async () => (await rig.update()).counts.done === 2, 10 * MINUTE);

    const { file } = await rig.job(1);
    expect(path.basename(file?.path ?? '')).toBe('2 Two (2).mp4');
  },
);

test('a video is not skipped because the file of another row appeared at its name', async () => {
  const rig = await withSavedAndPaused('skip');
  const saved = (await rig.job(0)).file?.path ?? '';
  rig.nextDownload.push(({ target }) => {
    linkSync(saved, target);
    return Promise.resolve({ kind: 'skipped', path: target });
  });
  await rig.engine.commands.transfers.resume({ origin: ORIGIN });

  await rig.until(async () => (await rig.update()).counts.done === 2, 10 * MINUTE);

  const { file } = await rig.job(1);
  expect(path.basename(file?.path ?? '')).toBe('2 Two (2).mp4');
});
