import { expect, test } from 'vitest';
import { SharedSync } from '../../../../src/local-service/storage/folder-writer.ts';

test('calls during a running sync share the next one', async () => {
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
  // The running sync may not include what these callers have written.
  const later = [ask('second'), ask('third')];
  runs[0]!.resolve(undefined);
  await first;
  await expect.poll(() => runs.length).toBe(2);
  expect(done).toEqual(['first']);
  runs[1]!.resolve(undefined);
  await Promise.all(later);
  expect(runs).toHaveLength(2);
});

test('a failed sync rejects the calls that waited for it, and no later ones', async () => {
  let isBroken = true;
  const sync = new SharedSync(() =>
    isBroken ? Promise.reject(new Error('EIO')) : Promise.resolve(),
  );
  const first = [sync.run(), sync.run()];
  for (const run of first) await expect(run).rejects.toThrow('EIO');
  isBroken = false;
  await sync.run();
});
