/**
 * Reads and checks JSON text. It has no imports, so that a page can use it without loading a schema
 * library.
 */

/** Deeper than any request, and far below what exhausts the stack of a recursive parser. */
export const MAX_JSON_DEPTH = 64;

/** TypeScript's library does not know the third argument yet (ECMAScript's source text access). */
type ParseWithSource = (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** TypeScript's library does not know it either (ECMAScript's `JSON.rawJSON`). */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/**
 * Parses JSON, but keeps a whole number that JavaScript would round as its text: an identifier that
 * is one digit off is another customer's video.
 * @throws {SyntaxError} when it is not JSON
 */
export function parseExactly(text: string): unknown {
  return parseWith(text, (source) => source);
}

/**
 * Parses JSON that will be written again: `JSON.stringify` keeps the digits of a whole number that
 * JavaScript would round.
 * @throws {SyntaxError} when it is not JSON
 */
export function parseForWriting(text: string): unknown {
  return parseWith(text, (source) => rawJSON(source));
}

/** @param exact the replacement for a whole number that JavaScript would round, by its digits */
function parseWith(text: string, exact: (source: string) => unknown): unknown {
  // Most texts contain no such number, and reviving recurses where parsing does not.
  if (!/\d{16}/.test(text)) return JSON.parse(text) as unknown;
  return (JSON.parse as ParseWithSource)(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? exact(source)
      : value,
  );
}

/**
 * JSON from another computer; `undefined` when it is invalid or nested more than 64 deep. A byte
 * order mark, which some servers send, is skipped (RFC 8259 §8.1).
 */
export function parseForeignJson(withMark: string): unknown {
  const text = withMark.replace(/^\ufeff/, '');
  if (isTooDeep(text)) return undefined;
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

/** Counts open brackets outside of strings, before a parser has built anything. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (inString) {
      if (char === 0x5c /* \ */) index++;
      else if (char === 0x22 /* " */) inString = false;
    } else if (char === 0x22) {
      inString = true;
    } else if (char === 0x5b /* [ */ || char === 0x7b /* { */) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (char === 0x5d /* ] */ || char === 0x7d /* } */) {
      depth--;
    }
  }
  return false;
}

/** Whether a value can be JSON, and is not nested deeper than {@link MAX_JSON_DEPTH}. */
export function isShallowJson(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_JSON_DEPTH) return false;
    const next: unknown[] = [];
    for (const each of level) {
      if (Array.isArray(each)) for (const element of each as unknown[]) next.push(element);
      else if (isPlainObject(each)) for (const child of Object.values(each)) next.push(child);
      else if (!isScalar(each)) return false;
    }
    level = next;
  }
  return true;
}

function isScalar(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    Number.isFinite(value)
  );
}

/** An object as `JSON.parse` returns it. A property `__proto__` would be lost in copies. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, '__proto__'))
    return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
