/** A row that is to be rendered again while another one has its request by now. */
import { expect, test } from 'vitest';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';

const PAID_TWICE = '“One” in Batch has the same request: the same video would be paid for twice.';

async function paused() {
  const rig = await EngineRig.open();
  const { jobs, queue, batches } = rig.engine.commands;
  await queue.pause({ origin: ORIGIN, what: 'sending' });
  const add = async (name: string, titles: readonly string[], options = {}): Promise<string[]> => {
    const source = { name, content: ['title', ...titles].join('\n') };
    return (await batches.add({ origin: ORIGIN, source, options })).jobIds;
  };
  const states = async (): Promise<string[]> => (await rig.jobs()).map(({ state }) => state);
  return { rig, jobs, add, states };
}

type Paused = Awaited<ReturnType<typeof paused>>;

/** Two rows with one request, of which the second is cancelled: nobody asked for both. */
async function sameByUndo({ jobs, add }: Paused, second: string): Promise<string[]> {
  const [one = ''] = await add('Batch.csv', ['One']);
  const { step } = await jobs.edit({ id: one, values: { title: 'Other' } });
  const [again = ''] = await add(second, ['One']);
  await jobs.cancel({ ids: [again] });
  expect(await jobs.undo({ step: step ?? '' })).toMatchObject({ changed: 1, refused: [] });
  return [one, again];
}

test.each(['Again.csv', 'Batch.csv'])(
  'a cancelled row of %s is not retried once another one has its request again',
  async (second) => {
    const at = await paused();
    const [, again = ''] = await sameByUndo(at, second);

    const { changed, refused } = await at.jobs.retry({ ids: [again], payAgain: false });

    expect([changed, refused.map(({ id, failure }) => [id, failure.message])]).toEqual([
      0,
      [[again, PAID_TWICE]],
    ]);
    expect((await at.states()).toSorted()).toEqual(['cancelled', 'queued']);
  },
);

test('nor is it rendered because its file is added again', async () => {
  const at = await paused();
  await sameByUndo(at, 'Batch.csv');

  await at.add('Batch.csv', ['One']);

  expect((await at.states()).toSorted()).toEqual(['cancelled', 'queued']);
});

test('of two cancelled rows with one request, one is retried', async () => {
  const at = await paused();
  const ids = await sameByUndo(at, 'Again.csv');
  await at.jobs.cancel({ ids });

  const { changed, refused } = await at.jobs.retry({ ids, payAgain: false });

  expect([changed, refused.map(({ failure }) => failure.message)]).toEqual([1, [PAID_TWICE]]);
});

test('a refused row is not retried with the others once its row was added again', async () => {
  const { rig, jobs, add, states } = await paused();
  const failure = {
    code: 'value-invalid' as const,
    ...userMessage('render-failed-there', { word: 'no' }),
  };
  const response = rig.service.response(422);
  rig.service.nextGenerate.push({ kind: 'rejected', about: 'video', failure, response });
  await add('Again.csv', ['One']);
  await rig.engine.commands.queue.resume({ origin: ORIGIN });
  await rig.until(async () => (await states())[0] === 'rejected');
  await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  await add('Batch.csv', ['One']);
  expect(await states()).toEqual(['rejected', 'queued']);

  const { changed, refused } = await jobs.retryFailed({
    origin: ORIGIN,
    limit: 10,
    payAgain: false,
  });

  expect([changed, refused.map(({ failure: { message } }) => message)]).toEqual([0, [PAID_TWICE]]);
  expect(await states()).toEqual(['rejected', 'queued']);
});

test.each([
  ['of one file', ['One', 'One'], []],
  ['of two files', ['One'], ['One']],
])('duplicates %s that the user asked for are retried and put back', async (_of, first, second) => {
  const { jobs, add, states } = await paused();
  const options = { duplicates: 'render' };
  const ids = await add('Batch.csv', first, options);
  if (second.length > 0) ids.push(...(await add('Again.csv', second, options)));
  for (const some of [ids, ids.slice(0, 1), ids.slice(1)]) {
    const cancelled = await jobs.cancel({ ids: some });
    expect(await jobs.undo({ step: cancelled.step ?? '' })).toMatchObject({ refused: [] });
    await jobs.cancel({ ids: some });
    const retried = await jobs.retry({ ids: some.toReversed(), payAgain: false });
    expect(retried).toEqual({ changed: some.length, refused: [], step: null });
  }
  const edited = await jobs.edit({ id: ids[1] ?? '', values: { title: 'Other' } });
  expect(await jobs.undo({ step: edited.step ?? '' })).toMatchObject({ changed: 1, refused: [] });
  expect(await states()).toEqual(['queued', 'queued']);
});

test('a wanted duplicate is none of a row that was added later', async () => {
  const { jobs, add, states } = await paused();
  const [one = '', two = ''] = await add('Batch.csv', ['One', 'One'], { duplicates: 'render' });
  await jobs.cancel({ ids: [one] });
  const { step } = await jobs.edit({ id: two, values: { title: 'Other' } });
  await add('Again.csv', ['One']);

  expect(await jobs.undo({ step: step ?? '' })).toMatchObject({ changed: 0 });
  expect(await jobs.retry({ ids: [one], payAgain: false })).toMatchObject({ changed: 0 });
  expect((await states()).toSorted()).toEqual(['cancelled', 'queued', 'queued']);
});
