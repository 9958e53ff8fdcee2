import { describe, expect, it } from 'vitest';
import { listBatch, waitForBatches } from '../../../src/cli/wait-for-batch.ts';
import type { Client } from '../../../src/contract/contract.ts';
import type { Job } from '../../../src/contract/job.ts';
import type { Update } from '../../../src/contract/summary.ts';
import { aJob, aSummary } from '../../rigs/job-builder.ts';

const jobs = (...states: Job['state'][]): Job[] =>
  states.map((state, index) => aJob({ id: `job-${index}`, batchId: '1', state }));

const added = [{ batchId: '1', jobIds: ['job-0', 'job-1'], inOtherBatches: [] }] as never;

/** A client of a queue that has the jobs in `listed`, and sends these updates. */
function queue(listed: { jobs: readonly Job[] }, updates: Iterable<Update>): Client {
  return {
    watch: () => Promise.resolve(updates),
    jobs: {
      ids: () => Promise.resolve({ ids: listed.jobs.map(({ id }) => id) }),
      read: ({ ids }: { ids: string[] }) => {
        expect(ids.length).toBeLessThanOrEqual(1000);
        return Promise.resolve({ jobs: listed.jobs.filter(({ id }) => ids.includes(id)) });
      },
    },
  } as unknown as Client;
}

const update = (changed: Job[], relist = false): Update => ({
  seq: 1,
  relist,
  jobs: changed,
  summary: aSummary(),
});

describe('waiting for a batch', () => {
  it('follows its jobs, and lists them again when it may have missed changes', async () => {
    const listed = { jobs: jobs('queued', 'queued') };
    const seen: string[] = [];
    function* updates(): Generator<Update> {
      yield update([], true);
      yield update(jobs('rendering', 'queued').slice(0, 1));
      yield update([aJob({ id: 'of another batch', state: 'failed' })]);
      // The connection was replaced: all that changed meanwhile is in no update.
      listed.jobs = jobs('done', 'failed');
      yield update([], true);
      yield expect.unreachable();
    }
    const { ending } = await waitForBatches(
      queue(listed, updates()),
      added,
      (progress) => seen.push(progress.jobs.map(({ state }) => state).join()),
      new AbortController().signal,
    );
    expect(seen).toEqual(['queued,queued', 'rendering,queued', 'rendering,queued', 'done,failed']);
    expect(ending).toEqual({ kind: 'settled' });
  });

  it('ends without an ending when it is interrupted, and with the error otherwise', async () => {
    const stop = new AbortController();
    function* updates(): Generator<Update> {
      yield update([], true);
      throw new Error('The connection is closed.');
    }
    const wait = () =>
      waitForBatches(
        queue({ jobs: jobs('queued', 'queued') }, updates()),
        added,
        () => undefined,
        stop.signal,
      );
    await expect(wait()).rejects.toThrow('The connection is closed.');
    stop.abort();
    expect(await wait()).toMatchObject({ ending: null, progress: { jobs: [{}, {}] } });
  });
});

it('jobs of other batches are followed too, but are not the batch’s', async () => {
  const other = aJob({ id: 'other', batchId: '2', state: 'rendering' });
  const saved = aJob({ ...other, state: 'done' });
  const client = {
    watch: () => Promise.resolve([update([], true), update([saved])]),
    jobs: {
      ids: () => Promise.resolve({ ids: [] }),
      read: ({ ids }: { ids: string[] }) =>
        Promise.resolve({ jobs: [other].filter(({ id }) => ids.includes(id)) }),
    },
  } as unknown as Client;
  const seen: unknown[] = [];

  const { ending } = await waitForBatches(
    client,
    [{ batchId: '1', jobIds: [], inOtherBatches: ['other'] }] as never,
    ({ jobs: own, awaited }) => seen.push([own.length, awaited.map(({ state }) => state)]),
    new AbortController().signal,
  );

  expect(seen).toEqual([
    [0, ['rendering']],
    [0, ['done']],
  ]);
  expect(ending).toEqual({ kind: 'settled' });
});

it('a batch of more jobs than one call returns is listed completely', async () => {
  const all = Array.from({ length: 2001 }, (_, index) => aJob({ id: String(index) }));
  const client = queue({ jobs: all }, []);
  expect(await listBatch(client, '1')).toEqual(all);
});
