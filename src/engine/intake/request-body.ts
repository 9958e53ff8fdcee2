import type { CellValue } from './cell.ts';
import { PLACEHOLDER, type RequestTemplate } from './request-template.ts';

type Json = RequestTemplate['body'][string];

/** One row's values by column; a column without one is not there. */
export type RowValues = ReadonlyMap<string, CellValue>;

/** What a place in the template comes to when its row has nothing for it. */
const NOTHING = Symbol('nothing');
type Filled = Json | typeof NOTHING;

/** The request body for a row, by the rules that `requestTemplateSchema` documents. */
export function fillBody(body: RequestTemplate['body'], values: RowValues): Json {
  const filled = fill(body, values);
  return filled === NOTHING ? {} : filled;
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

function fill(json: Json, values: RowValues): Filled {
  if (typeof json === 'string') return fillText(json, values);
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) {
    const elements = json.map((element) => fill(element, values)).filter((it) => it !== NOTHING);
    return elements.length === 0 && json.length > 0 ? NOTHING : elements;
  }
  const { $if, ...template } = json;
  if (typeof $if === 'string' && !values.has($if)) return NOTHING;
  const properties: [string, Json][] = [];
  for (const [name, property] of Object.entries(template)) {
    const value = fill(property, values);
    if (value !== NOTHING) properties.push([name, value]);
  }
  const isLeft = properties.length > 0 || Object.keys(template).length === 0;
  return isLeft ? Object.fromEntries(properties) : NOTHING;
}

function fillText(text: string, values: RowValues): Filled {
  const placeholders = [...text.matchAll(PLACEHOLDER)];
  const [first] = placeholders;
  if (first === undefined) return text;
  const found = placeholders.map(([, name = '']) => values.get(name));
  if (found.every((value) => value === undefined)) return NOTHING;
  if (first[0] === text) return toJson(found[0] ?? '');
  return text.replace(PLACEHOLDER, (_, name: string) => inText(values.get(name) ?? ''));
}

function toJson(value: CellValue): Json {
  return typeof value === 'object' ? [...value] : value;
}

function inText(value: CellValue): string {
  return typeof value === 'object' ? value.join(', ') : String(value);
}
