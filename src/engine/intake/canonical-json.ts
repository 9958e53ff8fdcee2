import type { RequestTemplate } from './request-template.ts';

type Json = RequestTemplate['body'][string];

/**
 * JSON with names in code-unit order and no space: equal requests are equal texts, whatever order
 * their columns came in.
 */
export function canonicalJson(json: Json): string {
  if (typeof json !== 'object' || json === null) return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map(canonicalJson).join(',')}]`;
  const properties = Object.keys(json)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(json[name] ?? null)}`);
  return `{${properties.join(',')}}`;
}
