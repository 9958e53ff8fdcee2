import { expect, test } from 'vitest';
import { SharedSync } from '../../../../src/local-service/storage/folder-writer.ts';

test('a sync is shared by those who ask while the one before runs', async () => {
  const runs: PromiseWithResolvers<undefined>[] = [];
  const sync = new SharedSync(() => {
    const run = Promise.withResolvers<undefined>();
    runs.push(run);
    return run.promise;
  });
  const done: string[] = [];
  const ask = (name: string) => sync.run().then(() => done.push(name));
  const first = ask('first');
  await expect.poll(() => runs.length).toBe(1);
  // What these have written may be missing in the sync that runs.
  const later = [ask('second'), ask('third')];
  runs[0]!.resolve(undefined);
  await first;
  await expect.poll(() => runs.length).toBe(2);
  expect(done).toEqual(['first']);
  runs[1]!.resolve(undefined);
  await Promise.all(later);
  expect(runs).toHaveLength(2);
});

test('a sync that fails fails those who waited for it, and not those after them', async () => {
  let isBroken = true;
  const sync = new SharedSync(() =>
    isBroken ? Promise.reject(new Error('EIO')) : Promise.resolve(),
  );
  const first = [sync.run(), sync.run()];
  for (const run of first) await expect(run).rejects.toThrow('EIO');
  isBroken = false;
  await sync.run();
});
