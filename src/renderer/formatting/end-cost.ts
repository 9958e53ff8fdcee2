import type { SpentSum } from '../../contract/costs.ts';
import type { Localization } from './localization.ts';

/** What a batch cost, in a few words: “free”, “40 of your quota”, “about US$4.20”. */
export function endCost(
  { videos, amounts }: SpentSum,
  isFree: boolean,
  l10n: Pick<Localization, 'texts' | 'count'>,
): string {
  const { texts } = l10n;
  const words = texts.queue.end;
  if (isFree || (videos === 0 && amounts.length === 0)) return words.free;
  if (amounts.length === 0) return words.ofQuota(l10n.count(videos));
  return amounts
    .map(({ amount, unit, currency, estimated }) => {
      const money =
        unit === 'money' && currency !== null
          ? new Intl.NumberFormat(texts.locale, { style: 'currency', currency }).format(amount)
          : words.units[unit](l10n.count(Math.round(amount)));
      return estimated ? words.about(money) : money;
    })
    .join(' + ');
}
