import type { FailureCode } from '../../../src/contract/failure.ts';
import { describe, expect, it } from 'vitest';
import { endingOf, type BatchProgress } from '../../../src/cli/batch-progress.ts';
import { exitCodeOfBatch } from '../../../src/cli/exit-codes.ts';
import type { JobState } from '../../../src/contract/job-states.ts';
import type { Summary } from '../../../src/contract/summary.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { aJob, aSummary } from '../../rigs/job-builder.ts';

function progressWith(states: JobState[], summary: Partial<Summary> = {}): BatchProgress {
  const jobs = states.map((state, index) => aJob({ id: `job-${index}`, state }));
  return { name: 'Launch week', folder: '/videos', jobs, awaited: [], summary: aSummary(summary) };
}

const usedUp = { ...aSummary().quota!, used: 14, held: 1 };
const blockedBy = (code: FailureCode) =>
  ({
    state: 'blocked',
    failure: { code, ...userMessage('verbatim', { text: 'Because.' }) },
  }) as const;

describe('waiting for a batch', () => {
  it.each<[JobState]>([
    ['queued'],
    ['reserved'],
    ['sending'],
    ['submitted'],
    ['rendering'],
    ['ready'],
    ['downloading'],
    ['verifying'],
  ])('continues while a video is %s', (state) => {
    expect(endingOf(progressWith(['done', state]))).toBeNull();
  });

  it('continues while the service cannot be reached, because it may come back', () => {
    const progress = progressWith(['queued'], { flow: blockedBy('service-unreachable') });
    expect(endingOf(progress)).toBeNull();
  });

  it('continues if the service has no quota', () => {
    expect(endingOf(progressWith(['done', 'queued'], { quota: null }))).toBeNull();
  });

  it('continues after the quota is used up until everything that was sent is saved', () => {
    const summary = { quota: usedUp };
    expect(endingOf(progressWith(['rendering', 'queued'], summary))).toBeNull();
    expect(endingOf(progressWith(['done', 'queued'], summary))).toEqual({ kind: 'quota-used-up' });
  });

  it.each<[number, JobState[], Partial<Summary>]>([
    [0, ['done', 'done'], {}],
    [1, ['done', 'failed'], {}],
    [1, ['done', 'rejected'], {}],
    [1, ['done', 'held'], {}],
    [1, ['done', 'cancelled'], {}],
    [3, ['rendering', 'queued'], { flow: blockedBy('key-refused') }],
    [4, ['done', 'queued'], { quota: usedUp }],
    [4, ['done', 'queued'], { flow: blockedBy('quota-used-up') }],
    [4, ['done', 'queued'], { quota: null, flow: blockedBy('nothing-left') }],
    [4, ['done', 'queued'], { flow: blockedBy('daily-quota-used-up') }],
    [5, ['done', 'failed', 'uncertain'], {}],
    [5, ['done', 'queued'], { flow: blockedBy('store-copied') }],
    [5, ['done', 'queued'], { flow: blockedBy('store-damaged') }],
  ])('ends with exit code %i for %j', (exitCode, states, summary) => {
    const progress = progressWith(states, summary);
    const ending = endingOf(progress);
    expect(ending && exitCodeOfBatch(ending, progress)).toBe(exitCode);
  });

  it.each<[JobState, number | null]>([
    ['queued', null],
    ['rendering', null],
    ['ready', 5],
    ['done', 5],
    ['failed', 5],
    ['held', 5],
    ['uncertain', 5],
  ])(
    'continues while another batch’s video of the same request can progress: %s',
    (state, code) => {
      const progress = {
        ...progressWith(['done']),
        awaited: [aJob({ id: 'of another batch', state })],
      };
      const ending = endingOf(progress);
      expect(ending && exitCodeOfBatch(ending, progress)).toBe(code);
    },
  );
});
