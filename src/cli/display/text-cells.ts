import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter();

/**
 * Control strings (OSC), control sequences (CSI) and other escape sequences of ECMA-48 §5.4 to §5.6.
 * The text of a string ends where another begins, so unterminated ones are not read repeatedly, as
 * they are by `stripVTControlCharacters` of Node.
 */
const ESCAPE_SEQUENCES =
  // eslint-disable-next-line no-control-regex -- the sequences begin and end with control characters
  /(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\u009d]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/g;

/** How many terminal cells a text takes; emoji and East Asian characters take two. */
export function cells(text: string): number {
  return stringWidth(text);
}

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

/** Exactly `width` cells: cut with an ellipsis, or padded with spaces. Unstyled text only. */
export function fit(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const cut = cutTo(text, width);
  const space = ' '.repeat(Math.max(0, width - cells(cut)));
  return align === 'left' ? cut + space : space + cut;
}

/** At most `width` cells, cut with an ellipsis. Unstyled text only. */
export function cutTo(text: string, width: number): string {
  if (cells(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    const next = cells(segment);
    if (used + next > width - 1) break;
    kept += segment;
    used += next;
  }
  return width > 0 ? `${kept}…` : '';
}

/** Lines of at most `width` cells, broken between words; a longer word has its own line. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && cells(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
