import { expect, test } from 'vitest';
import { CallGate } from '../../../src/host/call-gate.ts';

const HERE = 'https://here.example';
const here = (): string => HERE;

test('an exclusive run waits for running calls, and delays new ones', async () => {
  const gate = new CallGate();
  const order: string[] = [];
  const first = Promise.withResolvers<undefined>();
  const change = Promise.withResolvers<undefined>();
  const inside = gate.run(here, async () => {
    await first.promise;
    order.push('inside');
  });
  const alone = gate.runExclusive(HERE, async () => {
    order.push('alone');
    await change.promise;
    order.push('changed');
  });
  const after = gate.run(here, () => Promise.resolve(order.push('after')));

  first.resolve(undefined);
  await inside;
  change.resolve(undefined);
  await Promise.all([alone, after]);

  expect(order).toEqual(['inside', 'alone', 'changed', 'after']);
});

test('a failed call or change does not block later calls', async () => {
  const gate = new CallGate();
  const fail = () => Promise.reject(new Error('no'));
  await expect(gate.run(here, fail)).rejects.toThrow('no');
  await expect(gate.runExclusive(HERE, fail)).rejects.toThrow('no');

  expect(await gate.run(here, () => Promise.resolve('through'))).toBe('through');
});

test('a change of one service delays no call to another', async () => {
  const gate = new CallGate();
  const change = Promise.withResolvers<undefined>();
  let shown = HERE;
  const alone = gate.runExclusive(HERE, () => change.promise);
  const toShown = gate.run(
    () => shown,
    () => Promise.resolve(shown),
  );
  const there = (): string => 'https://there.example';
  expect(await gate.run(there, () => Promise.resolve('there'))).toBe('there');

  // Another service is shown when the change has ended, and is being changed then.
  shown = there();
  const changeThere = Promise.withResolvers<undefined>();
  const aloneThere = gate.runExclusive(shown, () => changeThere.promise);
  change.resolve(undefined);
  await alone;
  shown = HERE;
  changeThere.resolve(undefined);
  await aloneThere;
  expect(await toShown).toBe(HERE);
});
