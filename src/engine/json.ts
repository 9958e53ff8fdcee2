/** TypeScript's library does not know the third argument yet (ECMAScript's source text access). */
type ParseWithSource = (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** TypeScript's library does not know it either (ECMAScript's `JSON.rawJSON`). */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/**
 * JSON in which a whole number that JavaScript would round comes as the text it was written as:
 * an identifier that is one digit off is another customer's video.
 * @throws {SyntaxError} when it is not JSON
 */
export function parseExactly(text: string): unknown {
  return parseWith(text, (source) => source);
}

/**
 * JSON to write again: `JSON.stringify` writes a whole number that JavaScript would round with the
 * digits that it had.
 * @throws {SyntaxError} when it is not JSON
 */
export function parseForWriting(text: string): unknown {
  return parseWith(text, (source) => rawJSON(source));
}

/** @param exact what a whole number becomes that JavaScript would round, by its digits */
function parseWith(text: string, exact: (source: string) => unknown): unknown {
  // Most texts have no such number, and reviving recurses where parsing does not.
  if (!/\d{16}/.test(text)) return JSON.parse(text) as unknown;
  return (JSON.parse as ParseWithSource)(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? exact(source)
      : value,
  );
}

/**
 * Characters that JSON does not escape although a terminal acts on them or reorders text by them:
 * DEL and the C1 controls, format characters such as the bidi ones, line and paragraph separators.
 */
const ACTIVE = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON of any value in which such characters are escaped. It parses to the same value. */
export function escapedJson(value: unknown): string {
  return JSON.stringify(value).replace(ACTIVE, (character) =>
    Array.from({ length: character.length }, (_, unit) => {
      return `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}
