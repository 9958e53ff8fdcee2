import { describe, expect, test } from 'vitest';
import {
  isCostKnown,
  type Balance,
  type CostEstimate,
} from '../../../src/contract/service-cost.ts';
import { exceedsBalance } from '../../../src/contract/exceeds-balance.ts';
import { serviceApiSchema } from '../../../src/contract/service-profile.ts';

describe('an estimate exceeds a balance', () => {
  const credits = (amount: number | null): CostEstimate => ({
    unit: 'credit',
    currency: null,
    amount,
    unknown: 0,
  });
  const balance: Balance = { amount: 180, unit: 'credit', currency: null, readAt: 0 };

  test.each([
    [240, true],
    [180.01, true],
    [180, false],
    [60 * 3.0000000001, false],
    [0, false],
    [null, false],
  ])('of 180 credits with %s: %s', (amount, exceeds) => {
    expect(exceedsBalance(credits(amount), balance)).toBe(exceeds);
  });

  test.each<Partial<Balance>>([
    { unit: 'second' },
    { unit: 'money', currency: 'USD' },
    { unit: 'video' },
  ])('never of another unit: %j', (other) => {
    expect(exceedsBalance(credits(240), { ...balance, ...other })).toBe(false);
  });

  test('never in another currency', () => {
    const cost: CostEstimate = { unit: 'money', currency: 'EUR', amount: 240, unknown: 0 };
    expect(exceedsBalance(cost, { ...balance, unit: 'money', currency: 'USD' })).toBe(false);
    expect(exceedsBalance(cost, { ...balance, unit: 'money', currency: 'EUR' })).toBe(true);
  });
});

test('a balance does not make the cost of a video known', () => {
  const balance = { path: '/v1/me', at: 'left', unit: 'credit' };
  const generate = { path: '/v1/videos' };
  expect(isCostKnown(serviceApiSchema.parse({ generate, cost: { balance } }))).toBe(false);
  const cost = { unit: 'credit', balance };
  expect(isCostKnown(serviceApiSchema.parse({ generate, cost }))).toBe(true);
});
