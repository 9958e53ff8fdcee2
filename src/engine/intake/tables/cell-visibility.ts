/** Characters that take no place on a screen and get into cells unnoticed. */

/**
 * Format characters such as zero-width spaces and direction marks, variation selectors, and fillers
 * that fonts leave blank: Hangul fillers, the empty Braille pattern, Khmer inherent vowels.
 */
const INVISIBLE =
  '\\p{Cf}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0';
const VISIBLE = new RegExp(`[^\\s${INVISIBLE}]`, 'u');
const INVISIBLES = new RegExp(`[${INVISIBLE}]`, 'gu');

/** Whether a cell contains anything that can be seen; a cell that does not counts as empty. */
export function isVisible(cell: string): boolean {
  // Most cells begin with a letter or digit, and there are millions.
  const first = cell.charCodeAt(0);
  return (first > 0x20 && first < 0x7f) || VISIBLE.test(cell);
}

/** A value that is not a text for people, such as a number or a colour, as it is seen. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLES, '').trim();
}

/** In characters. Texts of cells are compared with the names of columns, and some have megabytes. */
const MAX_HEADER = 1_000;

/** Whether a cell names no column, whatever its text is. */
export function isTooLong(cell: string): boolean {
  return cell.length > MAX_HEADER;
}

/** A header without invisible characters, on one line, without space around it. */
export function headerText(cell: string): string {
  return cell.replace(INVISIBLES, '').replace(/\s+/g, ' ').trim();
}

/** A text for messages: invisible characters are written as escapes, such as `\u200b`. */
export function withVisibleEscapes(text: string): string {
  return text.replace(
    INVISIBLES,
    (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  );
}
