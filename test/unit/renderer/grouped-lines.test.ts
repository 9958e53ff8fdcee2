import { expect, it } from 'vitest';
import type { JobState } from '../../../src/contract/job-states.ts';
import { GroupedLines, type TableLine } from '../../../src/renderer/state/grouped-lines.svelte.ts';
import { JobList } from '../../../src/renderer/state/job-list.svelte.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

const DAY: readonly JobState[] = ['done', 'rendering', 'queued', 'queued', 'done', 'failed'];

/** Two batches; the rows of each state take turns. */
async function linesOf(unfolded: readonly string[], isFinishedFolded = false) {
  const engine = fakeEngine({ states: DAY, batches: ['One', 'Two'], quota: 'none' }, 0);
  const list = new JobList(engine.client, notPressed);
  list.narrow({ archived: false, grouping: 'sections', unfolded });
  await list.read;
  return new GroupedLines(list, () => isFinishedFolded);
}

function every(lines: GroupedLines): readonly TableLine[] {
  return Array.from({ length: lines.total }, (_, line) => lines.at(line));
}

it('puts a heading before the rows of each section', async () => {
  const lines = await linesOf(['now', 'attention', 'next', 'batch:batch-0']);
  expect(every(lines)).toEqual([
    { kind: 'section', key: 'now', total: 1 },
    { kind: 'row', index: 0 },
    { kind: 'section', key: 'attention', total: 1 },
    { kind: 'row', index: 1 },
    { kind: 'section', key: 'next', total: 2 },
    { kind: 'row', index: 2 },
    { kind: 'row', index: 3 },
    { kind: 'finished', batches: 1, total: 2 },
    { kind: 'batch', batchId: 'batch-0', total: 2 },
    { kind: 'row', index: 4 },
    { kind: 'row', index: 5 },
  ]);
});

it('shows one line for a folded batch, and none below folded batches', async () => {
  const folded = await linesOf(['now', 'next']);
  expect(every(folded).map(({ kind }) => kind)).toEqual([
    ...['section', 'row', 'section', 'section', 'row', 'row'],
    ...['finished', 'batch'],
  ]);
  const none = await linesOf(['now', 'next'], true);
  expect(every(none).at(-1)?.kind).toBe('finished');
});

it('finds the line of each row, and the row of each line', async () => {
  const lines = await linesOf(['now', 'attention', 'next', 'batch:batch-0']);
  for (const [line, at] of every(lines).entries()) {
    if (at.kind === 'row')
      expect([lines.lineOf(at.index), lines.rowFrom(line)]).toEqual([line, at.index]);
  }
  expect(lines.lineOf(-1)).toBe(-1);
  // A heading stands for the first row below it.
  expect(lines.rowFrom(4)).toBe(2);
});

it('has a line for each row of a list without groups', async () => {
  const engine = fakeEngine({ states: DAY }, 0);
  const list = new JobList(engine.client, notPressed);
  list.narrow({ archived: false });
  await list.read;
  const lines = new GroupedLines(list);
  expect(lines.total).toBe(DAY.length);
  expect(lines.at(3)).toEqual({ kind: 'row', index: 3 });
  expect([lines.lineOf(3), lines.rowFrom(3)]).toEqual([3, 3]);
});
