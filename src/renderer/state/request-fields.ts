import type { Client } from '../../contract/contract.ts';
import type { FieldText } from '../../contract/field-text.ts';
import type { JobDetails } from '../../contract/job.ts';

type Json = JobDetails['request'];

/** Labels of a request's properties; none when they cannot be read: names are shown then. */
export async function requestLabels(
  client: Pick<Client, 'profile'>,
): Promise<Readonly<Record<string, FieldText>>> {
  try {
    return (await client.profile.get()).labels;
  } catch {
    return {};
  }
}

/** A field of a request, as a form shows it. Nested values are shown as JSON. */
export type RequestField =
  | { readonly kind: 'text' | 'number' | 'json'; readonly name: string; text: string }
  | { readonly kind: 'choice'; readonly name: string; on: boolean };

/** The fields of a request; none for one that is not an object. */
export function fieldsOf(request: Json): RequestField[] {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return [];
  return Object.entries(request).map(([name, value]) => fieldOf(name, value));
}

/** The field of a form for one value. */
export function fieldOf(name: string, value: Json): RequestField {
  switch (typeof value) {
    case 'string':
      return { kind: 'text', name, text: value };
    case 'number':
      return { kind: 'number', name, text: String(value) };
    case 'boolean':
      return { kind: 'choice', name, on: value };
    default:
      return { kind: 'json', name, text: JSON.stringify(value, null, 2) };
  }
}

/** The request of a form, and the names of the fields whose text is invalid. */
export function requestOf(fields: readonly RequestField[]): {
  readonly request: Record<string, Json>;
  readonly faulty: readonly string[];
} {
  const request: Record<string, Json> = {};
  const faulty: string[] = [];
  for (const field of fields) {
    const value = valueOf(field);
    if (value === undefined) faulty.push(field.name);
    else request[field.name] = value;
  }
  return { request, faulty };
}

/** A field's value; `undefined` while its text is invalid. */
export function valueOf(field: RequestField): Json | undefined {
  if (field.kind === 'choice') return field.on;
  if (field.kind === 'text') return field.text;
  if (field.kind === 'number') {
    const number = Number(field.text);
    return field.text.trim() === '' || !Number.isFinite(number) ? undefined : number;
  }
  try {
    return JSON.parse(field.text) as Json;
  } catch {
    return undefined;
  }
}
