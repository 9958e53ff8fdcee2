/** A request as an example shows it, and its body. */
import type { z } from 'zod';
import { isShallowJson, parseForeignJson, parseTemplate } from '../json-text.ts';

export type Json = z.core.util.JSONType;
export type JsonObject = Record<string, Json>;

/** The body of a request. */
export type ExampleBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: JsonObject }
  /** Parts of a form. Those that are files have no value. */
  | {
      readonly kind: 'form';
      readonly fields: readonly (readonly [name: string, value: string])[];
      readonly files: readonly string[];
    }
  /** A body that Spool cannot send, such as URL-encoded fields, as it was written. */
  | { readonly kind: 'other'; readonly text: string };

/** A request as documentation shows it. It is not validated. */
export interface ExampleRequest {
  /** In upper case. */
  readonly method: string;
  /** As written, with placeholders; only a path, or empty if there is none. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ExampleBody;
}

/**
 * Ignores surplus commas and comments, which examples often contain, and quotation marks that a word
 * processor or a shell of Windows changed.
 */
export function readJsonBody(text: string): ExampleBody {
  const value =
    parseBody(text) ??
    parseBody(withoutComments(text)) ??
    parseBody(text.replace(/[“”„]/g, '"').replaceAll('\u00a0', ' ')) ??
    parseBody(text.replace(/\\"/g, '"'));
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && isShallowJson(value)
    ? { kind: 'json', value: value as JsonObject }
    : { kind: 'other', text };
}

/** Numbers keep their digits, as in a template: a profile is made from the body. */
function parseBody(text: string): unknown {
  return parseForeignJson(text, parseTemplate);
}

function withoutComments(text: string): string {
  const string = /("(?:[^"\\]|\\[^])*(?:"|\\?$))/.source;
  const without = (part: string, from: string): string =>
    from.replace(new RegExp(`${string}|${part}`, 'g'), (_, kept: string | undefined) => kept ?? '');
  return without(String.raw`,(?=\s*[}\]])`, without(String.raw`\/\/[^\n]*|#[^\n]*`, text));
}

/** The end of the JSON object or list that begins at `start`; `null` if it has none. */
export function endOfStructure(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index++;
      else if (char === '"') inString = false;
    } else if (char === '"') {
      inString = true;
    } else if (char === '{' || char === '[') {
      depth++;
    } else if (char === '}' || char === ']') {
      depth--;
      if (depth === 0) return index + 1;
    }
  }
  return null;
}
