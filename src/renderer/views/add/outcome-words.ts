import type { RowOutcome } from '../../../contract/batch.ts';
import type { ViewTexts } from '../../texts/en-views.ts';

/** What happens to a row; what it uses of the quota is said where the service has one. */
export function outcomeWords(
  outcome: RowOutcome,
  { outcomes, outcomesWithoutQuota }: ViewTexts['add'],
  hasQuota: boolean,
): string {
  return outcome === 'new' && !hasQuota ? outcomesWithoutQuota.new : outcomes[outcome];
}

/** What may happen to a row, as a choice. */
export function wayWords(
  outcome: RowOutcome,
  { ways, waysWithoutQuota }: ViewTexts['add'],
  hasQuota: boolean,
): string {
  return outcome === 'new' && !hasQuota ? waysWithoutQuota.new : ways[outcome];
}
