/** A service on the disk of the saved files deletes its copy of each one. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AccountLimits } from '../../../../src/engine/pacing/service-limits.ts';
import { EngineRig, ORIGIN, type EngineRigOptions } from '../../../rigs/engine-rig.ts';
import { VIDEO_EXPIRED } from '../../../rigs/fake-service.ts';

const UNLIMITED: AccountLimits = {
  windows: [],
  hasQuota: false,
  concurrent: null,
  rendersAtOnce: null,
};

interface DeletingRig {
  readonly rig: EngineRig;
  /** The id and the hash of each saved file that the service was told of. */
  readonly told: (readonly [id: string, sha256: string])[];
}

async function deletingRig(options: EngineRigOptions = {}): Promise<DeletingRig> {
  const told: [string, string][] = [];
  const rig = await EngineRig.open({
    accountLimits: UNLIMITED,
    deleteSaved: (id, sha256) => {
      told.push([id, sha256]);
      rig.service.statusResponses.set(id, VIDEO_EXPIRED);
      rig.service.linkResponses.set(id, VIDEO_EXPIRED);
      return Promise.resolve();
    },
    ...options,
  });
  return { rig, told };
}

async function saveAll(rig: EngineRig): Promise<void> {
  const isOver = (): boolean => {
    const { counts } = rig.engine.summary();
    return counts.done + counts.failed === Object.values(counts).reduce((sum, n) => sum + n, 0);
  };
  await rig.until(isOver);
  expect((await rig.jobs()).map(({ failure }) => failure)).toEqual(
    (await rig.jobs()).map(() => null),
  );
}

async function loseFile(rig: EngineRig, index: number): Promise<void> {
  rmSync((await rig.job(index)).file?.path ?? '');
  expect(await rig.engine.commands.files.check()).toEqual({ missing: 1 });
}

const ofMay = { name: 'May.csv', content: 'title\nOne\nTwo' };

test('the service is told of each file once it is saved', async () => {
  const { rig, told } = await deletingRig();
  await rig.add(['One', 'Two']);
  await saveAll(rig);
  const jobs = await rig.jobs();
  await rig.close();
  expect(told).toEqual(jobs.map(({ remoteId, file }) => [remoteId, file?.sha256]));
});

test('the service is not told of a file that is not saved', async () => {
  const { rig, told } = await deletingRig();
  rig.nextDownload.push({ kind: 'failed', code: 'damaged', message: 'No MP4.', says: [] });
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'failed');
  expect(told).toEqual([]);
});

test('a row whose file is lost is rendered again when it is downloaded again', async () => {
  const { rig, told } = await deletingRig();
  const [id = ''] = await rig.add(['One']);
  await saveAll(rig);
  await loseFile(rig, 0);

  await rig.engine.commands.jobs.downloadAgain({ ids: [id] });
  expect(await rig.job(0)).toMatchObject({ remoteId: null, file: null });
  await saveAll(rig);
  expect(await rig.job(0)).toMatchObject({ remoteId: 'video-2', file: { bytes: 2048 } });
  expect(told.map(([video]) => video)).toEqual(['video-1', 'video-2']);
});

test('a file that was moved back is not rendered again', async () => {
  const { rig } = await deletingRig();
  const [id = ''] = await rig.add(['One']);
  await saveAll(rig);
  const { path = '' } = (await rig.job(0)).file ?? {};
  const bytes = readFileSync(path);
  await loseFile(rig, 0);
  writeFileSync(path, bytes);

  await rig.engine.commands.jobs.downloadAgain({ ids: [id] });
  expect((await rig.job(0)).state).toBe('done');
  expect(rig.service.asked).toHaveLength(1);
});

test('rows whose files are lost are new when they are added again', async () => {
  const { rig } = await deletingRig();
  await rig.add(['One', 'Two'], 'May.csv');
  await saveAll(rig);
  await loseFile(rig, 1);

  const { rows } = await rig.engine.commands.batches.plan({ source: ofMay, options: {} });
  expect(rows.map(({ outcome }) => outcome)).toEqual(['saved', 'new']);
  const added = await rig.engine.commands.batches.add({
    origin: ORIGIN,
    source: ofMay,
    options: {},
  });
  expect(added).toMatchObject({ submitted: 1, downloadedAgain: 0, alreadyThere: 1 });
  await saveAll(rig);
  expect(rig.service.asked).toHaveLength(3);
});

test('rows of another batch are rendered, because there is no video to download', async () => {
  const { rig } = await deletingRig();
  await rig.add(['One', 'Two'], 'January.csv');
  await saveAll(rig);

  const { rows } = await rig.engine.commands.batches.plan({ source: ofMay, options: {} });
  expect(rows.map(({ outcome }) => outcome)).toEqual(['new', 'new']);
  await rig.engine.commands.batches.add({ origin: ORIGIN, source: ofMay, options: {} });
  await saveAll(rig);
  expect(rig.service.asked).toHaveLength(4);
});

test('a video is kept until the last row that needs it is saved', async () => {
  const { rig, told } = await deletingRig();
  await rig.add(['One'], 'January.csv');
  await rig.until(async () => (await rig.job(0)).state === 'downloading');
  const one = { name: 'May.csv', content: 'title\nOne' };
  const added = await rig.engine.commands.batches.add({ origin: ORIGIN, source: one, options: {} });
  expect(added).toMatchObject({ submitted: 0, downloadedAgain: 1 });

  await rig.until(async () => (await rig.job(0)).state === 'done');
  expect((await rig.job(1)).state).not.toBe('done');
  expect(told).toEqual([]);
  await saveAll(rig);
  await rig.close();
  expect(rig.service.asked).toHaveLength(1);
  expect(told).toHaveLength(1);
});

test('with a quota, a row whose file is lost is not rendered again without being asked', async () => {
  const { rig } = await deletingRig({ accountLimits: { ...UNLIMITED, hasQuota: true } });
  const [id = ''] = await rig.add(['One']);
  await saveAll(rig);
  await loseFile(rig, 0);
  const { refused } = await rig.engine.commands.jobs.downloadAgain({ ids: [id] });
  expect(refused).toMatchObject([{ id, failure: { code: 'not-possible-now' } }]);
  expect((await rig.job(0)).state).toBe('missing');
});

test('a service that was not told in time keeps its copy, and nothing is lost', async () => {
  const { rig } = await deletingRig({ deleteSaved: () => Promise.resolve() });
  const [id = ''] = await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'done');
  const { path = '' } = (await rig.job(0)).file ?? {};
  expect(readFileSync(path)).toHaveLength(2048);
  await loseFile(rig, 0);
  await rig.engine.commands.jobs.downloadAgain({ ids: [id] });
  await saveAll(rig);
  expect(rig.service.asked).toHaveLength(2);
});
