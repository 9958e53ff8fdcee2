import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BodyMemory } from '../../../src/local-service/body-memory.ts';

// abuse.md 60
it('names the limit that has no room, and counts only what it had room for', () => {
  const memory = new BodyMemory({ total: 10, perAccount: 6 });
  const first = memory.begin(1);
  expect([first.add(6), first.add(1)]).toEqual([undefined, 'account']);
  expect(memory.begin(1).add(1)).toBe('account');
  const second = memory.begin(2);
  expect([second.add(5), second.add(4)]).toEqual(['total', undefined]);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  expect([second.add(2), memory.begin(1).add(4)]).toEqual([undefined, undefined]);
});

it('has room for everything again when all bodies are disposed of', () => {
  const step = fc.record({ account: fc.nat(2), bytes: fc.nat(8), isLast: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const memory = new BodyMemory({ total: 20, perAccount: 10 });
      const open = new Map<number, ReturnType<BodyMemory['begin']>>();
      for (const { account, bytes, isLast } of steps) {
        const body = open.get(account) ?? memory.begin(account);
        body.add(bytes);
        open.set(account, body);
        if (!isLast) continue;
        body[Symbol.dispose]();
        open.delete(account);
      }
      for (const body of open.values()) body[Symbol.dispose]();
      expect([memory.begin(1).add(10), memory.begin(2).add(10)]).toEqual([undefined, undefined]);
    }),
  );
});
