import type { BatchField, BatchPlan, ColumnChoice } from '../../../contract/batch.ts';

/** A column of the file, and what it is used for. */
export interface ColumnMatch {
  readonly column: string;
  /** Of the first rows, those that say something, each once. */
  readonly examples: readonly string[];
  /** Names of the fields that take their values from it. */
  readonly fields: readonly string[];
}

const EXAMPLES = 3;

export function columnMatches(plan: BatchPlan): readonly ColumnMatch[] {
  return plan.fileColumns.map((column) => {
    const cells = plan.samples.map(({ cells: sample }) => sample[column]?.trim() ?? '');
    return {
      column,
      examples: [...new Set(cells.filter((cell) => cell !== ''))].slice(0, EXAMPLES),
      fields: plan.fields.filter(({ from }) => from === column).map(({ name }) => name),
    };
  });
}

/** What every row has to say and no column does. */
export function missingFields(plan: BatchPlan): readonly BatchField[] {
  return plan.fields.filter(({ required, from }) => required && from === null);
}

/**
 * The choice after a column was given to a field, or (`null`) to none. A field has one column: the
 * one that it had is free again.
 */
export function chooseField(
  plan: BatchPlan,
  chosen: ColumnChoice,
  column: string,
  field: string | null,
): ColumnChoice {
  const next = { ...chosen };
  for (const { name, from } of plan.fields) {
    if (from === column && name !== field) next[name] = null;
  }
  if (field !== null) next[field] = column;
  return next;
}

/** Whether a request says `{{column}}` somewhere. */
export function isNamedIn(templateText: string, column: string): boolean {
  const wanted = foldName(column);
  return [...templateText.matchAll(/\{\{([^{}]+)\}\}/g)].some(
    ([, name = '']) => foldName(name) === wanted,
  );
}

function foldName(name: string): string {
  return name.trim().toLowerCase();
}
