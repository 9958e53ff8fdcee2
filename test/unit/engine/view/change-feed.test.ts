import { expect, test } from 'vitest';
import { ChangeFeed, type Changes } from '../../../../src/engine/view/change-feed.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const forever = new AbortController().signal;

function setUp(): { clock: VirtualClock; feed: ChangeFeed; start: number } {
  const clock = new VirtualClock();
  const feed = new ChangeFeed(clock);
  return { clock, feed, start: feed.since(undefined).seq };
}

test('a change after a pause is announced at once', async () => {
  const { clock, feed, start } = setUp();
  const next = feed.next(start, forever);

  feed.job(7);
  await clock.advance(0);

  expect(await next).toEqual({ seq: start + 1, jobs: [7], relist: false });
});

test('a burst of changes becomes at most 20 updates in any second, and loses none', async () => {
  const { clock, feed, start } = setUp();
  const updates: { at: number; changes: Changes }[] = [];
  const watcher = new AbortController();
  const watching = (async () => {
    let changes = await feed.next(start, watcher.signal);
    while (changes) {
      updates.push({ at: clock.monotonic(), changes });
      changes = await feed.next(changes.seq, watcher.signal);
    }
  })();
  for (let id = 0; id < 3000; id++) {
    feed.job(id);
    await clock.advance(1);
  }
  await clock.advance(100);
  watcher.abort();
  await watching;

  for (const { at } of updates) {
    const within = updates.filter((other) => other.at >= at && other.at < at + 1000);
    expect(within.length).toBeLessThanOrEqual(20);
  }
  expect(updates.flatMap(({ changes }) => changes.jobs)).toHaveLength(3000);
});

test('a watcher that was away gets each changed row once, and nothing else', async () => {
  const { clock, feed, start } = setUp();
  for (const id of [1, 2, 1, 3]) {
    feed.job(id);
    await clock.advance(100);
  }

  expect(feed.since(start + 1)).toEqual({ seq: start + 4, jobs: [2, 1, 3], relist: false });
  expect(feed.since(start + 4)).toEqual({ seq: start + 4, jobs: [], relist: false });
});

test('a watcher that was away for too long, or watched another run, lists all rows again', async () => {
  const { clock, feed, start } = setUp();
  for (let id = 0; id < 300; id++) {
    feed.job(id);
    await clock.advance(100);
  }

  expect(feed.since(start).relist).toBe(true);
  expect(feed.since(start + 999).relist).toBe(true);
  const nextRun = new ChangeFeed(clock);
  expect(nextRun.since(feed.since(undefined).seq).relist).toBe(true);
});

test('too many changed rows at once make the watcher list all rows again', async () => {
  const { clock, feed, start } = setUp();
  for (let id = 0; id < 600; id++) feed.job(id);
  await clock.advance(0);

  expect(feed.since(start)).toEqual({ seq: start + 1, jobs: [], relist: true });
});

test('a watcher of another feed that this one continues lists all rows again', async () => {
  const { clock, feed, start } = setUp();
  for (const id of [1, 2, 3]) {
    feed.job(id);
    await clock.advance(100);
  }
  const other = start + 3;
  feed.continueAfter(other);
  expect(feed.since(other)).toMatchObject({ jobs: [], relist: true });

  feed.job(4);
  await clock.advance(100);
  expect(feed.since(other)).toMatchObject({ jobs: [], relist: true });
  expect(feed.since(other + 1)).toMatchObject({ jobs: [4], relist: false });
});
