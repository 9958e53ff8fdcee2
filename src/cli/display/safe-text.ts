/** Makes external text safe for a terminal. */

/**
 * Control strings (OSC), control sequences (CSI) and other escape sequences of ECMA-48 §5.4 to §5.6.
 * The text of a string ends where another begins, so unterminated ones are not read repeatedly, as
 * they are by `stripVTControlCharacters` of Node.
 */
const ESCAPE_SEQUENCES =
  // eslint-disable-next-line no-control-regex -- the sequences begin and end with control characters
  /(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\u009d]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/g;

/** Makes external text safe for one line: no escape sequences, no control or bidi characters. */
export function plainText(text: string): string {
  return text
    .replace(ESCAPE_SEQUENCES, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
}

/**
 * Makes external text of several lines safe for a terminal. Characters that a terminal would
 * interpret are shown as `\u001b`.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(
      /[^\P{Cc}\t\n]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
      (character) => {
        return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
      },
    );
}
