import { expect, it } from 'vitest';
import { JobTable } from '../../../src/cli/display/job-table.ts';
import { aJob } from '../../rigs/job-builder.ts';

it('puts the videos of a row below each other, with their title once', () => {
  const ofRow = (id: string, title: string, variant: string) =>
    aJob({ id, title, variant, rowId: '1' });
  const jobs = [
    ofRow('1', 'Lake', '16:9 · en'),
    ofRow('2', 'Lake', '9:16 · en'),
    ofRow('3', 'See', '16:9 · de'),
    aJob({ id: '4', title: 'See' }),
  ];
  const table = new JobTable(jobs, { width: 100, colours: false });
  const titles = jobs.map((job) => table.row(job, 0).trim().split(/ {2,}/).slice(0, 2).join(' '));
  expect(titles).toEqual(['1 Lake · 16:9 · en', '2 9:16 · en', '3 See · 16:9 · de', '4 See']);
});
