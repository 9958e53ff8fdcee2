import { expect, it, onTestFinished } from 'vitest';
import { RenderTimeTracker } from '../../../../src/engine/flow/render-time-tracker.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

it('says how long videos like the latest one take, once there was one', async () => {
  const folder = temporaryFolder();
  const origin = 'https://service.example';
  const store = await openStore({ folder, origin });
  onTestFinished(() => store.close());
  const times = new RenderTimeTracker(store.notes, 5000);
  expect(times.latestMs).toBeNull();
  for (let video = 0; video < 30; video += 1) times.learn('short', 4000);
  expect(times.latestMs).toBeCloseTo(4000, -3);
  for (let video = 0; video < 30; video += 1) times.learn('long', 60_000);
  expect(times.latestMs).toBeGreaterThan(40_000);
});
