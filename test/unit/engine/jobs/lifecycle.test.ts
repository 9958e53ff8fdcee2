import { format } from 'prettier';
import { expect, test } from 'vitest';
import { JOB_STATES, STATE_GROUPS, type JobState } from '../../../../src/contract/job-states.ts';
import { eventOf } from '../../../../src/engine/jobs/job-events.ts';
import { lifecycleDocument } from '../../../rigs/lifecycle-document.ts';
import { canMove, MOVE_NAMES, MOVES, RECOVERY } from '../../../../src/engine/jobs/lifecycle.ts';

test('docs/lifecycle.md describes the table of moves', async () => {
  const page = await format(lifecycleDocument(), { parser: 'markdown', printWidth: 100 });
  await expect(page).toMatchFileSnapshot('../../../../docs/lifecycle.md');
});

test('every state can be reached from a new job', () => {
  const reached = new Set<JobState>(['queued', 'ready']);
  for (let size = 0; size < reached.size;) {
    size = reached.size;
    for (const move of MOVE_NAMES) {
      if (MOVES[move].from.some((state) => reached.has(state))) reached.add(MOVES[move].to);
    }
  }
  expect([...reached].toSorted()).toEqual([...JOB_STATES].toSorted());
});

test('a job that may have been sent returns to the queue only on proof or by the user', () => {
  const back = MOVE_NAMES.filter((move) => MOVES[move].to === 'queued');
  expect(back.filter((move) => canMove(move, 'sending'))).toEqual(['requeue']);
  expect(back.filter((move) => canMove(move, 'uncertain'))).toEqual(['resend']);
  expect(MOVES.resend.by).toEqual(['user']);
});

test('two states of a history identify the move', () => {
  const moves = MOVE_NAMES.flatMap((name) =>
    MOVES[name].from.map((from) => ({ from, to: MOVES[name].to })),
  );
  expect(new Set(moves.map(({ from, to }) => `${from} ${to}`)).size).toBe(moves.length);
  expect(moves.filter(({ from, to }) => eventOf(from, to, null) === null)).toEqual([]);
});

test('only the user moves an uncertain job, unless the service says that it accepted it', () => {
  for (const move of MOVE_NAMES.filter((name) => canMove(name, 'uncertain'))) {
    const others = move === 'confirmAccepted' ? ['settler'] : [];
    expect(MOVES[move].by).toEqual(['user', ...others]);
  }
  expect(MOVES.confirmAccepted.to).toBe('submitted');
});

test('each state that a stopped engine leaves unfinished has one recovery move', () => {
  for (const state of ['reserved', 'sending', 'downloading', 'verifying'] as const) {
    expect(RECOVERY.filter((move) => canMove(move, state))).toHaveLength(1);
  }
});

test('a job is active in each state that it leaves without the user', () => {
  const active = JOB_STATES.filter((state) =>
    MOVE_NAMES.filter((move) => canMove(move, state) && MOVES[move].to !== state).some((move) =>
      MOVES[move].by.some((mover) => !['user', 'file check', 'settler'].includes(mover)),
    ),
  );
  expect(active.toSorted()).toEqual([...STATE_GROUPS.active].toSorted());
});

test('each state is open or ended, or its video is saved', () => {
  const every = [...STATE_GROUPS.open, ...STATE_GROUPS.ended, 'done'];
  expect(every.toSorted()).toEqual([...JOB_STATES].toSorted());
});
