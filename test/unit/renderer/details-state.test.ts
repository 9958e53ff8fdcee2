import { expect, it } from 'vitest';
import { DetailsState } from '../../../src/renderer/state/details-state.svelte.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { notPressed, pressedPointer } from '../../rigs/fake-pointer.ts';

it('shows the new state of a job once no pointer is pressed', async () => {
  const engine = fakeEngine({ states: ['queued'] }, 0);
  const pointer = pressedPointer();
  const state = new DetailsState(engine.client, pointer.released);
  state.open('job-0');
  await expect.poll(() => state.details?.job.state).toBe('queued');
  engine.change(['job-0'], { state: 'submitted' });
  state.reload();
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.details?.job.state).toBe('queued');
  pointer.release();
  await expect.poll(() => state.details?.job.state).toBe('submitted');
});

it('ignores the answer for a job that is no longer the one that is open', async () => {
  const { client } = fakeEngine({ states: ['queued', 'done'] }, 0);
  const { show } = client.jobs;
  const late = Promise.withResolvers<undefined>();
  const delayed: typeof show = async (input, ...rest) => {
    const answer = await show(input, ...rest);
    if (input.id === 'job-0') await late.promise;
    return answer;
  };
  Object.assign(client.jobs, { show: delayed });
  const state = new DetailsState(client, notPressed);
  state.open('job-0');
  state.open('job-1');
  await expect.poll(() => state.details?.job.id).toBe('job-1');
  late.resolve(undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.details?.job.id).toBe('job-1');
});

it('ignores an answer that is older than the state it shows', async () => {
  const engine = fakeEngine({ states: ['rendering'] }, 0);
  const { client } = engine;
  const state = new DetailsState(client, notPressed);
  state.open('job-0');
  await expect.poll(() => state.details?.job.state).toBe('rendering');

  const { show } = client.jobs;
  const late = Promise.withResolvers<undefined>();
  let calls = 0;
  const delayed: typeof show = async (...input) => {
    const answer = await show(...input);
    if ((calls += 1) === 1) await late.promise;
    return answer;
  };
  Object.assign(client.jobs, { show: delayed });
  state.reload();
  await expect.poll(() => calls).toBe(1);
  engine.change(['job-0'], { state: 'ready' });
  state.reload();
  await expect.poll(() => state.details?.job.state).toBe('ready');
  late.resolve(undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.details?.job.state).toBe('ready');
});
