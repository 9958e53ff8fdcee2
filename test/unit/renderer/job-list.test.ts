import { describe, expect, it } from 'vitest';
import type { JobState } from '../../../src/contract/job-states.ts';
import type { Update } from '../../../src/contract/summary.ts';
import { JobList } from '../../../src/renderer/state/job-list.svelte.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

const rows = (count: number, state: JobState = 'queued'): JobState[] =>
  Array.from({ length: count }, () => state);

/** A list that applies the engine’s updates, as the page does. */
function listOf(states: readonly JobState[]) {
  const engine = fakeEngine({ states }, 0);
  const list = new JobList(engine.client, notPressed);
  const reads = () =>
    engine.calls
      .filter(({ name }) => name === 'jobs.list')
      .map(({ input }) => (input as { offset: number }).offset);
  const watch = async (): Promise<void> => {
    for await (const update of await engine.client.watch({})) list.apply(update);
  };
  void watch();
  return { engine, list, reads };
}

describe('a list of 100,000 rows', () => {
  it('reads the page that is visible and no other', async () => {
    const { list, reads } = listOf(rows(100_000));
    await expect.poll(() => list.total).toBe(100_000);
    expect(reads()).toEqual([0]);
    expect(list.at(0)?.id).toBe('job-0');
    expect(list.at(100)).toBeUndefined();
  });

  it('reads the rows in view, and drops those far away', async () => {
    const { list } = listOf(rows(100_000));
    await expect.poll(() => list.total).toBe(100_000);
    list.show(70_090, 70_130);
    await expect.poll(() => list.at(70_090)?.id).toBe('job-70090');
    expect(list.at(70_130)?.id).toBe('job-70130');
    expect(list.at(0)).toBeUndefined();
  });

  it('keeps the rows next to the visible ones, so scrolling back needs no read', async () => {
    const { list, reads } = listOf(rows(1000));
    await expect.poll(() => list.total).toBe(1000);
    list.show(100, 140);
    await expect.poll(() => list.at(100)).toBeDefined();
    expect(list.at(0)?.id).toBe('job-0');
    list.show(0, 40);
    expect(reads()).toEqual([0, 100]);
  });
});

it('shows a changed row without reading the list again', async () => {
  const { engine, list, reads } = listOf(rows(10));
  await expect.poll(() => list.total).toBe(10);
  engine.change(['job-3'], { state: 'sending' });
  await expect.poll(() => list.at(3)?.state).toBe('sending');
  expect(reads()).toEqual([0]);
});

it('shows a changed video in the line of its row', async () => {
  const engine = fakeEngine({ states: rows(3) }, 0);
  engine.change(['job-0', 'job-1'], { rowId: 'job-0' });
  const list = new JobList(engine.client, notPressed);
  list.narrow({ grouping: 'sections', unfoldedRows: [] });
  await list.read;
  const { job } = await engine.client.jobs.show({ id: 'job-1' });
  const jobs = [{ ...job, progress: { fraction: 0.5, estimated: false } }];
  list.apply({ jobs, relist: false, summary: { batches: [] } } as unknown as Update);
  const fractions = list.at(0)?.videos?.map(({ progress }) => progress?.fraction);
  expect(fractions).toEqual([undefined, 0.5]);
});

it('finishes `read` only with the rows of the latest reload', async () => {
  const engine = fakeEngine({ states: rows(3) }, 0);
  const list = new JobList(engine.client, notPressed);
  list.reload();
  await list.read;
  const { id } = list.at(2)!;
  await engine.client.jobs.move({ ids: [id], before: list.at(0)!.id });
  list.reload();
  const { read } = list;
  const release = engine.delay('jobs.list');
  list.reload();
  setTimeout(release);
  await read;
  expect(list.indexOf(id)).toBe(0);
});

it('keeps a row while it moves from one page to another', async () => {
  const engine = fakeEngine({ states: rows(150) }, 0);
  const original = engine.client.jobs.list;
  const release: (() => void)[] = [];
  const held = async (...input: Parameters<typeof original>) => {
    const page = await original(...input);
    await new Promise<void>((resolve) => release.push(resolve));
    return page;
  };
  const list = new JobList(engine.client, notPressed);
  list.show(90, 110);
  await expect.poll(() => list.at(149)).toBeDefined();
  const { id } = list.at(120)!;
  await engine.client.jobs.move({ ids: [id], before: list.at(0)!.id });
  Object.assign(engine.client.jobs, { list: held });
  list.reload();
  await expect.poll(() => release.length).toBe(2);
  // The page that the row left arrives first.
  release.pop()!();
  await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  expect(list.byId(id)?.id).toBe(id);
  release.pop()!();
  await list.read;
  expect(list.indexOf(id)).toBe(0);
});

it('is unreadable while one of its pages is missing', async () => {
  const engine = fakeEngine({ states: rows(150) }, 0);
  const original = engine.client.jobs.list;
  const list = new JobList(engine.client, notPressed);
  list.show(90, 110);
  await expect.poll(() => list.at(149)).toBeDefined();
  const failing = (...input: Parameters<typeof original>) =>
    input[0].offset === 0 ? Promise.reject(new Error('no')) : original(...input);
  Object.assign(engine.client.jobs, { list: failing });
  list.reload();
  await list.read;
  expect(list.unreadable).toBe(true);
  Object.assign(engine.client.jobs, { list: original });
  list.reload();
  await list.read;
  expect(list.unreadable).toBe(false);
});

it('prefers a change over an older page that arrives after it', async () => {
  const engine = fakeEngine({ states: rows(3) }, 0);
  let answer: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  const original = engine.client.jobs.list;
  const slow = async (...input: Parameters<typeof original>) => {
    const page = await original(...input);
    await held;
    return page;
  };
  Object.assign(engine.client.jobs, { list: slow });
  const list = new JobList(engine.client, notPressed);
  list.total = 3;
  list.reload();
  const { jobs } = await original({});
  list.apply({
    seq: 1,
    jobs: [{ ...jobs[1]!, state: 'done' }],
    relist: false,
    summary: await firstSummary(engine),
  });
  answer?.();
  await expect.poll(() => list.at(1)?.state).toBe('done');
});

it('reads once until its first answer, whatever changes meanwhile', async () => {
  const engine = fakeEngine({ states: rows(3) }, 0);
  let answer: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  const original = engine.client.jobs.list;
  let asked = 0;
  const slow = async (...input: Parameters<typeof original>) => {
    asked += 1;
    await held;
    return original(...input);
  };
  const summary = await firstSummary(engine);
  const { jobs } = await original({});
  Object.assign(engine.client.jobs, { list: slow });
  const list = new JobList(engine.client, notPressed);
  list.narrow({});
  for (const seq of [1, 2, 3]) list.apply({ seq, jobs: [jobs[0]!], relist: false, summary });
  answer?.();
  await expect.poll(() => list.total).toBe(3);
  expect(asked).toBe(1);
});

it('drops a row from a filtered list once its state no longer matches', async () => {
  const { engine, list } = listOf([...rows(2, 'failed'), ...rows(3)]);
  await expect.poll(() => list.total).toBe(5);
  list.narrow({ states: ['failed'] });
  await expect.poll(() => list.total).toBe(2);
  engine.change(['job-0'], { state: 'queued' });
  await expect.poll(() => list.total).toBe(1);
  expect(list.at(0)?.id).toBe('job-1');
});

it('keeps the lines of the former filter, not their rows, until those of another are read', async () => {
  const engine = fakeEngine({ states: [...rows(2, 'failed'), ...rows(3)] }, 0);
  const list = new JobList(engine.client, notPressed);
  list.narrow({});
  await list.read;
  list.narrow({ states: ['failed'] });
  expect([list.isNarrowing, list.total, list.at(0)]).toEqual([true, 5, undefined]);
  await list.read;
  expect([list.isNarrowing, list.total, list.at(0)?.id]).toEqual([false, 2, 'job-0']);
  engine.connected = false;
  list.narrow({});
  await list.read;
  expect([list.isNarrowing, list.total, list.unreadable]).toEqual([false, null, true]);
});

it('does not say that nothing matches a filter while its rows are read', async () => {
  const { list } = listOf(rows(3));
  list.narrow({ states: ['failed'] });
  await list.read;
  expect(list.total).toBe(0);
  list.narrow({});
  expect(list.total).toBeNull();
});

it('is unreadable while the engine is unreachable, and reads once it is back', async () => {
  const engine = fakeEngine({ states: rows(4) }, 0);
  const list = new JobList(engine.client, notPressed);
  const summary = await firstSummary(engine);
  engine.connected = false;
  list.reload();
  await expect.poll(() => list.unreadable).toBe(true);
  engine.connected = true;
  list.apply({ seq: 2, jobs: [], relist: false, summary });
  await expect.poll(() => list.unreadable).toBe(false);
  expect(list.total).toBe(4);
});

it('reads again with the next update after a read failed, although it still has rows', async () => {
  const engine = fakeEngine({ states: rows(4) }, 0);
  const list = new JobList(engine.client, notPressed);
  const summary = await firstSummary(engine);
  list.reload();
  await list.read;
  engine.connected = false;
  list.reload();
  await list.read;
  expect([list.unreadable, list.total]).toEqual([true, 4]);
  engine.connected = true;
  list.apply({ seq: 2, jobs: [], relist: false, summary });
  await expect.poll(() => list.unreadable).toBe(false);
});

it('drops rows that arrive for an earlier filter', async () => {
  const engine = fakeEngine({ states: [...rows(2, 'failed'), ...rows(3)] }, 0);
  const original = engine.client.jobs.list;
  const late = Promise.withResolvers<undefined>();
  const slow: typeof original = async (input, ...rest) => {
    const page = await original(input, ...rest);
    if (input.states?.includes('failed')) await late.promise;
    return page;
  };
  Object.assign(engine.client.jobs, { list: slow });
  const list = new JobList(engine.client, notPressed);
  list.narrow({ states: ['failed'] });
  list.narrow({ states: ['queued'] });
  await expect.poll(() => list.total).toBe(3);
  late.resolve(undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect([list.total, list.at(0)?.id]).toEqual([3, 'job-2']);
});

it('reads the id of each matching row although another one is sent meanwhile', async () => {
  const engine = fakeEngine({ states: rows(1500) }, 0);
  const original = engine.client.jobs.list;
  const thenSend: typeof original = async (...input) => {
    const page = await original(...input);
    engine.change(['job-0'], { state: 'sending' });
    return page;
  };
  Object.assign(engine.client.jobs, { list: thenSend });
  const list = new JobList(engine.client, notPressed);

  const ids = await list.idsIn(['queued']);

  expect(ids).toContain('job-1000');
  expect(ids).toHaveLength(1500);
});

async function firstSummary(engine: ReturnType<typeof fakeEngine>) {
  const stop = new AbortController();
  for await (const update of await engine.client.watch({}, { signal: stop.signal })) {
    stop.abort();
    return update.summary;
  }
  throw new Error('A watch begins with an update.');
}
