import { expect, test } from 'vitest';
import { selectJobIds, selectJobs } from '../../../src/cli/commands/jobs/choose-jobs.ts';
import { noJobsText } from '../../../src/cli/commands/jobs/no-jobs.ts';
import { Interruption } from '../../../src/cli/exit-codes.ts';
import type { Client } from '../../../src/contract/contract.ts';
import { JOB_COMMANDS } from '../../../src/contract/job-commands.ts';
import type { JobState } from '../../../src/contract/job-states.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';

const QUEUED = Array.from({ length: 1500 }, (): JobState => 'queued');

const NEVER = new AbortController().signal;

/** A queue whose first video is sent once rows, or their ids, were read. */
function sendingMeanwhile(states: readonly JobState[] = QUEUED) {
  const engine = fakeEngine({ states }, 0);
  const { list, ids } = engine.client.jobs;
  const thenSend = async <T>(answer: Promise<T>): Promise<T> => {
    const page = await answer;
    engine.change(['job-0'], { state: 'sending' });
    return page;
  };
  const calls: Partial<Client['jobs']> = {
    list: (...input) => thenSend(list(...input)),
    ids: (...input) => thenSend(ids(...input)),
  };
  Object.assign(engine.client.jobs, calls);
  return engine.client;
}

test('rows that lose their state meanwhile are left out, and leave no empty page', async () => {
  const pages: number[] = [];
  for (const states of [QUEUED, ['queued']] as const) {
    const selected = selectJobs(sendingMeanwhile(states), { state: ['queued'] }, NEVER);
    for await (const jobs of selected) pages.push(jobs.length);
  }
  expect(pages).toEqual([999, 500]);
});

test('no selected row is left out because another one is sent meanwhile', async () => {
  const client = sendingMeanwhile();
  const ids = await selectJobIds(client, {}, ['queued']);
  expect(ids.slice(1)).toEqual(QUEUED.slice(1).map((_, index) => `job-${index + 1}`));
});

test('no row is read twice or left out because rows move meanwhile', async () => {
  const client = sendingMeanwhile();
  const read: string[] = [];
  for await (const jobs of selectJobs(client, {}, NEVER)) {
    if (read.length === 0) await client.jobs.move({ ids: ['job-1400'], before: 'job-1' });
    read.push(...jobs.map(({ id }) => id));
  }
  expect(read).toEqual(QUEUED.map((_, index) => `job-${index}`));
});

test('reading ends at the next page after an interruption', async () => {
  const { client } = fakeEngine({ states: QUEUED }, 0);
  const interrupt = new AbortController();
  const read: number[] = [];
  const reading = (async () => {
    for await (const { length } of selectJobs(client, {}, interrupt.signal)) {
      read.push(length);
      // Like a signal, it arrives at the next turn of the event loop.
      setImmediate(() => interrupt.abort(new Interruption('SIGINT')));
    }
  })();

  await expect(reading).rejects.toBeInstanceOf(Interruption);
  expect(read).toEqual([1000]);
});

test.each([
  ['an empty queue', {}, undefined, 'There are no videos here.'],
  ['an empty archive', { archived: true }, undefined, 'The archive has no videos.'],
  ['a search', { search: 'zebra' }, undefined, 'No video matches.'],
  [
    'a command that selects some states',
    { search: 'zebra' },
    JOB_COMMANDS.remove.selects,
    'No selected video is cancelled, failed or refused. Select others by --state or by their ids.',
  ],
  ['states that the user named', { state: ['done'] }, ['failed'], 'No video matches.'],
] as const)('says why nothing is selected: %s', (_, choice, states, text) => {
  expect(noJobsText(choice, states)).toBe(text);
});
