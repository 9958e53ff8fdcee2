import { expect, test } from 'vitest';
import { CallGate } from '../../../src/host/call-gate.ts';

test('what runs alone waits for the calls inside, and holds back those that come', async () => {
  const gate = new CallGate();
  const order: string[] = [];
  const first = Promise.withResolvers<undefined>();
  const change = Promise.withResolvers<undefined>();
  const inside = gate.pass(async () => {
    await first.promise;
    order.push('inside');
  });
  const alone = gate.alone(async () => {
    order.push('alone');
    await change.promise;
    order.push('changed');
  });
  const after = gate.pass(() => Promise.resolve(order.push('after')));

  first.resolve(undefined);
  await inside;
  change.resolve(undefined);
  await Promise.all([alone, after]);

  expect(order).toEqual(['inside', 'alone', 'changed', 'after']);
});

test('a call or a change that fails does not keep the gate shut', async () => {
  const gate = new CallGate();
  const fail = () => Promise.reject(new Error('no'));
  await expect(gate.pass(fail)).rejects.toThrow('no');
  await expect(gate.alone(fail)).rejects.toThrow('no');

  expect(await gate.pass(() => Promise.resolve('through'))).toBe('through');
});
