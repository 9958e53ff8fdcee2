import { expect, test } from 'vitest';
import {
  DEFAULT_TRANSFER_LIMITS,
  TransferThrottle,
  type SlotTaker,
} from '../../../../src/engine/downloads/bandwidth.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const STALL_MS = 30_000;
const never = new AbortController().signal;

/** One slot, and two services that request it. */
function setUp() {
  const clock = new VirtualClock();
  const throttle = new TransferThrottle({ ...DEFAULT_TRANSFER_LIMITS, parallel: 1 }, clock);
  const woken: string[] = [];
  const taker = (name: string): SlotTaker => ({ wake: () => void woken.push(name) });
  return { clock, throttle, woken, a: taker('a'), b: taker('b') };
}

test('the service that waits longest is woken when a transfer ends, and goes first', () => {
  const { throttle, woken, a, b } = setUp();
  expect(throttle.requestSlot(a)).toBe(0);
  const slot = throttle.takeSlot(a);
  expect(throttle.requestSlot(b)).toBe(STALL_MS);
  expect(throttle.requestSlot(a)).toBe(Infinity);
  expect(woken).toEqual([]);

  slot.release();
  slot.release();
  expect(woken).toEqual(['b']);
  expect(throttle.requestSlot(a)).toBe(Infinity);
  expect(throttle.requestSlot(b)).toBe(0);
});

test('a service that has nothing to transfer gives its turn to the next', () => {
  const { throttle, woken, a, b } = setUp();
  const slot = throttle.takeSlot(a);
  throttle.requestSlot(b);
  throttle.requestSlot(a);
  slot.release();
  throttle.stopWaiting(b);

  expect(woken).toEqual(['b', 'a']);
  expect(throttle.requestSlot(a)).toBe(0);
});

test('more slots wake a service that waits', () => {
  const { throttle, woken, a, b } = setUp();
  throttle.takeSlot(a);
  throttle.requestSlot(b);
  throttle.limits = { ...DEFAULT_TRANSFER_LIMITS, parallel: 2 };

  expect(woken).toEqual(['b']);
});

test('a stalled transfer, or one that only trickles, keeps no slot from another service', async () => {
  const { clock, throttle, a, b } = setUp();
  const [own] = throttle.takeSlot(a).limits;
  await clock.advance(STALL_MS - 1000);
  await own?.pay(1000, never);
  expect(throttle.requestSlot(b)).toBe(1000);
  await own?.pay(16 * 1024, never);
  expect(throttle.requestSlot(b)).toBe(STALL_MS);

  await clock.advance(STALL_MS);
  expect(throttle.requestSlot(b)).toBe(0);
});

test('a stalled transfer keeps its slot from its own service', async () => {
  const { clock, throttle, a } = setUp();
  throttle.takeSlot(a);
  await clock.advance(2 * STALL_MS);

  expect(throttle.requestSlot(a)).toBe(Infinity);
});
