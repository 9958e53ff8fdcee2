import { expect, test } from 'vitest';
import { Retries } from '../../../../src/engine/downloads/retries.ts';

const longest = (): number => 1;

test('waits twice as long after each attempt without a new byte, until they are used up', () => {
  const retries = new Retries(0);
  const waits = Array.from({ length: 7 }, () => retries.nextWait(null, longest));
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000]);
  expect(retries.areUsedUp).toBe(false);
  retries.nextWait(null, longest);
  expect(retries.areUsedUp).toBe(true);
});

test('waits as long as the server asks, unless that is 0', () => {
  const retries = new Retries(0);
  expect(retries.nextWait(90_000, longest)).toBe(90_000);
  expect(retries.nextWait(0, longest)).toBe(1000);
});

test('begins counting again only beyond the longest length so far', () => {
  const retries = new Retries(1000);
  for (let count = 0; count < 8; count += 1) retries.restarted();
  retries.grew(1000);
  expect(retries.areUsedUp).toBe(true);
  retries.grew(1001);
  expect(retries.areUsedUp).toBe(false);
});

test('requests the whole file after two ranges of no use, and gives up after four responses', () => {
  const retries = new Retries(1000);
  expect([retries.rejected('range-missing'), retries.isForWhole]).toEqual([true, false]);
  expect([retries.rejected('range-late'), retries.isForWhole]).toEqual([true, true]);
  expect(retries.rejected('empty')).toBe(true);
  expect(retries.rejected('empty')).toBe(false);
});

test('renews a link once for each new byte', () => {
  const retries = new Retries(1000);
  retries.renewed();
  expect(retries.hasRenewed).toBe(true);
  retries.grew(2000);
  expect(retries.hasRenewed).toBe(false);
});
