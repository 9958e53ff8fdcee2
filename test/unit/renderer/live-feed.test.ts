import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import type { Update } from '../../../src/contract/summary.ts';
import {
  LiveFeed,
  type ConnectionLoss,
} from '../../../src/renderer/connection/live-feed.svelte.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

const update = (seq: number): Update => ({ seq }) as Update;

/** A feed with scripted watches. `pass` ends its current wait. */
function feedOf(
  watches: (Update[] | 'refused')[],
  losses: ConnectionLoss[] = [],
  connectionLoss = () => Promise.resolve(losses.shift() ?? 'unknown'),
) {
  const since: (number | undefined)[] = [];
  const waits: number[] = [];
  const seen: number[] = [];
  let pass: (() => void) | undefined;
  const client = {
    // eslint-disable-next-line @typescript-eslint/require-await -- a refusal is a rejection
    async watch(input: { since?: number }) {
      since.push(input.since);
      const next = watches.shift();
      if (next === undefined) return never();
      if (next === 'refused') throw new Error('The connection was refused.');
      return updatesThenLoss(next);
    },
  } as unknown as Client;
  const feed = new LiveFeed(
    client,
    {
      random: () => 1,
      pointerReleased: notPressed,
      connectionLoss,
      wait: (milliseconds, signal) => {
        waits.push(milliseconds);
        return new Promise((resolve) => {
          pass = resolve;
          if (signal.aborted) resolve();
          signal.addEventListener('abort', () => resolve());
        });
      },
    },
    ({ seq }) => seen.push(seq),
  );
  const waited = async (count: number): Promise<void> => {
    await expect.poll(() => waits).toHaveLength(count);
  };
  return { feed, since, waits, seen, waited, pass: () => pass?.() };
}

async function* updatesThenLoss(updates: readonly Update[]): AsyncGenerator<Update> {
  yield* updates;
  await Promise.reject(new Error('The connection was lost.'));
}

async function* never(): AsyncGenerator<Update> {
  await new Promise(() => undefined);
  yield update(0);
}

describe('a live feed', () => {
  it('asks for what it missed after a loss', async () => {
    const { feed, since, seen, waited, pass } = feedOf([[update(4), update(5)], [update(9)]]);
    const stop = feed.start();
    await waited(1);
    expect(feed.status).toBe('lost');
    pass();
    await waited(2);
    expect(since).toEqual([undefined, 5]);
    expect(seen).toEqual([4, 5, 9]);
    stop();
  });

  it('waits longer after every failure, 15 s at most, and starts over after a success', async () => {
    const { feed, waits, waited, pass } = feedOf([
      ...Array.from({ length: 7 }, () => 'refused' as const),
      [update(1)],
    ]);
    const stop = feed.start();
    for (let count = 1; count <= 8; count += 1) {
      await waited(count);
      pass();
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 500]);
    stop();
  });

  it('is connecting, not lost, before its first update', async () => {
    const { feed, waited } = feedOf(['refused']);
    const stop = feed.start();
    await waited(1);
    expect(feed.status).toBe('connecting');
    stop();
  });

  it('gives a reason for each connection loss', async () => {
    const { feed, waited, pass } = feedOf([[update(1)], 'refused'], ['not-running', 'moved']);
    const stop = feed.start();
    await waited(1);
    expect([feed.status, feed.loss]).toEqual(['lost', 'not-running']);
    pass();
    await waited(2);
    expect([feed.status, feed.loss]).toEqual(['lost', 'moved']);
    stop();
  });

  it('retries at once when asked to', async () => {
    const { feed, since, waited } = feedOf(['refused', [update(1)]]);
    const stop = feed.start();
    await waited(1);
    feed.tryNow();
    await expect.poll(() => since).toHaveLength(2);
    stop();
  });

  it('retries at once when asked to while it looks for the reason of the loss', async () => {
    const reason = Promise.withResolvers<ConnectionLoss>();
    const { feed, since, waited } = feedOf(['refused', [update(1)]], [], () => reason.promise);
    const stop = feed.start();
    await new Promise((resolve) => setImmediate(resolve));
    feed.tryNow();
    reason.resolve('not-running');
    await waited(1);
    await expect.poll(() => since).toHaveLength(2);
    stop();
  });

  it('sends no request once stopped', async () => {
    const { feed, since, waited } = feedOf(['refused', 'refused']);
    const stop = feed.start();
    await waited(1);
    stop();
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(since).toHaveLength(1);
  });
});
