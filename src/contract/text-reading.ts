/** The choices of how text becomes cells. Without schemas, since the page reads them too. */

/**
 * Encodings that can be chosen. `utf-8-twice` is UTF-8 that another program took for Windows-1252
 * and saved as UTF-8 again.
 */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-874',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
  'koi8-r',
  'cp850',
  'cp852',
  'cp866',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'utf-8-twice',
] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** What separates the cells of most files. */
export const SEPARATORS = [',', ';', '\t', '|'] as const;

/** A character that separates cells; see {@link isSeparator}. */
export type Separator = string;

/** Whether a text is one UTF-16 unit that can separate cells: no letter, digit, quotation mark or line break. */
export function isSeparator(text: string): boolean {
  return (
    text === '\t' ||
    (text.length === 1 && /^[^\p{L}\p{N}\p{C}"'“”„‘’«»\\\u2028\u2029]$/u.test(text))
  );
}

/**
 * Which quotation marks enclose cells. With `none`, they are part of the text; with `backslash`, too,
 * and a backslash is before each separator, line break and backslash of a text, as databases write it.
 */
export const QUOTES = ['double', 'single', 'none', 'backslash'] as const;

export type Quotes = (typeof QUOTES)[number];
