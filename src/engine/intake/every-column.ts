/**
 * Requests that take any column of a file under its own name, as services with templates do: names
 * of a template's elements, or its merge fields.
 */
import type { ColumnChoice } from '../../contract/batch.ts';
import { columnNameSchema, type Column } from './column.ts';
import { foldHeader, spellings } from './match-columns.ts';
import { isNumeric } from './own-template.ts';
import type { Records } from './records.ts';
import type { RequestTemplate } from './request-template.ts';

type Json = RequestTemplate['body'][string];

/**
 * Fills in the file's columns where a template has `$columns` or `$each` (`requestTemplateSchema`).
 * @returns the template over the file's columns, and which columns of the file fill its own
 */
export function withEveryColumn(
  template: RequestTemplate,
  records: Records,
): { readonly template: RequestTemplate; readonly choice: ColumnChoice } {
  const kinds = kindsIn(template.body);
  if (kinds.size === 0) return { template, choice: {} };
  const known = spellings(template.columns);
  const columns = new Map(Object.entries(template.columns));
  const choice = new Map<string, string>();
  const givens = records.columns.filter((given) => columnNameSchema.safeParse(given).success);
  // The column with a field's own name fills it, whatever else its aliases would match.
  const own = new Set(givens.map(foldHeader));
  for (const given of givens) {
    const name = known.get(foldHeader(given));
    if (name === given) continue;
    // An empty merge field must be sent: left out, its placeholder would be shown.
    const text: Column = { type: 'text', ...(kinds.has('$each') ? { default: '' } : {}) };
    columns.set(given, isNumeric(records, given) ? { type: 'number' } : text);
    choice.set(given, given);
    if (name === undefined || choice.has(name)) continue;
    if (foldHeader(name) === foldHeader(given) || !own.has(foldHeader(name)))
      choice.set(name, given);
  }
  const fieldOf = (given: string): string => known.get(foldHeader(given)) ?? given;
  const body = expanded(template.body, (except) =>
    givens.filter((given) => !except.includes(fieldOf(given))),
  ) as RequestTemplate['body'];
  return {
    template: { ...template, columns: Object.fromEntries(columns), body },
    choice: Object.fromEntries(choice),
  };
}

/** Whether requests have columns that the template does not name. */
export function takesEveryColumn({ body }: Pick<RequestTemplate, 'body'>): boolean {
  return kindsIn(body).size > 0;
}

function kindsIn(json: Json): Set<string> {
  if (typeof json !== 'object' || json === null) return new Set();
  const own = Array.isArray(json) ? [] : ['$columns', '$each'].filter((key) => key in json);
  return new Set([...own, ...Object.values(json).flatMap((each) => [...kindsIn(each)])]);
}

/** @param others the file's columns without those of some fields */
function expanded(json: Json, others: (except: readonly string[]) => string[]): Json {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) {
    return json.flatMap((element) => {
      if (!isObject(element) || element.$each === undefined) return [expanded(element, others)];
      const { $each, $if, ...rest } = element;
      return others(exceptionsOf($each)).map((given) => ({
        ...(named(rest, given) as Record<string, Json>),
        $if: [...[$if ?? []].flat(), given],
      }));
    });
  }
  const { $columns, ...rest } = json;
  const properties = Object.entries(rest).map(([key, value]) => [key, expanded(value, others)]);
  const given = $columns === undefined ? [] : others(exceptionsOf($columns));
  return Object.fromEntries([...given.map((name) => [name, `{{${name}}}`]), ...properties]) as Json;
}

function isObject(json: Json): json is Record<string, Json> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function exceptionsOf(json: Json): string[] {
  return isObject(json) ? [json.except ?? []].flat().map(String) : [];
}

/** An element for one column. */
function named(json: Json, given: string): Json {
  if (json === '{{$name}}') return given;
  if (json === '{{$value}}') return `{{${given}}}`;
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map((each) => named(each, given));
  return Object.fromEntries(Object.entries(json).map(([key, each]) => [key, named(each, given)]));
}
