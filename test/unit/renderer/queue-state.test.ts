import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import type { JobState } from '../../../src/contract/job-states.ts';
import type { Update } from '../../../src/contract/summary.ts';
import { Commands } from '../../../src/renderer/state/commands.svelte.ts';
import { EndedBatches } from '../../../src/renderer/state/ended-batches.svelte.ts';
import { QueueState } from '../../../src/renderer/state/queue-state.svelte.ts';
import { TableLayout } from '../../../src/renderer/state/table-layout.svelte.ts';
import { Toasts } from '../../../src/renderer/state/toasts.svelte.ts';
import type { RowPicker } from '../../../src/renderer/views/row-picker.svelte.ts';
import { TableRows } from '../../../src/renderer/views/table-rows.svelte.ts';
import { en } from '../../../src/renderer/texts/en.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

const NO_STORAGE = { getItem: () => null, setItem: () => undefined };

function queueFor(client: Client): QueueState {
  return new QueueState(
    client,
    new Commands(client, new Toasts(notPressed, 5000), () => en),
    notPressed,
    new TableLayout(NO_STORAGE, 'queue'),
    new EndedBatches(NO_STORAGE),
  );
}

/** Applies the engine's updates, as the page does. */
function follow(client: Client, queue: QueueState): void {
  const watch = async (): Promise<void> => {
    for await (const update of await client.watch({})) queue.apply(update);
  };
  void watch();
}

/** A queue that receives changes only through `apply`. */
async function queueOf(states: readonly JobState[]) {
  const engine = fakeEngine({ states }, 0);
  const queue = queueFor(engine.client);
  queue.list.reload();
  await expect.poll(() => queue.list.total).toBe(states.length);
  return { engine, queue };
}

async function relistFrom(client: Client): Promise<Update> {
  const stop = new AbortController();
  for await (const update of await client.watch({}, { signal: stop.signal })) {
    stop.abort();
    return { ...update, jobs: [], relist: true };
  }
  throw new Error('A watch begins with an update.');
}

const queued = (count: number): JobState[] => Array.from({ length: count }, () => 'queued');

it('lists no archived videos before a filter was chosen', async () => {
  const { engine, queue } = await queueOf(['failed', 'queued']);
  engine.change(['job-0'], { archivedAt: 1 });
  queue.apply(await relistFrom(engine.client));
  await expect.poll(() => queue.list.total).toBe(1);
  queue.showOnly('archived');
  await expect.poll(() => queue.list.at(0)?.id).toBe('job-0');
});

describe('the selection', () => {
  it('drops rows that left the list without an update of their own', async () => {
    const { engine, queue } = await queueOf(['failed', 'rejected', 'queued']);
    queue.showOnly('attention');
    await queue.selection.chooseAll();
    expect([...queue.selection.ids]).toEqual(['job-0', 'job-1']);
    engine.change(['job-0'], { state: 'queued' });
    queue.apply(await relistFrom(engine.client));
    await expect.poll(() => [...queue.selection.ids]).toEqual(['job-1']);
  });

  it('drops rows that were never read, too', async () => {
    const { engine, queue } = await queueOf(queued(1500));
    queue.showState('queued');
    await queue.selection.chooseAll();
    engine.change(['job-1400'], { state: 'done' });
    queue.apply(await relistFrom(engine.client));
    await expect.poll(() => queue.selection.ids.size).toBe(1499);
    expect(queue.selection.ids.has('job-1400')).toBe(false);
  });

  it('drops a row at once when an update takes it out of the list', async () => {
    const { engine, queue } = await queueOf(['failed', 'rejected', 'queued']);
    queue.showOnly('attention');
    await queue.list.read;
    await queue.selection.chooseAll();
    engine.change(['job-0'], { state: 'queued' });
    const { jobs } = await engine.client.jobs.list({ states: ['queued'] });
    queue.apply({ ...(await relistFrom(engine.client)), jobs, relist: false });
    expect([...queue.selection.ids]).toEqual(['job-1']);
  });

  it('keeps rows that are selected while an earlier list is compared', async () => {
    const { engine, queue } = await queueOf(queued(1500));
    queue.showState('queued');
    await queue.selection.chooseAll();
    engine.change(['job-1400'], { state: 'done' });
    const { ids } = engine.client.jobs;
    const late = Promise.withResolvers<undefined>();
    const reads: unknown[] = [];
    const slow: typeof ids = async (...input) => {
      const read = await ids(...input);
      reads.push(input);
      await late.promise;
      return read;
    };
    Object.assign(engine.client.jobs, { ids: slow });
    queue.apply(await relistFrom(engine.client));
    await expect.poll(() => reads.length).toBe(1);
    queue.showState('done');
    await queue.list.read;
    queue.selection.choose(0);
    expect([...queue.selection.ids]).toEqual(['job-1400']);
    late.resolve(undefined);
    await new Promise((resolve) => setImmediate(resolve));
    expect([...queue.selection.ids]).toEqual(['job-1400']);
  });

  it('ignores an answer to an earlier filter', async () => {
    const { queue } = await queueOf(['failed', 'queued']);
    const all = queue.selection.chooseAll();
    queue.showOnly('attention');
    await all;
    expect(queue.selection.ids.size).toBe(0);
  });

  it('keeps its cursor on its row when rows before it leave', async () => {
    const { engine, queue } = await queueOf(queued(5));
    queue.showState('queued');
    await queue.list.read;
    queue.selection.choose(3);
    engine.change(['job-0', 'job-1'], { state: 'done' });
    queue.apply(await relistFrom(engine.client));
    await expect.poll(() => queue.selection.cursor).toBe(1);
    expect(queue.selection.rowAtCursor?.id).toBe('job-3');
  });

  it('does not act on the next row when the one under the cursor leaves', async () => {
    const { engine, queue } = await queueOf(queued(5));
    queue.showState('queued');
    await queue.list.read;
    queue.selection.choose(2);
    engine.change(['job-2'], { state: 'done' });
    queue.apply(await relistFrom(engine.client));
    await expect.poll(() => queue.selection.ids.size).toBe(0);
    expect(queue.selection.cursor).toBe(2);
    expect(queue.selection.rowAtCursor).toBeUndefined();
  });
});

describe('moving rows', () => {
  it('follows a row to the end of the list, beyond the loaded rows', async () => {
    const { queue } = await queueOf(queued(1500));
    queue.selection.choose(3);
    queue.mover.toEnd(['job-3']);
    await expect.poll(() => queue.selection.cursor).toBe(1499);
  });

  it('sends one command for all queued steps', async () => {
    const { engine, queue } = await queueOf(queued(20));
    for (let step = 0; step < 6; step += 1) queue.mover.step(['job-12'], -1);
    queue.mover.step(['job-12'], 2);
    await expect.poll(() => queue.list.indexOf('job-12')).toBe(8);
    expect(engine.calls.filter(({ name }) => name === 'jobs.move')).toHaveLength(1);
  });

  it('computes a step from the order after the previous move', async () => {
    const { queue } = await queueOf(queued(20));
    queue.mover.step(['job-12'], -1);
    queue.mover.toTop(['job-12']);
    queue.mover.step(['job-12'], 1);
    queue.mover.step(['job-5'], -2);
    await expect.poll(() => queue.list.indexOf('job-12')).toBe(1);
    await expect.poll(() => queue.list.indexOf('job-5')).toBe(4);
  });

  it('keeps the order of rows that are moved to the top, although the first is one of them', async () => {
    const { queue } = await queueOf(queued(5));
    queue.mover.toTop(['job-0', 'job-2']);
    await expect.poll(() => queue.list.indexOf('job-2')).toBe(1);
    expect(queue.list.indexOf('job-0')).toBe(0);
    queue.mover.toTop(['job-4', 'job-3', 'job-2', 'job-1', 'job-0']);
    queue.mover.toTop(['job-4']);
    await expect.poll(() => queue.list.indexOf('job-4')).toBe(0);
    const order = [0, 1, 2, 3, 4].map((index) => queue.list.at(index)?.id);
    expect(order).toEqual(['job-4', 'job-0', 'job-2', 'job-1', 'job-3']);
  });

  it('stops at either end', async () => {
    const { engine, queue } = await queueOf(queued(3));
    queue.mover.step(['job-0'], -1);
    queue.mover.step(['job-1'], -5);
    await expect.poll(() => queue.list.indexOf('job-1')).toBe(0);
    queue.mover.step(['job-2'], 1);
    queue.mover.step(['job-1'], 9);
    await expect.poll(() => queue.list.indexOf('job-1')).toBe(2);
    expect(engine.calls.filter(({ name }) => name === 'jobs.move')).toHaveLength(2);
  });
});

it('shows all batches again when its batch belongs to another service', async () => {
  const { engine, queue } = await queueOf(queued(3));
  queue.showBatch('batch-0');
  const update = await relistFrom(engine.client);
  queue.apply(update);
  expect(queue.batchId).toBe('batch-0');
  queue.apply({ ...update, summary: { ...update.summary, batches: [] } });
  expect(queue.batchId).toBeNull();
});

describe('in sections', () => {
  it('folds a batch as it finishes beside others, and shows it again when it is chosen', async () => {
    const engine = fakeEngine(
      { states: ['done', 'queued', 'done', 'queued'], batches: ['One', 'Two'] },
      0,
    );
    const queue = queueFor(engine.client);
    queue.apply(await relistFrom(engine.client));
    await expect.poll(() => queue.list.total).toBe(2);
    queue.showBatch('batch-0');
    await queue.list.read;
    expect(queue.list.shownGroups.groups).toEqual([{ key: 'batch:batch-0', total: 2, lines: 2 }]);
  });

  it('shows the rows of a finished batch that is alone in the queue', async () => {
    const engine = fakeEngine({ states: ['done', 'done'] }, 0);
    const queue = queueFor(engine.client);
    queue.apply(await relistFrom(engine.client));
    await expect.poll(() => queue.list.total).toBe(2);
  });

  it('moves a row to another section when its state changes, also below a folded heading', async () => {
    const engine = fakeEngine({ states: queued(3), quota: 'none' }, 0);
    const queue = queueFor(engine.client);
    follow(engine.client, queue);
    await expect.poll(() => queue.list.total).toBe(3);
    queue.fold({ kind: 'section', key: 'next', total: 3 }, true);
    await expect.poll(() => queue.list.total).toBe(0);
    engine.change(['job-2'], { state: 'rendering' });
    await expect.poll(() => queue.list.at(0)?.id).toBe('job-2');
  });

  it('sorts the rows by a column, without sections, until it is sorted as the queue again', async () => {
    const engine = fakeEngine({ states: queued(3) }, 0);
    const queue = queueFor(engine.client);
    follow(engine.client, queue);
    queue.sortBy({ by: 'title', descending: false });
    await expect.poll(() => queue.list.at(0)?.title).toBe('Cold brew in six steps');
    expect(queue.hasSections).toBe(false);
    queue.sortBy(null);
    expect(queue.hasSections).toBe(true);
  });

  it('does not move a row beyond those that wait', async () => {
    const engine = fakeEngine(
      { states: ['rendering', 'queued', 'queued', 'done'], quota: 'none' },
      0,
    );
    const queue = queueFor(engine.client);
    follow(engine.client, queue);
    await expect.poll(() => queue.list.total).toBe(3);
    queue.mover.step(['job-1'], -1);
    queue.mover.step(['job-2'], 1);
    queue.mover.step(['job-1'], 1);
    await expect.poll(() => queue.list.at(2)?.id).toBe('job-1');
    const moves = engine.calls.filter(({ name }) => name === 'jobs.move');
    expect(moves.map(({ input }) => input)).toEqual([{ ids: ['job-1'], before: null }]);
  });
});

describe('the videos of a row', () => {
  /** Two rows with three videos each, of which the first row's first renders. */
  async function queueOfRows() {
    const states = ['rendering', ...queued(5)] as const;
    const variants = ['16:9', '9:16', '1:1'];
    const engine = fakeEngine({ states, variants, quota: 'none' }, 0);
    const queue = queueFor(engine.client);
    follow(engine.client, queue);
    await expect.poll(() => queue.list.total).toBe(3);
    return { engine, queue };
  }

  const listed = ({ list }: QueueState) =>
    Array.from({ length: list.total ?? 0 }, (_, row) => list.at(row)?.id);

  it('share a line in each section, and are selected together', async () => {
    const { queue } = await queueOfRows();
    expect(listed(queue)).toEqual(['job-0', 'job-1', 'job-3']);
    queue.selection.choose(1);
    expect([...queue.selection.ids]).toEqual(['job-1', 'job-2']);
    expect(queue.selection.states()).toEqual(['queued', 'queued']);
    expect(await queue.selection.idsIn(['queued'])).toEqual(['job-1', 'job-2']);
    await queue.selection.extendTo(2);
    expect(queue.selection.ids.size).toBe(5);
    queue.selection.toggle(2);
    expect([...queue.selection.ids]).toEqual(['job-1', 'job-2']);
    await queue.selection.chooseAll();
    expect(queue.selection.ids.size).toBe(6);
  });

  it('have a line each when their row is unfolded, and are selected when it is folded', async () => {
    const { queue } = await queueOfRows();
    queue.foldRow('job-3', false);
    await expect.poll(() => listed(queue)).toEqual(['job-0', 'job-1', 'job-3', 'job-4', 'job-5']);
    queue.selection.choose(3);
    queue.foldRow('job-3', true);
    expect([...queue.selection.ids]).toEqual(['job-3', 'job-4', 'job-5']);
    await expect.poll(() => listed(queue)).toEqual(['job-0', 'job-1', 'job-3']);
    expect(queue.selection.rowAtCursor?.id).toBe('job-3');
  });

  it('are not selected in another section when they are folded', async () => {
    const { queue } = await queueOfRows();
    queue.foldRow('job-0', false);
    await expect.poll(() => listed(queue)).toEqual(['job-0', 'job-1', 'job-2', 'job-3']);
    queue.selection.choose(2);
    queue.foldRow('job-0', true);
    expect([...queue.selection.ids]).toEqual(['job-1', 'job-2']);
  });

  /** Two rows, whose videos alternate. */
  async function queueOfAlternating() {
    const { engine, queue } = await queueOfRows();
    for (const [rowId, ids] of [
      ['a', ['job-0', 'job-2', 'job-4']],
      ['b', ['job-1', 'job-3', 'job-5']],
    ] as const)
      engine.change(ids, { rowId, state: 'queued' });
    await expect.poll(() => queue.list.total).toBe(2);
    queue.foldRow('a', false);
    await expect.poll(() => listed(queue)).toEqual(['job-0', 'job-1', 'job-2', 'job-4']);
    return { engine, queue };
  }

  it('are selected when they are folded, wherever their lines were', async () => {
    const { queue } = await queueOfAlternating();
    queue.selection.choose(3);
    queue.foldRow('a', true);
    expect([...queue.selection.ids].toSorted()).toEqual(['job-0', 'job-2', 'job-4']);
    await expect.poll(() => queue.selection.cursor).toBe(0);
    expect([...queue.selection.ids].toSorted()).toEqual(['job-0', 'job-2', 'job-4']);
  });

  it('can be folded from every place where they have lines, but only in the queue’s order', async () => {
    const { queue } = await queueOfAlternating();
    const rows = new TableRows(queue, {} as RowPicker);
    const places = () =>
      Array.from({ length: queue.lines.total }, (_, line) => rows.placeInRow(line));
    expect(places()).toEqual([null, 'first', 'folded', 'first', 'other']);
    queue.sortBy({ by: 'title', descending: false });
    await expect.poll(() => queue.list.total).toBe(6);
    expect(places().every((place) => place === null)).toBe(true);
  });

  it('are all selected with their lines, as the lines are shown', async () => {
    const { engine, queue } = await queueOfRows();
    await queue.selection.chooseAll();
    const asked = engine.calls.findLast(({ name }) => name === 'jobs.ids');
    // The engine folds videos across the end of the quota, too.
    expect(asked?.input).toMatchObject({ grouping: 'sections', unfoldedRows: [] });
  });

  it('keep their line when an update names only the first', async () => {
    const { engine, queue } = await queueOfRows();
    engine.change(['job-3'], { title: 'Another title' });
    await expect.poll(() => queue.list.at(2)?.title).toBe('Another title');
    expect(queue.list.at(2)?.videos?.map(({ id }) => id)).toEqual(['job-3', 'job-4', 'job-5']);
  });

  it('are listed one by one in another order', async () => {
    const { queue } = await queueOfRows();
    queue.sortBy({ by: 'title', descending: false });
    await expect.poll(() => queue.list.total).toBe(6);
  });
});
