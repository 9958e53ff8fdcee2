import type { SpentSum } from '../../contract/costs.ts';
import type { Localization } from './localization.ts';
import { amountOf } from './service-words.ts';

/**
 * What videos cost: “US$4.20”, “about 120 credits”, “40 of the quota”, “free”.
 *
 * @param isFree whether nothing limits or charges them, as on this computer
 */
export function spentWords(
  { videos, amounts }: SpentSum,
  isFree: boolean,
  l10n: Pick<Localization, 'texts' | 'viewTexts' | 'count'>,
): string {
  const texts = l10n.viewTexts.activity.costs;
  if (isFree) return texts.free;
  if (amounts.length === 0) return texts.ofQuota(videos);
  return amounts
    .map((amount) => {
      const words = amountOf(amount, l10n);
      return amount.estimated ? texts.about(words) : words;
    })
    .join(' + ');
}
