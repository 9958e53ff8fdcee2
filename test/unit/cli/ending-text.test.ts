import { expect, test } from 'vitest';
import type { BatchPlan } from '../../../src/contract/batch.ts';
import { endingText, planText } from '../../../src/cli/display/summary-text.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { aJob, aSummary, NOON } from '../../rigs/job-builder.ts';

test.each([
  [true, true],
  [false, false],
])(
  'the text says that a used-up quota is tried again daily if the service refused: %s',
  (refused, says) => {
    const summary = aSummary();
    const resetAt = new Date(2026, 1, 5, 12).getTime();
    const progress = {
      name: 'Launch',
      folder: '/videos',
      jobs: [aJob({ state: 'queued' })],
      awaited: [],
      summary: { ...summary, quota: { ...summary.quota!, resetAt, refused } },
    };
    const words = endingText(EXIT.quotaUsedUp, progress, 1000, { cwd: '/', now: () => NOON });
    expect(words).toContain('to reset on 5 Feb. Run the same command again then.');
    expect(words.includes('tries again every day')).toBe(says);
  },
);

test('without a quota, the text says that nothing is left according to the service', () => {
  const progress = {
    name: 'Launch',
    folder: '/videos',
    jobs: [aJob({ state: 'queued' })],
    awaited: [],
    summary: aSummary({ quota: null }),
  };
  const words = endingText(EXIT.quotaUsedUp, progress, 1000, { cwd: '/', now: () => NOON });
  expect(words).toContain('The service says that nothing is left.');
  expect(words).not.toMatch(/quota|plan|month/);
});

test('the text counts the videos that are not saved by reason, and says why the rest is held', () => {
  const refused = { code: 'content-refused', ...userMessage('content-refused') } as const;
  const held = { code: 'batch-held', ...userMessage('batch-held', { count: 3 }) } as const;
  const progress = {
    name: 'Launch',
    folder: '/videos',
    jobs: [
      aJob({ state: 'done' }),
      ...[1, 2, 3].map(() => aJob({ state: 'rejected', failure: refused })),
      aJob({ state: 'rejected' }),
      aJob({ state: 'failed' }),
      aJob({ state: 'held', failure: held }),
    ],
    awaited: [],
    summary: aSummary(),
  };
  const words = endingText(EXIT.someFailed, progress, 1000, { cwd: '/', now: () => NOON });
  expect(words).toContain(
    'Not saved: 3 refused because of the content, 1 refused, 1 failed, 1 held.',
  );
  expect(words).toContain(
    'so the rest of the batch is on hold. Resume it with spool jobs release.',
  );
});

const ROW: BatchPlan['rows'][number] = {
  row: 2,
  title: 'One',
  fileName: '1 One.mp4',
  outcome: 'new',
  like: null,
  choices: [],
  wait: null,
  forecast: { sendAt: null, readyAt: null, savedAt: null },
};

test.each([
  ['quota', 'this month’s'],
  ['daily-quota', 'today’s'],
] as const)(
  'a plan whose row waits for the %s says that it does not fit in %s',
  (reason, whose) => {
    const rows = [{ ...ROW, wait: { reason, until: NOON } }];
    const ahead = {
      savedBy: null,
      sentAsNumbers: [],
      savedBetween: null,
      cost: null,
      notThisCycle: 1,
    };
    const plan = { name: 'Launch', files: [], rows, ...ahead } as unknown as BatchPlan;
    expect(planText(plan, NOON)).toContain(`1 video will not fit in ${whose} quota.`);
  },
);

test('a plan whose last row waits for years says so', () => {
  const rows = [ROW, { ...ROW, row: 3, wait: { reason: 'years-away', until: null } }];
  const ahead = { savedBy: null, sentAsNumbers: [], savedBetween: null, cost: null };
  const plan = { name: 'Launch', files: [], rows, ...ahead, notThisCycle: 1 };
  expect(planText(plan as unknown as BatchPlan, NOON)).toBe(
    'Launch: 2 videos, 2 to render, all saved in more than 5 years.\n' +
      '1 video will not fit in this month’s quota.',
  );
});

test.each<[number | null, string, boolean?]>([
  [180, 'Estimated cost: 240 credits. More than your balance, which was 180 credits (3 min ago).'],
  [240, 'Estimated cost: 240 credits. Your balance was 240 credits (3 min ago).'],
  [null, 'Estimated cost: 240 credits.'],
  [
    null,
    'Estimated cost: 240 credits. Your balance is not known: the service has not reported it yet.',
    true,
  ],
])('a plan that costs 240 credits of %s', (amount, costText, tellsBalance = false) => {
  const cost = { unit: 'credit', currency: null, amount: 240, unknown: 0 };
  const balance = amount === null ? null : { ...cost, amount, readAt: NOON - 150_000 };
  const ahead = {
    savedBy: null,
    sentAsNumbers: [],
    savedBetween: null,
    cost,
    balance,
    tellsBalance,
    notThisCycle: 0,
  };
  const plan = { name: 'Launch', files: [], rows: [ROW], ...ahead } as unknown as BatchPlan;
  expect(planText(plan, NOON).split('\n')).toEqual(['Launch: 1 video, 1 to render.', costText]);
});

test('the last line says what the batch cost', () => {
  const progress = {
    name: 'Launch',
    folder: '/videos',
    jobs: [aJob({ state: 'done' })],
    awaited: [],
    summary: aSummary(),
    spent: '1 video of the quota',
  };
  const words = endingText(EXIT.allSaved, progress, 130_000, { cwd: '/', now: () => NOON });
  expect(words).toBe('1 of 1 video saved in videos in 2 min, 1 video of the quota.');
});
