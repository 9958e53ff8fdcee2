import { expect, test } from 'vitest';
import { selectJobIds, selectJobs } from '../../../src/cli/commands/jobs/choose-jobs.ts';
import type { JobState } from '../../../src/contract/job-states.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';

const QUEUED = Array.from({ length: 1500 }, (): JobState => 'queued');

/** A queue whose first video is sent once rows were read. */
function sendingMeanwhile() {
  const engine = fakeEngine({ states: QUEUED }, 0);
  const { list } = engine.client.jobs;
  const thenSend: typeof list = async (...input) => {
    const page = await list(...input);
    engine.change(['job-0'], { state: 'sending' });
    return page;
  };
  Object.assign(engine.client.jobs, { list: thenSend });
  return engine.client;
}

test('no selected row is left out because another one is sent meanwhile', async () => {
  const client = sendingMeanwhile();
  const ids = await selectJobIds(client, {}, ['queued']);
  expect(ids.slice(1)).toEqual(QUEUED.slice(1).map((_, index) => `job-${index + 1}`));
});

test('no row is read twice or left out because rows move meanwhile', async () => {
  const client = sendingMeanwhile();
  const read: string[] = [];
  for await (const jobs of selectJobs(client, {}, [])) {
    if (read.length === 0) await client.jobs.move({ ids: ['job-1400'], before: 'job-1' });
    read.push(...jobs.map(({ id }) => id));
  }
  expect(read).toEqual(QUEUED.map((_, index) => `job-${index}`));
});
