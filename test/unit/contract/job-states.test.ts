import { expect, it } from 'vitest';
import { isFinished, JOB_STATES, type JobState } from '../../../src/contract/job-states.ts';
import { counts } from '../../rigs/summary-builder.ts';

it('a batch is finished when nothing in it is open or waits for the user', () => {
  const finishing: readonly JobState[] = ['done', 'cancelled', 'abandoned'];

  expect(isFinished(counts())).toBe(false);
  expect(JOB_STATES.filter((state) => isFinished(counts({ [state]: 2 })))).toEqual(finishing);
  expect(JOB_STATES.filter((state) => isFinished(counts({ done: 3, [state]: 2 })))).toEqual(
    finishing,
  );
});
