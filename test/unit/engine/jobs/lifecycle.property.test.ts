import fc from 'fast-check';
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { JOB_STATES, type JobState } from '../../../../src/contract/job-states.ts';
import { canMove, MOVE_NAMES, MOVES, RECOVERY } from '../../../../src/engine/jobs/lifecycle.ts';
import { addBatch, aRow } from '../../../rigs/filled-store.ts';
import { openStore, type OpenStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const JOBS = 4;

type Step = { job: number; move: (typeof MOVE_NAMES)[number] } | 'restart' | 'fail';

const steps = fc.array(
  fc.oneof(
    {
      weight: 20,
      arbitrary: fc.record({ job: fc.nat(JOBS - 1), move: fc.constantFrom(...MOVE_NAMES) }),
    },
    { weight: 1, arbitrary: fc.constant<Step>('restart') },
    { weight: 1, arbitrary: fc.constant<Step>('fail') },
  ),
  { maxLength: 80 },
);

function open(folder: string): Promise<OpenStore> {
  return openStore({
    folder,
    now: 1000,
  });
}

function fill(store: OpenStore): number[] {
  const rows = Array.from({ length: JOBS }, (_, index) => aRow(`Row ${index}`));
  return store.jobs.insert(addBatch(store).id, rows, 0);
}

/** The state of a job after the engine has been restarted. */
function recovered(state: JobState): JobState {
  const move = RECOVERY.find((name) => canMove(name, state));
  return move ? MOVES[move].to : state;
}

test('after any moves in any order, each job has its expected state and a consistent history', async () => {
  const folder = temporaryFolder();
  await fc.assert(
    fc.asyncProperty(steps, async (todo) => {
      rmSync(folder, { recursive: true, force: true });
      let store = await open(folder);
      const ids = fill(store);
      let expected: JobState[] = ids.map(() => 'queued');
      try {
        for (const step of todo) {
          if (step === 'restart') {
            await store.close();
            store = await open(folder);
            expected = expected.map(recovered);
          } else if (step === 'fail') {
            failMidway(store, ids, expected);
          } else {
            const id = ids[step.job] ?? 0;
            const from = expected[step.job] ?? 'queued';
            if (canMove(step.move, from)) {
              store.jobs.move(id, step.move, 2000);
              expected[step.job] = MOVES[step.move].to;
            } else {
              expect(() => store.jobs.move(id, step.move, 2000)).toThrow('No move');
            }
          }
        }
        assertConsistent(store, ids, expected);
      } finally {
        await store.close();
      }
    }),
    { numRuns: 60 },
  );
});

/** A transaction that moves every job that can be moved, and then fails. */
function failMidway(store: OpenStore, ids: readonly number[], states: readonly JobState[]): void {
  const attempt = (): void =>
    store.transactions.write(() => {
      ids.forEach((id, index) => {
        const move = MOVE_NAMES.find((name) => canMove(name, states[index] ?? 'queued'));
        if (move) store.jobs.move(id, move, 2000);
      });
      throw new Error('The disk is full.');
    });
  expect(attempt).toThrow('The disk is full.');
}

function assertConsistent(
  store: OpenStore,
  ids: readonly number[],
  expected: readonly JobState[],
): void {
  const jobs = ids.map((id) => store.jobs.get(id));
  expect(jobs.map(({ state }) => state)).toEqual(expected);
  for (const state of JOB_STATES) {
    expect(store.jobs.counts.total[state]).toBe(expected.filter((each) => each === state).length);
  }
  for (const job of jobs) {
    const history = store.jobs.history(job);
    expect(history.at(-1)?.to).toBe(job.state);
    history.slice(1).forEach(({ from, to }, index) => {
      expect(from).toBe(history[index]?.to);
      expect(MOVE_NAMES.some((move) => canMove(move, from ?? to) && MOVES[move].to === to)).toBe(
        true,
      );
    });
  }
}
