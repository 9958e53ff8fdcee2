import { expect, test } from 'vitest';
import { endingText } from '../../../src/cli/display/summary-text.ts';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { aJob, aSummary, NOON } from '../../rigs/job-builder.ts';

test.each([
  [true, true],
  [false, false],
])(
  'a used-up quota is said to be tried again daily if the service said so: %s',
  (refused, says) => {
    const summary = aSummary();
    const progress = {
      ...{ name: 'Launch', folder: '/videos', jobs: [aJob({ state: 'queued' })] },
      summary: { ...summary, quota: { ...summary.quota, refused } },
    };
    const words = endingText(EXIT.quotaUsedUp, progress, 1000, { cwd: '/', now: () => NOON });
    expect(words).toContain('Run the same command again then');
    expect(words.includes('tries again every day')).toBe(says);
  },
);
