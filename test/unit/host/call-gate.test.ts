import { expect, test } from 'vitest';
import { CallGate } from '../../../src/host/call-gate.ts';

test('what runs alone waits for the calls inside, and holds back those that come', async () => {
  const gate = new CallGate();
  const order: string[] = [];
  const first = Promise.withResolvers<undefined>();
  const change = Promise.withResolvers<undefined>();
  const inside = gate.run(async () => {
    await first.promise;
    order.push('inside');
  });
  const alone = gate.runExclusive(async () => {
    order.push('alone');
    await change.promise;
    order.push('changed');
  });
  const after = gate.run(() => Promise.resolve(order.push('after')));

  first.resolve(undefined);
  await inside;
  change.resolve(undefined);
  await Promise.all([alone, after]);

  expect(order).toEqual(['inside', 'alone', 'changed', 'after']);
});

test('a call or a change that fails does not keep the gate shut', async () => {
  const gate = new CallGate();
  const fail = () => Promise.reject(new Error('no'));
  await expect(gate.run(fail)).rejects.toThrow('no');
  await expect(gate.runExclusive(fail)).rejects.toThrow('no');

  expect(await gate.run(() => Promise.resolve('through'))).toBe('through');
});
