import { expect, it } from 'vitest';
import { ActivityState } from '../../../src/renderer/state/activity-state.svelte.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

it('exports the entries of the open table that match its filter', async () => {
  const engine = fakeEngine({ states: ['done'] }, 0);
  const state = new ActivityState(engine.client, () => 0, notPressed);
  const exported = () => engine.calls.findLast(({ name }) => name === 'activity.export')?.input;
  state.toggle('failed');
  state.showBatch('batch-0');
  state.searchFor(' coffee ');
  await state.export('csv');
  const filter = { batchId: 'batch-0', search: 'coffee' };
  expect(exported()).toEqual({ ...filter, kinds: ['failed'], what: 'events', format: 'csv' });

  // Units of quota are of no kind of event.
  state.show('quota');
  await state.export('json');
  expect(exported()).toEqual({ ...filter, what: 'quota', format: 'json' });
});
