import { expect, test } from 'vitest';
import { retryLines } from '../../../src/cli/commands/jobs/change-jobs.ts';
import type { RetryPlan } from '../../../src/contract/contract.ts';

const NOTHING: RetryPlan = {
  origin: 'https://service.example',
  downloads: 0,
  renders: 0,
  gone: 0,
  contentRefused: 0,
  cost: null,
  goneCost: null,
};

const euros = (amount: number | null, unknown = 0) =>
  ({ unit: 'money', currency: 'EUR', amount, unknown }) as const;

test.each<[string, Partial<RetryPlan>, boolean, RegExp]>([
  ['in videos by a quota', { renders: 2 }, false, /uses up to 2 videos of your quota/],
  ['in money', { renders: 2, cost: euros(1.5) }, false, /costs about 1\.50 EUR \(estimate\)/],
  [
    'in money with what is rendered again',
    { renders: 1, gone: 1, cost: euros(0.5), goneCost: euros(0.25) },
    true,
    /^2 videos are rendered, which costs about 0\.75 EUR/,
  ],
  ['in videos if one price is unknown', { renders: 2, cost: euros(1, 1) }, false, /up to 2 videos/],
])('a retry says its price %s', (_name, plan, payAgain, line) => {
  expect(retryLines({ ...NOTHING, ...plan }, payAgain)[0]).toMatch(line);
});
