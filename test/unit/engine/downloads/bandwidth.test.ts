import { expect, test } from 'vitest';
import { BandwidthLimit } from '../../../../src/engine/downloads/bandwidth.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const never = new AbortController().signal;

/** Pays piece after piece, as a transfer does, until `stop` is aborted. */
function transfer(limit: BandwidthLimit, stop = never) {
  const counted = { bytes: 0 };
  const run = async (): Promise<void> => {
    while (!stop.aborted) {
      const piece = Math.min(64 * 1024, limit.burstBytes);
      await limit.pay(piece, stop);
      counted.bytes += piece;
    }
  };
  run().catch(() => undefined);
  return counted;
}

test('bytes arrive at the rate of the limit, over long and short periods', async () => {
  const clock = new VirtualClock();
  const counted = transfer(new BandwidthLimit(clock, 100_000));
  await clock.advance(1000);
  expect(counted.bytes).toBeGreaterThan(70_000);
  expect(counted.bytes).toBeLessThan(130_000);
  await clock.advance(59_000);
  expect(counted.bytes / 60).toBeCloseTo(100_000, -3.5);
});

test('two transfers share a limit equally', async () => {
  const clock = new VirtualClock();
  const limit = new BandwidthLimit(clock, 100_000);
  const [one, two] = [transfer(limit), transfer(limit)];
  await clock.advance(60_000);
  expect((one.bytes + two.bytes) / 60).toBeCloseTo(100_000, -3.5);
  expect(one.bytes / two.bytes).toBeCloseTo(1, 1);
});

test('a limit that is raised or removed applies at once to waiting transfers', async () => {
  const clock = new VirtualClock();
  const limit = new BandwidthLimit(clock, 10);
  let isPaid = false;
  void limit.pay(1_000_000, never).then(() => (isPaid = true));
  await clock.advance(60_000);
  expect(isPaid).toBe(false);

  limit.bytesPerSecond = null;
  await clock.advance(1000);
  expect(isPaid).toBe(true);
});

test('a limit that is set midway slows a transfer that had none', async () => {
  const clock = new VirtualClock();
  const limit = new BandwidthLimit(clock, null);
  await limit.pay(1e9, never);
  expect(clock.monotonic()).toBe(0);

  limit.bytesPerSecond = 1000;
  const counted = transfer(limit);
  await clock.advance(10_000);
  expect(counted.bytes).toBeLessThan(11_000);
});

test('waiting can be aborted', async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const waiting = new BandwidthLimit(clock, 1).pay(1000, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow();
});
