import { expect, it } from 'vitest';
import { DetailsState } from '../../../src/renderer/state/details-state.svelte.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { pressedPointer } from '../../rigs/fake-pointer.ts';

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
