/** The order of a form's fields: by importance, and the less important ones apart. */
import type { RowField } from '../../contract/row-field.ts';

/** Texts that are shown without a value: of most videos, a title and what is below it. */
const SHOWN_TEXTS = 2;
/** One field is not worth a line that unfolds it. */
const LEAST_FOLDED = 2;

/** Texts, then colours, then the others; each in the order of the profile, its most important first. */
const RANKS: Partial<Record<RowField['type'], number>> = { text: 0, list: 0, colour: 1 };

/**
 * @param filled names of the fields with a value when the form opened, which are always shown
 * @returns in `more`, the fields that are folded
 */
export function arrangeFields(
  fields: readonly RowField[],
  filled: ReadonlySet<string>,
): { readonly shown: readonly RowField[]; readonly more: readonly RowField[] } {
  const ordered = fields.toSorted((one, other) => rankOf(one) - rankOf(other));
  const important = new Set([
    ...ordered.filter(({ type }) => type === 'text').slice(0, SHOWN_TEXTS),
    ...ordered.filter(({ type }) => type === 'colour'),
    ...ordered.filter(({ holds }) => holds === 'picture').slice(0, 1),
    ...ordered.filter(({ name, required }) => required || filled.has(name)),
  ]);
  const more = ordered.filter((field) => !important.has(field));
  if (more.length < LEAST_FOLDED) return { shown: ordered, more: [] };
  return { shown: ordered.filter((field) => important.has(field)), more };
}

function rankOf({ type }: RowField): number {
  return RANKS[type] ?? 2;
}
