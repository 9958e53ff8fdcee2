import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { RenderOutageError } from '../../../src/local-service/rendering/render-errors.ts';
import { RenderOutages } from '../../../src/local-service/videos/render-outages.ts';
import { ManualClock } from '../../integration/local-service/rig.ts';

const MINUTE = 60_000;

function openOutages() {
  const clock = new ManualClock();
  const stop = new AbortController();
  let retries = 0;
  const outages = new RenderOutages({
    after: clock.after,
    stop: stop.signal,
    onRetry: () => (retries += 1),
    onOutage: () => undefined,
  });
  /** Begins an outage, and returns the wait before the next video may be tried. */
  const wait = (): number => {
    outages.begin('rendering', new RenderOutageError('no-workers'));
    const before = retries;
    let ms = 0;
    for (; retries === before && ms < 2 * MINUTE; ms += 1000) clock.advance(1000);
    return ms;
  };
  return { clock, stop, outages, wait };
}

test('an outage is tried again after growing waits, a minute at most', () => {
  const { wait } = openOutages();
  const waits = Array.from({ length: 8 }, wait);
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, MINUTE, MINUTE]);
});

test('the first wait is short again once a video was stored', () => {
  const { outages, wait } = openOutages();
  for (let count = 0; count < 5; count += 1) wait();
  outages.end('rendering');
  outages.resetRetry();
  expect(wait()).toBe(1000);
});

test('an attempt is repeated until it succeeds, and leaves no listener behind', async () => {
  const { clock, stop, outages } = openOutages();
  const failures: unknown[] = [];
  let attempts = 0;
  const attempt = (): string => {
    attempts += 1;
    if (attempts < 20) throw new Error('It is down.');
    return 'stored';
  };
  const result = outages.repeat('database', attempt, {
    signal: stop.signal,
    isOutage: () => true,
    onFailure: (error) => failures.push(error),
  });
  while (attempts < 20) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(MINUTE);
  }
  await expect(result).resolves.toBe('stored');
  expect(failures).toHaveLength(19);
  expect(outages.current()).toBeUndefined();
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});

test('the end of the service ends the wait, and allows one last attempt', async () => {
  const { stop, outages } = openOutages();
  let attempts = 0;
  const attempt = (): never => {
    attempts += 1;
    throw new Error(`It is down (${attempts}).`);
  };
  const result = outages.repeat('database', attempt, {
    signal: stop.signal,
    isOutage: () => true,
    onFailure: () => undefined,
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(attempts).toBe(1);
  stop.abort();
  await expect(result).rejects.toThrow('It is down (2).');
});
