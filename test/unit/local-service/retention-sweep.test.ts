import { expect, test } from 'vitest';
import { RetentionSweep } from '../../../src/local-service/videos/retention.ts';
import { ManualClock } from '../../integration/local-service/rig.ts';

test('a sweep that is closed ends after the current video, and records what it deleted', async () => {
  const removed: string[] = [];
  const marked: string[] = [];
  const current = Promise.withResolvers<undefined>();
  const clock = new ManualClock();
  const sweep = new RetentionSweep({
    videos: {
      expired: () => ['one', 'two', 'three'],
      markFilesRemoved: (ids) => void marked.push(...ids),
    },
    files: {
      remove: async (id) => {
        removed.push(id);
        await current.promise;
      },
    },
    after: clock.after,
    onFailure: (error) => {
      throw error;
    },
  });
  sweep.start();
  await expect.poll(() => removed).toEqual(['one']);
  const closed = sweep.close();
  current.resolve(undefined);
  await closed;
  clock.advance(24 * 60 * 60 * 1000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(removed).toEqual(['one']);
  expect(marked).toEqual(['one']);
});
