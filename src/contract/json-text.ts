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
const { rawJSON, isRawJSON } = JSON as unknown as {
  readonly rawJSON: (text: string) => unknown;
  readonly isRawJSON: (value: unknown) => boolean;
};

/**
 * Parses JSON, but keeps a whole number that JavaScript would round as its text: an identifier that
 * is one digit off is another customer's video.
 * @throws {SyntaxError} when it is not JSON
 */
export function parseExactly(text: string): unknown {
  // Most texts contain no such number, and reviving recurses where parsing does not.
  if (!/\d{16}/.test(text)) return JSON.parse(text) as unknown;
  return (JSON.parse as ParseWithSource)(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? source
      : value,
  );
}

/**
 * Parses JSON that will be written again: `JSON.stringify` writes every number as it was, such as
 * `1.10` and whole numbers of any size.
 * @throws {SyntaxError} when it is not JSON
 */
export function parseForWriting(text: string): unknown {
  return parseRewritten(text, (source) => rawJSON(source));
}

/** Whether a value of {@link parseForWriting} is a number that JavaScript would write differently. */
export function isRawNumber(value: unknown): boolean {
  return isRawJSON(value);
}

/** The text of such a number; `null` for any other value. */
export function sourceOfRawNumber(value: unknown): string | null {
  return isRawJSON(value) ? (value as { readonly rawJSON: string }).rawJSON : null;
}

const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const NUMBER_PLACEHOLDER = new RegExp(`^(${NUMBER}):number$`);

/**
 * Parses a template of a request. A number that JavaScript would write differently becomes the
 * placeholder `{{1.10:number}}`, which is sent as that number; so it survives wherever the template
 * is stored or sent as plain JSON.
 * @throws {SyntaxError} when it is not JSON
 */
export function parseTemplate(text: string): unknown {
  return parseRewritten(text, (source) => `{{${source}:number}}`);
}

/** The number of a placeholder's content such as `1.10:number`; `null` for any other. */
export function numberInPlaceholder(content: string): string | null {
  return NUMBER_PLACEHOLDER.exec(content)?.[1] ?? null;
}

/** A template as its user wrote it, with the numbers of {@link parseTemplate}. */
export function templateText(template: unknown): string {
  const text = JSON.stringify(template, null, 2);
  return text.replace(new RegExp(`"\\{\\{(${NUMBER}):number\\}\\}"`, 'g'), '$1');
}

/** @param rewritten the replacement for a number that JavaScript writes differently, by its text */
function parseRewritten(text: string, rewritten: (source: string) => unknown): unknown {
  return (JSON.parse as ParseWithSource)(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && source !== '' && String(value) !== source
      ? rewritten(source)
      : value,
  );
}

/**
 * JSON from another computer; `undefined` when it is invalid or nested more than 64 deep. A byte
 * order mark, which some servers send, is skipped (RFC 8259 §8.1).
 * @param parse what becomes of numbers that JavaScript would write differently
 */
export function parseForeignJson(
  withMark: string,
  parse: (text: string) => unknown = parseExactly,
): unknown {
  const text = withMark.replace(/^\ufeff/, '');
  if (isTooDeep(text)) return undefined;
  try {
    return parse(text);
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
