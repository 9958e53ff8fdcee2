import { summaryOf } from '../../../src/host/summary-of.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import type { Job } from '../../../src/contract/job.ts';
import type { JobState } from '../../../src/contract/job-states.ts';
import { INITIAL_STATES, SUBJECTS } from './subjects.ts';

describe.each(SUBJECTS)('the jobs of %s', (_name, open) => {
  let client: Client;
  beforeEach(async () => {
    ({ client } = await open());
  });

  const list = async (): Promise<Job[]> => (await client.jobs.list({})).jobs;
  const idsIn = async (state: JobState): Promise<string[]> =>
    (await list()).filter((job) => job.state === state).map(({ id }) => id);
  const idIn = async (state: JobState): Promise<string> => (await idsIn(state))[0] ?? '';
  const stateOf = async (id: string) => (await client.jobs.show({ id })).job.state;
  const refusals = ({ refused }: Awaited<ReturnType<Client['jobs']['hold']>>) =>
    refused.map(({ id, failure }) => [id, failure.code]);

  test('are listed in queue order, with their states', async () => {
    expect((await list()).map(({ state }) => state)).toEqual(INITIAL_STATES);
  });

  test('are listed by state, by search without regard to case, and by pages', async () => {
    const queued = await client.jobs.list({ states: ['queued'] });
    expect(queued.total).toBe(4);
    expect(new Set(queued.jobs.map(({ state }) => state))).toEqual(new Set(['queued']));
    const [one] = queued.jobs;
    const found = await client.jobs.list({ search: one?.title.toUpperCase() });
    expect(found.jobs.map(({ id }) => id)).toContain(one?.id);
    const page = await client.jobs.list({ offset: 2, limit: 3 });
    expect(page.total).toBe(INITIAL_STATES.length);
    expect(page.jobs).toEqual((await list()).slice(2, 5));
    await expect(client.jobs.list({ batchId: 'unknown' })).rejects.toMatchObject({
      code: 'FAILED',
      data: { code: 'batch-unknown' },
    });
  });

  test('are shown with a history that ends with their present state', async () => {
    for (const { id, state } of await list()) {
      const { job, history, request } = await client.jobs.show({ id });
      expect(job.state).toBe(state);
      expect(history.at(-1)?.to, state).toBe(state);
      expect(history[0]?.from).toBeNull();
      expect(request).toMatchObject({ title: job.title });
    }
  });

  test('that do not exist are reported as unknown', async () => {
    await expect(client.jobs.show({ id: 'unknown' })).rejects.toMatchObject({
      code: 'FAILED',
      data: { code: 'job-unknown' },
    });
  });

  test('are held and resumed, but only queued ones can be held', async () => {
    const [queued = '', other = ''] = await idsIn('queued');
    const done = await idIn('done');
    const answer = await client.jobs.hold({ ids: [queued, done, 'unknown'] });
    expect(answer.changed).toBe(1);
    expect(refusals(answer)).toEqual([
      [done, 'not-possible-now'],
      ['unknown', 'job-unknown'],
    ]);
    expect(await stateOf(queued)).toBe('held');
    const resumed = await client.jobs.release({ ids: [queued, other] });
    expect(resumed.changed).toBe(1);
    expect(refusals(resumed)).toEqual([[other, 'not-possible-now']]);
    expect(await stateOf(queued)).toBe('queued');
  });

  test('can be cancelled before they are sent, and not once they are saved', async () => {
    const [queued, held, done] = [await idIn('queued'), await idIn('held'), await idIn('done')];
    const answer = await client.jobs.cancel({ ids: [queued, held, done] });
    expect(answer.changed).toBe(2);
    expect(refusals(answer)).toEqual([[done, 'not-possible-now']]);
    expect(await Promise.all([queued, held, done].map(stateOf))).toEqual([
      'cancelled',
      'cancelled',
      'done',
    ]);
  });

  test('are moved before another one, and to the end', async () => {
    const [one = '', two = '', three = '', four = ''] = await idsIn('queued');
    expect(await client.jobs.move({ ids: [three, four], before: one })).toMatchObject({
      changed: 2,
      refused: [],
    });
    expect(await idsIn('queued')).toEqual([three, four, one, two]);
    await client.jobs.move({ ids: [three], before: null });
    expect(await idsIn('queued')).toEqual([four, one, two, three]);
  });

  test('keep their order when they are moved before one of them', async () => {
    const [one = '', two = '', three = '', four = ''] = await idsIn('queued');
    await client.jobs.prioritise({ ids: [one], priority: 1 });
    await client.jobs.move({ ids: [three, one], before: one });
    expect(await idsIn('queued')).toEqual([one, three, two, four]);
    await client.jobs.move({ ids: [two, four], before: four });
    expect(await idsIn('queued')).toEqual([one, three, two, four]);
  });

  test('can be moved next to a job of another priority', async () => {
    const [one = '', two = '', three = '', four = ''] = await idsIn('queued');
    await client.jobs.prioritise({ ids: [four], priority: 1 });
    await client.jobs.prioritise({ ids: [one], priority: -1 });
    expect(await idsIn('queued')).toEqual([four, two, three, one]);
    await client.jobs.move({ ids: [three], before: four });
    expect(await idsIn('queued')).toEqual([three, four, two, one]);
    await client.jobs.move({ ids: [four, three], before: null });
    expect(await idsIn('queued')).toEqual([two, one, three, four]);
  });

  test('are not moved once they are saved', async () => {
    const done = await idIn('done');
    const answer = await client.jobs.move({ ids: [done], before: null });
    expect(answer.changed).toBe(0);
    expect(refusals(answer)).toEqual([[done, 'not-possible-now']]);
    expect(await idIn('done')).toBe((await list())[0]?.id);
  });

  test('are sent first with a higher priority, and keep their order among equals', async () => {
    const [one = '', two = '', three = '', four = ''] = await idsIn('queued');
    await client.jobs.prioritise({ ids: [four, two], priority: 1 });
    await client.jobs.prioritise({ ids: [one], priority: -1 });
    expect(await idsIn('queued')).toEqual([two, four, three, one]);
  });

  test('have no priority once they are saved', async () => {
    const done = await idIn('done');
    const answer = await client.jobs.prioritise({ ids: [done], priority: 1 });
    expect([answer.changed, refusals(answer)]).toEqual([0, [[done, 'not-possible-now']]]);
  });

  test('can be edited before they are sent, and not afterwards', async () => {
    const queued = await idIn('queued');
    expect(await client.jobs.edit({ id: queued, values: { title: 'Plum tart' } })).toMatchObject({
      job: { id: queued, title: 'Plum tart' },
    });
    expect((await client.jobs.show({ id: queued })).job.title).toBe('Plum tart');
    await expect(
      client.jobs.edit({ id: await idIn('done'), values: { title: 'Plum tart' } }),
    ).rejects.toMatchObject({ code: 'FAILED', data: { code: 'not-possible-now' } });
  });

  test('can be edited after the service refused them, and are sent by a retry', async () => {
    const refused = await idIn('rejected');
    const edited = await client.jobs.edit({ id: refused, values: { title: 'Plum tart' } });
    expect(edited.job).toMatchObject({ title: 'Plum tart', state: 'rejected' });
    await client.jobs.retry({ ids: [refused] });
    expect((await client.jobs.show({ id: refused })).job).toMatchObject({
      title: 'Plum tart',
      failure: null,
    });
  });

  test('have one pause point at most', async () => {
    const marked = async () => (await list()).filter((job) => job.stopsHere).map(({ id }) => id);
    const [one = '', two = ''] = await idsIn('queued');
    const { origin } = (await summaryOf(client)).service;
    await client.queue.stopBefore({ origin, id: one });
    await client.queue.stopBefore({ origin, id: two });
    expect(await marked()).toEqual([two]);
    await client.queue.stopBefore({ origin, id: null });
    expect(await marked()).toEqual([]);
  });

  describe('of unknown outcome', () => {
    test('are resolved only for the attempt that the user saw', async () => {
      const { id, attempts } = (await client.jobs.show({ id: await idIn('uncertain') })).job;
      await expect(
        client.jobs.resolve({ id, attempts: attempts + 1, as: 'resend' }),
      ).rejects.toMatchObject({ code: 'FAILED', data: { code: 'not-possible-now' } });
      expect(await stateOf(id)).toBe('uncertain');
    });

    test.each([
      ['resend', {}, 'queued'],
      ['abandon', {}, 'abandoned'],
      ['accepted', { remoteId: 'video-of-mine' }, 'submitted'],
    ] as const)('are %s', async (as, more, state) => {
      const { id, attempts } = (await client.jobs.show({ id: await idIn('uncertain') })).job;
      const resolution = { id, attempts, as, ...more } as Parameters<typeof client.jobs.resolve>[0];
      expect(await client.jobs.resolve(resolution)).toMatchObject({ id, state });
      await expect(client.jobs.resolve(resolution)).rejects.toMatchObject({
        code: 'FAILED',
        data: { code: 'not-possible-now' },
      });
    });

    test('are not retried without a decision', async () => {
      const id = await idIn('uncertain');
      expect(refusals(await client.jobs.retry({ ids: [id] }))).toEqual([[id, 'not-possible-now']]);
      expect(await stateOf(id)).toBe('uncertain');
    });
  });

  describe('that failed', () => {
    test('are counted before they are retried', async () => {
      expect(await client.jobs.planRetry({})).toMatchObject({ downloads: 0, renders: 2, gone: 0 });
      const ids = [await idIn('cancelled'), await idIn('done')];
      expect(await client.jobs.planRetry({ ids })).toMatchObject({
        downloads: 0,
        renders: 1,
        gone: 0,
      });
    });

    test('are queued again', async () => {
      const ids = [await idIn('failed'), await idIn('rejected'), await idIn('cancelled')];
      expect(await client.jobs.retry({ ids })).toMatchObject({ changed: 3, refused: [] });
      for (const id of ids) {
        expect((await client.jobs.show({ id })).job).toMatchObject({
          state: 'queued',
          failure: null,
        });
      }
    });

    test('are retried together, in queue order and up to a limit', async () => {
      const [failed, rejected] = [await idIn('failed'), await idIn('rejected')];
      const { origin } = await client.jobs.planRetry({});
      const elsewhere = client.jobs.retryFailed({ origin: 'https://elsewhere.example', limit: 1 });
      await expect(elsewhere).rejects.toMatchObject({ data: { code: 'not-possible-now' } });
      expect(await client.jobs.retryFailed({ origin, limit: 1 })).toMatchObject({ changed: 1 });
      expect([await stateOf(failed), await stateOf(rejected)]).toEqual(['queued', 'rejected']);
    });

    test('cannot be downloaded, as there is no video', async () => {
      const id = await idIn('failed');
      expect(refusals(await client.jobs.downloadAgain({ ids: [id] }))).toEqual([
        [id, 'not-possible-now'],
      ]);
    });
  });
});
