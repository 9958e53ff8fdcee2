import { countIn } from '../../contract/job-states.ts';
import type { Summary } from '../../contract/summary.ts';
import type { Localization } from './localization.ts';

/**
 * What happens to the videos of the shown service when another one is chosen, and how to come back;
 * `null` when it has none.
 * @param current the shown service's name
 */
export function switchNote(
  summary: Pick<Summary, 'counts'> | null,
  current: string | null,
  l10n: Pick<Localization, 'viewTexts' | 'count'>,
): string | null {
  if (summary === null || current === null) return null;
  const { counts } = summary;
  if (Object.values(counts).every((count) => count === 0)) return null;
  return l10n.viewTexts.settings.switching(current, l10n.count(countIn('open', counts)));
}
