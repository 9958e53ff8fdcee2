import { expect, test } from 'vitest';
import { EngineRig } from '../../../rigs/engine-rig.ts';

const ROWS = 1500;

test('thousands of rows that change at once are reported in a few updates', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  const ids = await rig.add(Array.from({ length: ROWS }, (_, row) => `Row ${row}`));
  await rig.clock.advance(1000);
  const updates: { jobs: number; relist: boolean }[] = [];
  const watcher = new AbortController();
  const watching = (async () => {
    for await (const { jobs, relist } of rig.engine.watch(undefined, watcher.signal)) {
      updates.push({ jobs: jobs.length, relist });
    }
  })();
  await rig.clock.advance(0);
  updates.length = 0;

  const allChanged = { changed: ROWS, refused: [] };
  const { jobs } = rig.engine.commands;
  expect(await jobs.cancel({ ids })).toEqual({ ...allChanged, step: '1' });
  expect(await jobs.retry({ ids, payAgain: false })).toEqual({ ...allChanged, step: null });
  expect((await jobs.cancel({ ids: [...ids, 'nonsense', '99999'] })).refused).toHaveLength(2);
  await rig.clock.advance(500);
  watcher.abort();
  await watching;

  expect((await rig.update()).counts).toMatchObject({ queued: 0, cancelled: ROWS });
  expect(updates.length).toBeLessThanOrEqual(10);
  expect(updates.some(({ relist }) => relist)).toBe(true);
  expect(Math.max(...updates.map(({ jobs }) => jobs))).toBeLessThanOrEqual(500);
});
