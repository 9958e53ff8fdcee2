import { expect, it } from 'vitest';
import type { Summary } from '../../../src/contract/summary.ts';
import { CycleState } from '../../../src/renderer/state/cycle-state.svelte.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { counts, summary } from '../../rigs/summary-builder.ts';

function cycle() {
  const engine = fakeEngine({ states: ['queued', 'queued', 'held', 'done'] }, Date.now());
  const reads = () => engine.calls.filter(({ name }) => name === 'quota.days').length;
  return { engine, reads, state: new CycleState(engine.client) };
}

const used = (count: number): Summary =>
  summary({ quota: { ...summary().quota!, used: count }, counts: counts({ queued: 2 }) });

it('reads the cycle, and when the queued videos will be sent', async () => {
  const { state } = cycle();
  await state.open(used(1));
  expect(state.days?.limit).toBe(150);
  expect(state.planned.at).toHaveLength(2);
  expect(state.planned.isCut).toBe(false);
});

it('reads the cycle again only when a figure changes', async () => {
  const { reads, state } = cycle();
  await state.open(used(1));
  state.onSummary(used(1));
  expect(reads()).toBe(1);
  state.onSummary(used(2));
  state.onSummary(used(2));
  expect(reads()).toBe(2);
});

it('keeps its data while the engine is unreachable, and retries with the next update', async () => {
  const { engine, reads, state } = cycle();
  engine.connected = false;
  await state.open(used(1));
  expect(state.unreadable).toBe(true);
  engine.connected = true;
  await state.open(used(1));
  expect(state.unreadable).toBe(false);
  engine.connected = false;
  await state.open(used(1));
  expect([state.unreadable, state.days === null]).toEqual([false, false]);
  engine.connected = true;
  state.onSummary(used(1));
  expect(reads()).toBe(4);
});
