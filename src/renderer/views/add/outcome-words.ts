import type { RowOutcome } from '../../../contract/batch.ts';
import type { ViewTexts } from '../../texts/en-views.ts';

/** What happens to a row, with its use of the quota if the service has one. */
export function outcomeWords(
  outcome: RowOutcome,
  { outcomes, outcomesWithoutQuota }: ViewTexts['add'],
  hasQuota: boolean,
): string {
  return outcome === 'new' && !hasQuota ? outcomesWithoutQuota.new : outcomes[outcome];
}

/** The same as a choice for a duplicate row. */
export function choiceWords(
  outcome: RowOutcome,
  { choices, choicesWithoutQuota }: ViewTexts['add'],
  hasQuota: boolean,
): string {
  return outcome === 'new' && !hasQuota ? choicesWithoutQuota.new : choices[outcome];
}
