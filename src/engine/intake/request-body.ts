import type { CellValue } from './cell.ts';
import { PLACEHOLDER, type RequestTemplate } from './request-template.ts';

type Json = RequestTemplate['body'][string];

/** One row's values by column; a column without one is not there. */
export type RowValues = ReadonlyMap<string, CellValue>;

/** What a place in the template comes to when its row has nothing for it. */
const NOTHING = Symbol('nothing');
type Filled = Json | typeof NOTHING;

type Fill = (values: RowValues) => Filled;

/** What makes a row's request body, by the rules that `requestTemplateSchema` documents. */
export function compileBody(body: RequestTemplate['body']): (values: RowValues) => Json {
  const fill = compile(body);
  return (values) => {
    const filled = fill(values);
    return filled === NOTHING ? {} : filled;
  };
}

/** The row's preset: `resolution=720 seconds=5+`. */
export function presetOf({ preset }: RequestTemplate, values: RowValues): string {
  return preset
    .map(({ column, step }) => {
      const value = values.get(column) ?? '';
      return step !== undefined && typeof value === 'number'
        ? `${column}=${Math.floor(value / step) * step}+`
        : `${column}=${String(value)}`;
    })
    .join(' ');
}

function compile(json: Json): Fill {
  if (typeof json === 'string') return compileText(json);
  if (typeof json !== 'object' || json === null) return () => json;
  if (Array.isArray(json)) return compileList(json);
  const { $if, ...template } = json;
  const fill = compileObject(template);
  return typeof $if === 'string' ? (values) => (values.has($if) ? fill(values) : NOTHING) : fill;
}

function compileList(list: readonly Json[]): Fill {
  const elements = list.map(compile);
  return (values) => {
    const filled = elements.map((fill) => fill(values)).filter((value) => value !== NOTHING);
    return filled.length === 0 && elements.length > 0 ? NOTHING : filled;
  };
}

function compileObject(template: Readonly<Record<string, Json>>): Fill {
  const properties = Object.entries(template).map(([name, json]) => [name, compile(json)] as const);
  return (values) => {
    const filled: [string, Json][] = [];
    for (const [name, fill] of properties) {
      const value = fill(values);
      if (value !== NOTHING) filled.push([name, value]);
    }
    return filled.length === 0 && properties.length > 0 ? NOTHING : Object.fromEntries(filled);
  };
}

function compileText(text: string): Fill {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const [only] = names;
  if (only === undefined) return () => text;
  if (names.length === 1 && text.replace(PLACEHOLDER, '') === '') {
    return (values) => toJson(values.get(only));
  }
  return (values) =>
    names.some((name) => values.has(name))
      ? text.replace(PLACEHOLDER, (_, name: string) => inText(values.get(name) ?? ''))
      : NOTHING;
}

function toJson(value: CellValue | undefined): Filled {
  if (value === undefined) return NOTHING;
  return typeof value === 'object' ? [...value] : value;
}

function inText(value: CellValue): string {
  return typeof value === 'object' ? value.join(', ') : String(value);
}
