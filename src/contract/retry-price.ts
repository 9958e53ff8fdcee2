import type { Amount } from './amount.ts';
import type { RetryPlan } from './contract.ts';

/**
 * What a retry is estimated to cost; `null` if that of any of its videos is unknown.
 * @param payAgain whether it also renders what was paid for and is not delivered
 */
export function priceOf(
  { cost, goneCost, renders, gone }: RetryPlan,
  payAgain: boolean,
): Amount | null {
  const parts = [...(renders > 0 ? [cost] : []), ...(payAgain && gone > 0 ? [goneCost] : [])];
  const known = parts.flatMap((part) => {
    if (part?.unknown !== 0 || part.amount === null) return [];
    const { unit, currency, amount } = part;
    return [{ unit, currency, amount }];
  });
  const [first, ...others] = known;
  if (first === undefined || known.length < parts.length) return null;
  return { ...first, amount: others.reduce((sum, { amount }) => sum + amount, first.amount) };
}
