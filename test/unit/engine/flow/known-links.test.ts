import { expect, test } from 'vitest';
import type { DownloadWaits } from '../../../../src/engine/flow/download-waits.ts';
import { Fetcher } from '../../../../src/engine/flow/fetcher.ts';
import type { FlowContext } from '../../../../src/engine/flow/flow-context.ts';
import { KnownLinks } from '../../../../src/engine/flow/known-links.ts';
import { EndpointOutage } from '../../../../src/engine/flow/outage.ts';
import { WakeSignal } from '../../../../src/engine/flow/wake-signal.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';
import {
  DEFAULT_TRANSFER_LIMITS,
  TransferThrottle,
} from '../../../../src/engine/downloads/bandwidth.ts';

const nothing = (): undefined => undefined;

/**
 * Videos whose download begins at once, after the answers about three others had no usable link.
 * @param ready job ids; the video of job 4 is `v4`
 * @param linked ids of jobs whose link came with the status
 */
async function startedDownloads(
  ready: readonly number[],
  linked: readonly number[],
): Promise<string[]> {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const linkOutage = new EndpointOutage(clock, () => 1, 'links');
  for (const id of ['v7', 'v8', 'v9']) {
    linkOutage.unusable(id, { code: 'answer-unreadable', message: '', says: [] });
  }
  const knownLinks = new KnownLinks();
  for (const id of linked) {
    knownLinks.remember(`v${id}`, { url: 'https://cdn.example/v.mp4', expiresAt: null });
  }
  const left = [...ready];
  const videos: string[] = [];
  const jobOf = (id: number): unknown => ({
    id,
    batchId: 1,
    remoteId: `v${id}`,
    fileName: 'v.mp4',
    waitReason: null,
    state: 'ready',
  });
  const jobs = {
    counts: { total: { ready: 1 } },
    waiting: () => [],
    ids: () => left,
    get: jobOf,
    find: jobOf,
    move: (id: number) => left.includes(id) && left.splice(left.indexOf(id), 1),
  };
  const context = {
    clock,
    linkOutage,
    knownLinks,
    wakeSignal: new WakeSignal(clock),
    api: { file: { kind: 'in-status' } },
    service: {
      knownLink: () => null,
      link: () => Promise.reject(new Error('No link is asked for.')),
    },
    store: {
      jobs,
      batches: { get: () => ({ folder: '/videos', onCollision: 'number' }) },
      files: { isFileOfOther: () => true },
    },
    limits: { wait: () => 0, view: nothing, serviceAheadMs: 0 },
    flow: { waitToRead: () => 0, paused: null },
    throttle: new TransferThrottle({ ...DEFAULT_TRANSFER_LIMITS, parallel: 4 }, clock),
    pauses: { all: false, exceptions: 0, has: () => false },
    linkDelay: { delays: false, given: nothing },
    blockedServer: { beginProbe: nothing, reached: nothing },
    transfers: { end: nothing, show: nothing },
    feed: { job: nothing, rows: nothing, summary: nothing },
    onDefect: nothing,
    download: ({ video }: { video: string }) => {
      videos.push(video);
      return Promise.resolve({ kind: 'paused', receivedBytes: 0 });
    },
  } as unknown as FlowContext;
  const waits = { followClock: nothing, left: () => 0, isOver: () => Promise.resolve(true) };
  const running = new Fetcher(context, waits as unknown as DownloadWaits).run(stop.signal);
  await clock.advance(10);
  stop.abort();
  await running;
  return videos;
}

test('a known link is used although the answers about other videos are unusable', async () => {
  expect(await startedDownloads([4], [4])).toEqual(['v4']);
});

test('a video without a known link does not delay those with one', async () => {
  expect(await startedDownloads([1, 4, 5], [4, 5])).toEqual(['v4', 'v5']);
});

test('a video without a known link waits', async () => {
  expect(await startedDownloads([1], [])).toEqual([]);
});
