import type { BatchField, BatchPlan, ColumnChoice } from '../../../contract/batch.ts';

/** A column of the file, and what it is used for. */
export interface ColumnMatch {
  readonly column: string;
  /** Distinct values of the first rows, without empty ones. */
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

/** Required fields without a column. */
export function missingFields(plan: BatchPlan): readonly BatchField[] {
  return plan.fields.filter(({ required, from }) => required && from === null);
}

/**
 * The choice after `column` lost the field `before` and got the field `after` (`null` for none).
 * A column may have several fields, but a field has one column: `after` leaves its previous one.
 */
export function chooseField(
  plan: BatchPlan,
  chosen: ColumnChoice,
  column: string,
  { before, after }: { readonly before: string | null; readonly after: string | null },
): ColumnChoice {
  const next = { ...chosen };
  // A chosen column is no longer matched by its header, so all of its fields are listed.
  for (const { name, from } of plan.fields) if (from === column) next[name] = column;
  if (before !== null) next[before] = null;
  if (after !== null) next[after] = column;
  return next;
}

/**
 * Columns of the file whose values are neither in the request nor in a file name.
 * @param templateText the user's request template; `null` for the profile's
 */
export function unusedColumns(plan: BatchPlan, templateText: string | null): readonly string[] {
  const { nameTemplate } = plan.naming;
  return columnMatches(plan)
    .filter(({ column, fields }) => {
      const names = [column, ...fields];
      const isInRequest =
        templateText === null
          ? fields.length > 0
          : names.some((name) => isNamedIn(templateText, name));
      const isInFileName = (name: string): boolean =>
        isAmong(nameTemplate.matchAll(/\{([^{}]+)\}/g), name);
      return !isInRequest && !names.some(isInFileName);
    })
    .map(({ column }) => column);
}

/** The name of the field that a column without a use was probably meant for. */
export function likelyField({ issues }: BatchPlan, column: string): string | undefined {
  return issues.find(({ kind, cell }) => kind === 'column-misspelt' && cell === column)?.column;
}

/** Whether a request template contains `{{column}}`. */
export function isNamedIn(templateText: string, column: string): boolean {
  return isAmong(templateText.matchAll(/\{\{([^{}]+)\}\}/g), column);
}

function isAmong(placeholders: Iterable<RegExpMatchArray>, column: string): boolean {
  const wanted = foldName(column);
  return [...placeholders].some(([, name = '']) => foldName(name) === wanted);
}

function foldName(name: string): string {
  return name.trim().toLowerCase();
}
