import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import { expect, onTestFinished, test } from 'vitest';
import { limitsOf } from '../../../../src/engine/pacing/service-limits.ts';
import { RateLimits } from '../../../../src/engine/flow/rate-limits.ts';
import { openStore, type OpenStore } from '../../../rigs/open-store.ts';
import { DOCUMENTED_LIMITS } from '../../../../src/engine/pacing/rate-window-state.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const ORIGIN = 'https://service.example';

async function open(folder: string): Promise<OpenStore> {
  const now = 0;
  const store = await openStore({ folder, origin: ORIGIN, now });
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

test('a request in flight when the process died counts for the next process', async () => {
  const clock = new VirtualClock();
  const folder = temporaryFolder();
  const store = await open(folder);
  const limits = new RateLimits(store, clock, limitsOf(DOCUMENTED_API));
  const { limit } = DOCUMENTED_LIMITS.generate;
  for (let sent = 0; sent < limit; sent += 1) {
    store.transactions.write(() => limits.reserve('generate'));
  }

  const after = new RateLimits(store, clock, limitsOf(DOCUMENTED_API));

  expect(after.wait('generate')).toBeGreaterThan(0);
  expect(after.wait('status')).toBe(0);
});

test('a request that could not be stored is not charged', async () => {
  const store = await open(temporaryFolder());
  const limits = new RateLimits(store, new VirtualClock(), limitsOf(DOCUMENTED_API));

  expect(() =>
    store.transactions.write(() => {
      limits.reserve('generate');
      throw new Error('The disk is full.');
    }),
  ).toThrow('The disk is full.');

  expect(limits.generate.windows[0].window.state.charges).toEqual([]);
});
