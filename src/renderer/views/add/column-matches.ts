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
 * The choice after a column gave up the field `before` (`null`: none) and took the field `after`
 * (`null`: none). A column may have several fields. A field has one column: the one that it had is
 * free again.
 */
export function chooseField(
  plan: BatchPlan,
  chosen: ColumnChoice,
  column: string,
  { before, after }: { readonly before: string | null; readonly after: string | null },
): ColumnChoice {
  const next = { ...chosen };
  // A column that is chosen for one field is no longer matched by its header: all are written down.
  for (const { name, from } of plan.fields) if (from === column) next[name] = column;
  if (before !== null) next[before] = null;
  if (after !== null) next[after] = column;
  return next;
}

/**
 * Columns of the file that come to nothing: neither the request nor a file's name has their values.
 * @param templateText of a request that the user wrote; `null` for the profile's
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

/** Whether a request says `{{column}}` somewhere. */
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
