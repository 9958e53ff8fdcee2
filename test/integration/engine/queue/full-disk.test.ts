import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { EngineRig } from '../../../rigs/engine-rig.ts';

const MINUTE = 60_000;

/** SQLite's codes for a disk that is full and for a defect of whoever calls it. */
const FULL = 13;
const MISUSE = 21;

/** Lets no commit through while it is full, as SQLite does on a disk that is. */
function aDiskThatFills(errcode = FULL): { isFull: boolean } {
  const disk = { isFull: false };
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this` below
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    if (disk.isFull && sql === 'COMMIT') {
      throw Object.assign(new Error('not committed'), { errcode });
    }
    exec.call(this, sql);
  };
  onTestFinished(() => {
    DatabaseSync.prototype.exec = exec;
  });
  return disk;
}

test('nothing is sent while the queue cannot be written, and then it goes on', async () => {
  const disk = aDiskThatFills();
  const rig = await EngineRig.open();
  await rig.engine.pause('sending');
  await rig.add(['One', 'Two', 'Three']);
  await rig.engine.resume();
  disk.isFull = true;
  await rig.clock.advance(10 * MINUTE);

  expect(rig.service.asked).toEqual([]);
  const { flow } = await rig.update();
  expect(flow).toMatchObject({ state: 'blocked', failure: { code: 'disk-full' } });

  disk.isFull = false;
  await rig.until(async () => (await rig.update()).counts.done === 3, 30 * MINUTE);
  expect(rig.service.asked).toHaveLength(3);
  expect((await rig.update()).flow).toEqual({ state: 'running' });
});

test('the answer to a request is kept until it can be written, and asked for once', async () => {
  const disk = aDiskThatFills();
  const rig = await EngineRig.open();
  rig.service.latencyMs = 10_000;
  await rig.add(['One']);
  await rig.until(() => rig.service.asked.length === 1);
  disk.isFull = true;
  await rig.clock.advance(5 * MINUTE);
  expect((await rig.job(0)).state).toBe('sending');

  disk.isFull = false;
  await rig.until(async () => (await rig.job(0)).state === 'done', 10 * MINUTE);
  expect(rig.service.asked).toHaveLength(1);
  expect((await rig.update()).quota).toMatchObject({ used: 1, held: 0 });
});

test('a request whose outcome could not be recorded for a defect is uncertain and not sent again', async () => {
  const commits = aDiskThatFills(MISUSE);
  const rig = await EngineRig.open();
  rig.service.latencyMs = 10_000;
  await rig.add(['One']);
  await rig.until(() => rig.service.asked.length === 1);
  commits.isFull = true;
  await rig.until(() => rig.defects.length > 0);
  commits.isFull = false;

  await rig.until(async () => (await rig.job(0)).state === 'uncertain', MINUTE);
  await rig.clock.advance(60 * MINUTE);

  expect(rig.service.asked).toHaveLength(1);
  expect((await rig.update()).quota).toMatchObject({ used: 0, held: 1 });
});

test.each(['saved', 'interrupted'])(
  'a download that is %s while the disk is full is not forgotten',
  async (how) => {
    const disk = aDiskThatFills();
    const rig = await EngineRig.open();
    await rig.add(['One']);
    await rig.until(async () => (await rig.job(0)).state === 'downloading');
    disk.isFull = true;
    if (how === 'interrupted') {
      rig.nextDownload.push({ kind: 'waiting', reason: 'no-space', until: null, neededBytes: 10 });
    }
    await rig.clock.advance(5 * MINUTE);
    expect((await rig.job(0)).state).toBe('downloading');

    disk.isFull = false;
    await rig.until(async () => (await rig.job(0)).state === 'done', 10 * MINUTE);
    expect(rig.service.videos).toHaveLength(1);
    expect((await rig.job(0)).failure).toBeNull();
  },
);
