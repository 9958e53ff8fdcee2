import type { Balance, CostEstimate } from './service-cost.ts';

// Separate from `service-cost.ts`, so that a page can compare without the schema library.

/** Above the rounding error of sums of prices such as 0.1. */
const ROUNDING = 1e-6;

/** Whether an estimate is more than the balance was; false where they have different units. */
export function exceedsBalance(
  { unit, currency, amount }: CostEstimate,
  balance: Balance,
): boolean {
  const isSameUnit = unit === balance.unit && currency === balance.currency;
  return isSameUnit && amount !== null && amount > balance.amount + ROUNDING;
}
