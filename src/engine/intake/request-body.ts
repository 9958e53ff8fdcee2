import { numberInPlaceholder } from '../../contract/json-text.ts';
import type { Caption } from './captions/parse-captions.ts';
import type { CellValue } from './cell.ts';
import { PLACEHOLDER, placeholdersIn, type RequestTemplate } from './request-template.ts';

type Json = RequestTemplate['body'][string];

type Columns = RequestTemplate['columns'];

/** What a cell stands for in a request: its value, or what its files stand as. */
export type RequestValue = CellValue | readonly (string | number | Caption)[];

/** One row's values by column; a column without a value is missing. */
type Values = ReadonlyMap<string, RequestValue>;

/** JSON text for a placeholder; `null` when the row has no value for it. */
type Fill = (values: Values) => string | null;

/**
 * Compiles a template into a function that makes a row's request body, as canonical JSON text, by
 * the rules that `requestTemplateSchema` documents. Names are sorted and serialised here, once for
 * all rows.
 */
export function compileBody({
  body,
  columns,
}: Pick<RequestTemplate, 'body' | 'columns'>): (values: Values) => string {
  const fill = compile(body, columns);
  return (values) => fill(values) ?? '{}';
}

/** The row's preset: `resolution=720 seconds=5+`, and `clip=yes` if it has that file. */
export function presetOf(
  { preset, columns }: RequestTemplate,
  values: ReadonlyMap<string, CellValue>,
): string {
  return preset
    .flatMap(({ column, step }) => {
      const value = values.get(column) ?? '';
      if (columns[column]?.type === 'picture') return value === '' ? [] : [`${column}=yes`];
      return step !== undefined && typeof value === 'number'
        ? `${column}=${Math.floor(value / step) * step}+`
        : `${column}=${String(value)}`;
    })
    .join(' ');
}

function compile(json: Json, columns: Columns): Fill {
  if (typeof json === 'string') return compileText(json, columns);
  if (Array.isArray(json)) return compileList(json, columns);
  if (typeof json === 'object' && json !== null) return compileObject(json, columns);
  const text = canonicalJson(json);
  return () => text;
}

function compileList(list: readonly Json[], columns: Columns): Fill {
  if (list.length === 0) return () => '[]';
  const elements = list.map((element) => compile(element, columns));
  return (values) => {
    const filled = elements.map((fill) => fill(values)).filter((element) => element !== null);
    return filled.length === 0 ? null : `[${filled.join(',')}]`;
  };
}

function compileObject(
  {
    $if,
    $unless,
    $else,
    $columns: _columns,
    $each: _each,
    ...template
  }: Readonly<Record<string, Json>>,
  columns: Columns,
): Fill {
  const properties = Object.keys(template)
    .sort()
    .map((name) => ({
      name: JSON.stringify(name),
      fill: compile(template[name] ?? null, columns),
    }));
  const fill: Fill = (values) => {
    let text = '';
    for (const property of properties) {
      const value = property.fill(values);
      if (value !== null) text += `${text === '' ? '' : ','}${property.name}:${value}`;
    }
    return text === '' && properties.length > 0 ? null : `{${text}}`;
  };
  const needed = [$if ?? []].flat().filter((name) => typeof name === 'string');
  const excluded = [$unless ?? []].flat().filter((name) => typeof name === 'string');
  if (needed.length === 0 && excluded.length === 0) return fill;
  const otherwise: Fill = $else === undefined ? () => null : compile($else, columns);
  return (values) =>
    needed.every((name) => values.has(name)) && !excluded.some((name) => values.has(name))
      ? fill(values)
      : otherwise(values);
}

function compileText(text: string, columns: Columns): Fill {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim());
  const [only] = names;
  if (only === undefined) {
    const constant = JSON.stringify(text);
    return () => constant;
  }
  if (names.length === 1 && text.replace(PLACEHOLDER, '') === '') {
    const number = numberInPlaceholder(only);
    if (number !== null) return () => number;
    const column = Object.hasOwn(columns, only) ? columns[only] : undefined;
    // A number that is kept as text has more digits than JavaScript's.
    const isRaw = column?.type === 'number';
    return (values) => {
      const value = values.get(only);
      if (value === undefined) return null;
      return isRaw ? asText(value) : JSON.stringify(value);
    };
  }
  return (values) => {
    if (!names.some((name) => values.has(name) || numberInPlaceholder(name) !== null)) return null;
    const filled = text.replace(PLACEHOLDER, (_, name: string) => {
      const column = name.trim();
      return numberInPlaceholder(column) ?? asText(values.get(column));
    });
    return JSON.stringify(filled);
  };
}

function asText(value: RequestValue | undefined): string {
  if (typeof value !== 'object') return String(value ?? '');
  return value.map((each) => (typeof each === 'object' ? each.text : each)).join(', ');
}

/**
 * JSON with names in code-unit order and without spaces: equal requests are equal texts, whatever
 * the order of their columns.
 */
export function canonicalJson(json: Json): string {
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map(canonicalJson).join(',')}]`;
  const properties = Object.keys(json)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(json[name] ?? null)}`);
  return `{${properties.join(',')}}`;
}

/** The steps of a path such as `scenes[0].text`. */
const STEP = /[^.[\]]+/g;

/**
 * The columns that fill a part of a row's request; none where a constant does.
 * @param path such as `scenes[0].text`, in the request of a row with these values
 */
export function columnsAt(
  body: RequestTemplate['body'],
  values: Values,
  path: string,
): readonly string[] {
  let at: Json = body;
  for (const step of path.match(STEP) ?? []) {
    // The items of a list that is one column's value are in the request only.
    if (typeof at === 'string') break;
    if (typeof at !== 'object' || at === null) return [];
    // Elements without values are not in the request.
    const inside: Json | undefined = Array.isArray(at)
      ? at.filter((element: Json) => compile(element, {})(values) !== null)[Number(step)]
      : Object.hasOwn(at, step)
        ? at[step]
        : undefined;
    if (inside === undefined) return [];
    at = inside;
  }
  return [...new Set(placeholdersIn(at))];
}
