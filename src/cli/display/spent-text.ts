import type { Client } from '../../contract/contract.ts';
import type { SpentSum } from '../../contract/costs.ts';
import type { Summary } from '../../contract/summary.ts';
import { isUnlimited } from '../../contract/this-computer.ts';
import { formatCount } from './numbers.ts';
import { amountWords } from './service-words.ts';

/** What videos cost: `4.20 EUR`, `about 120 credits`, `40 of the quota`, `free`. */
export function spentText({ videos, amounts }: SpentSum, isFree: boolean): string {
  if (isFree) return 'free';
  if (amounts.length === 0) return `${formatCount(videos, 'video')} of the quota`;
  return amounts
    .map(({ amount, unit, currency, estimated }) => {
      const words = amountWords(amount, unit, currency).trimEnd();
      return estimated ? `about ${words}` : words;
    })
    .join(' + ');
}

/** What batches have cost so far; `null` if that cannot be read, which ends no command. */
export async function spentOfBatches(
  client: Client,
  batchIds: readonly string[],
  summary: Summary,
): Promise<string | null> {
  try {
    const results = await Promise.all(
      batchIds.map((batchId) => client.batches.result({ batchId })),
    );
    const videos = results.reduce((sum, { cost }) => sum + cost.videos, 0);
    const amounts = results.flatMap(({ cost }) => cost.amounts);
    // Each batch of one command has the unit of its service.
    const [first, ...others] = amounts;
    const sum = first && {
      ...first,
      amount: others.reduce((total, { amount }) => total + amount, first.amount),
    };
    return spentText({ videos, amounts: sum === undefined ? [] : [sum] }, isUnlimited(summary));
  } catch {
    return null;
  }
}
