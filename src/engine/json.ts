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
