/**
 * Checks a request that the user edited against the profile's columns, and derives its preset. The
 * template says where in a request each column's value is.
 */
import type { Failure } from '../../contract/failure.ts';
import { joinMessages, userMessage, type UserMessage } from '../../contract/user-message.ts';
import {
  rawCellSchema,
  readCell,
  titleOf,
  withoutGaps,
  type CellReading,
  type CellValue,
} from './cell.ts';
import { limitFault } from './cell-limits.ts';
import type { Column } from './column.ts';
import { canonicalJson, presetOf, requestSha256 } from './request-body.ts';
import { PLACEHOLDER, type RequestTemplate } from './request-template.ts';

type Json = RequestTemplate['body'][string];

/** A request as it is stored and sent. */
export interface StoredRequest {
  /** Canonical JSON, byte for byte. */
  readonly body: string;
  readonly bodySha256: string;
  /** The key for learned render times. */
  readonly preset: string;
}

export type EditReading =
  | {
      readonly kind: 'request';
      readonly request: StoredRequest;
      /** What the user changed the video's title to; `null` if not. */
      readonly title: string | null;
    }
  | { readonly kind: 'faulty'; readonly fault: Failure };

/** The job before the edit. */
export interface EditedJob {
  /** Its request: JSON. */
  readonly body: string;
  /** The cells of its row by column. */
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * Reads an edited request. Values that the user changed are checked, and written as those of a row
 * are; the others stay, because a request that the user wrote may have any.
 */
export function readEditedRequest(
  template: RequestTemplate,
  { body: bodyBefore, cells }: EditedJob,
  edited: Readonly<Record<string, Json>>,
): EditReading {
  const { columns } = template;
  const before = new Map<string, { at: Place; texts: Set<string> }>();
  mapValues(template.body, JSON.parse(bodyBefore) as Json, (json, name, at) => {
    const known = before.get(name) ?? { at, texts: new Set() };
    known.texts.add(canonicalJson(json));
    before.set(name, known);
    return json;
  });
  const values = new Map<string, CellValue>();
  const faults: Failure[] = [];
  /** Where the request has each column, and the columns that the user changed. */
  const places = new Map<string, Place>();
  const changed = new Set<string>();
  const request = mapValues(template.body, edited, (json, name, at) => {
    const column = columns[name];
    if (!column) return json;
    places.set(name, places.get(name) ?? at);
    const reading = readJson(json, column);
    if (reading.kind === 'value' && !values.has(name)) values.set(name, reading.value);
    if (before.get(name)?.texts.has(canonicalJson(json))) return json;
    changed.add(name);
    if (reading.kind === 'fault') faults.push(fieldFault(at, column, reading.what));
    return reading.kind === 'value' ? toJson(reading.value) : undefined;
  });
  for (const [name, column] of Object.entries(columns)) {
    if (places.has(name)) continue;
    const lost = before.get(name);
    if (lost) changed.add(name);
    if (lost && column.required === true) {
      faults.push(fieldFault(lost.at, column, userMessage('cell-empty')));
    }
    if (lost) continue;
    // The request does not contain it, so it is as in the row.
    const reading = readJson(Object.hasOwn(cells, name) ? (cells[name] ?? '') : '', column);
    if (reading.kind === 'value') values.set(name, reading.value);
  }
  for (const limit of faults.length > 0 ? [] : (template.limits ?? [])) {
    const { column: name, when } = limit;
    if (![name, ...when.map(({ column }) => column)].some((each) => changed.has(each))) continue;
    const column = columns[name];
    const what = limitFault(limit, values, (other) => columns[other]?.label?.en ?? other);
    if (!column || what === null) continue;
    const at = places.get(name) ?? { property: name, name };
    faults.push(fieldFault(at, column, what));
  }
  const [fault] = faults;
  if (fault) return { kind: 'faulty', fault };
  const body = canonicalJson(request ?? edited);
  const preset = presetOf(template, values);
  const title = changed.has(template.title) ? values.get(template.title) : undefined;
  return {
    kind: 'request',
    request: { body, bodySha256: requestSha256(body), preset },
    title: title === undefined ? null : titleOf(title),
  };
}

function readJson(json: Json, column: Column): CellReading {
  const cell = rawCellSchema.safeParse(json);
  return cell.success
    ? withoutGaps(readCell(cell.data, column), column)
    : { kind: 'fault', what: userMessage('cell-of-other-kind') };
}

/** A nested value is named as in the JSON that the user edits. */
function fieldFault({ property, name }: Place, { label }: Column, what: UserMessage): Failure {
  const field = userMessage('at-field', {
    field: property === name ? (label?.en ?? name) : name,
  });
  return { code: 'value-invalid', ...joinMessages(field, what), column: property };
}

function toJson(value: CellValue): Json {
  return typeof value === 'object' ? [...value] : value;
}

/** Where a request has a value. */
interface Place {
  /** The request's own property. */
  readonly property: string;
  /** The innermost property with the value. */
  readonly name: string;
}

/** @returns the new value; `undefined` removes it */
type MapValue = (json: Json, column: string, at: Place) => Json | undefined;

/** Maps the values of columns in a request that was made by a template; the rest stays. */
function mapValues(template: Json, json: Json, map: MapValue, at?: Place): Json | undefined {
  if (typeof template === 'string') return mapText(template, json, map, at);
  if (Array.isArray(template) && Array.isArray(json)) {
    return mapList(template, json, map, at);
  }
  if (!isObject(template) || !isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => {
      if (DIRECTIVES.has(name) || !Object.hasOwn(template, name)) return [[name, value]];
      const place = { property: at?.property ?? name, name };
      const mapped = mapValues(template[name] ?? null, value, map, place);
      return mapped === undefined ? [] : [[name, mapped]];
    }),
  );
}

/** Elements without values were left out of the request, so they are matched in order. */
function mapList(template: Json[], json: Json[], map: MapValue, place?: Place): Json[] {
  let at = 0;
  return json.flatMap((item) => {
    const next = template.findIndex((element, index) => index >= at && isMadeBy(element, item));
    if (next < 0) return [item];
    at = next + 1;
    return mapValues(template[next] ?? null, item, map, place) ?? [];
  });
}

/** Only a text with a single placeholder tells what filled it. */
function mapText(
  template: string,
  json: Json,
  map: MapValue,
  at: Place = { property: '', name: '' },
): Json | undefined {
  const [only, ...others] = [...template.matchAll(PLACEHOLDER)];
  if (!only || others.length > 0) return json;
  const column = (only[1] ?? '').trim();
  const [start, end] = [template.slice(0, only.index), template.slice(only.index + only[0].length)];
  if (start === '' && end === '') return map(json, column, at);
  const isFilled = typeof json === 'string' && json.startsWith(start) && json.endsWith(end);
  if (!isFilled || json.length < start.length + end.length) return json;
  const mapped = map(json.slice(start.length, json.length - end.length), column, at);
  if (mapped === undefined) return undefined;
  return typeof mapped === 'object' ? json : `${start}${String(mapped)}${end}`;
}

/** Names in a template that are never sent. */
const DIRECTIVES: ReadonlySet<string> = new Set(['$if', '$unless', '$columns', '$each']);

/** Whether JSON has everything that is constant in a template. */
function isMadeBy(template: Json, json: Json): boolean {
  if (typeof template === 'string') return template.search(PLACEHOLDER) >= 0 || template === json;
  if (Array.isArray(template)) return Array.isArray(json);
  if (!isObject(template)) return template === json;
  return (
    isObject(json) &&
    Object.entries(template).every(
      ([name, element]) =>
        DIRECTIVES.has(name) ||
        // A list or an object without values was left out.
        (typeof element === 'object' && !Object.hasOwn(json, name)) ||
        isMadeBy(element, json[name] ?? null),
    )
  );
}

function isObject(json: Json): json is Record<string, Json> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
