/** Splits a command into words, as its shell would. */
import { withoutCarets, type Shell } from './pasted-text.ts';

/** A command split as by a shell, and its input. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** The lines of a here-document, or a here-string; `null` without one. */
  readonly input: string | null;
}

/** Quotation marks that word processors insert into examples, with those that close them. */
const TYPOGRAPHIC: Readonly<Record<string, string>> = { '“': '”', '‘': '’' };

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1b',
};

const POWERSHELL_ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
};

/** Every runtime has one, but the types that they share do not declare it. */
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** `\xc3\251` as UTF-8. */
function textOfBytes(escapes: string): string {
  const bytes = escapes
    .split('\\')
    .slice(1)
    .map((code) =>
      /^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8) & 0xff,
    );
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/**
 * The first command of a text, by the rules of its shell for quotes, escapes, comments and
 * here-documents, and `$'…'` of bash. Nothing is expanded or run: `$KEY` stays as written.
 *
 * A line continues in the next one after `\`, and if the next one begins with an option: copying
 * often loses the backslash. An unclosed quote ends with the text. Dashes that a word processor made
 * of hyphens are hyphens again where a word begins with them.
 *
 * Written here because no package on npm fits: curlconverter needs native modules, and shell-quote
 * supports neither `$'…'` nor here-documents nor the shells of Windows.
 */
export function firstCommandIn(text: string, shell: Shell = 'posix'): ShellCommand {
  return new ShellReader(text, shell).read();
}

/** No-break and typographic spaces separate words as a space does. */
const SPACE = /[ \t\u00a0\u2000-\u200a\u202f\u3000]/;

class ShellReader {
  readonly #text: string;
  readonly #shell: Shell;
  readonly #words: string[] = [];
  #at = 0;
  /** The word that is being read; `null` between words. */
  #word: string | null = null;
  /** The word that ends the here-document that begins with the next line. */
  #delimiter: string | null = null;
  #input: string | null = null;
  /** Which word is the input, instead of lines. */
  #inputWord: number | null = null;

  constructor(text: string, shell: Shell) {
    this.#text = shell === 'cmd' ? withoutCarets(text) : text;
    this.#shell = shell;
  }

  read(): ShellCommand {
    while (this.#at < this.#text.length && this.#step());
    this.#endWord();
    const [input = this.#input] =
      this.#inputWord === null ? [] : this.#words.splice(this.#inputWord, 1);
    return { words: this.#words, input };
  }

  /** @returns whether the command continues */
  #step(): boolean {
    const char = this.#text.charAt(this.#at);
    const continued = this.#shell === 'powershell' ? /`[ \t]*\n/y : /\\[ \t]*\n/y;
    continued.lastIndex = this.#at;
    if (continued.test(this.#text)) {
      this.#at = continued.lastIndex;
      return true;
    }
    if (char === '\n') return this.#endLine();
    if (SPACE.test(char)) {
      this.#endWord();
      this.#at += 1;
      return true;
    }
    if (this.#isOperator(char)) return false;
    if (this.#word === null && /[–—]/.test(char)) return this.#readDash();
    if (char === '#' && this.#word === null && this.#shell !== 'cmd') {
      this.#at = this.#endOf('\n', this.#at);
      return true;
    }
    if (this.#word === null && this.#readHereOperator()) return true;
    this.#word = (this.#word ?? '') + this.#readPiece(char);
    return true;
  }

  /** `&` may be in an address that was not quoted. */
  #isOperator(char: string): boolean {
    // `)` ends `$(curl …)`; an address may contain one.
    if (char === ';' || char === '|') return true;
    if (char === ')')
      return this.#word === null || /^(?:\s|$)/.test(this.#text.slice(this.#at + 1));
    return char === '&' && /^(?:[&\s]|$)/.test(this.#text.charAt(this.#at + 1));
  }

  #endLine(): boolean {
    this.#endWord();
    this.#at += 1;
    if (this.#delimiter !== null) {
      this.#input = this.#readHereDocument(this.#delimiter);
      return false;
    }
    if (this.#words.length === 0) return true;
    const option = /\s*[-–—]/y;
    option.lastIndex = this.#at;
    if (!option.test(this.#text)) return false;
    this.#at = option.lastIndex - 1;
    return true;
  }

  /** `–X` means `-X`, and `–header` means `--header`. */
  #readDash(): boolean {
    this.#word = /^.[A-Za-z]{2}/.test(this.#text.slice(this.#at, this.#at + 3)) ? '--' : '-';
    this.#at += 1;
    return true;
  }

  #endWord(): void {
    if (this.#word !== null) this.#words.push(this.#word);
    this.#word = null;
  }

  #readHereOperator(): boolean {
    const operator = /<<<|<<-?[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|([\w.-]+))/y;
    operator.lastIndex = this.#at;
    const found = operator.exec(this.#text);
    if (found === null) return false;
    this.#at = operator.lastIndex;
    // A here-string: the next word is the input.
    if (found[0] === '<<<') {
      this.#inputWord = this.#words.length;
      return true;
    }
    this.#delimiter = found[1] ?? found[2] ?? found[3] ?? '';
    return true;
  }

  #readHereDocument(delimiter: string): string {
    const lines = this.#text.slice(this.#at).split('\n');
    const end = lines.findIndex((line) => line.trim() === delimiter);
    return lines.slice(0, end === -1 ? lines.length : end).join('\n');
  }

  /** The meaning of a quote, a backslash or a character. */
  #readPiece(char: string): string {
    if (this.#shell === 'cmd') return this.#readPieceOfCmd(char);
    if (char === "'") {
      return this.#shell === 'powershell'
        ? this.#readPattern(/'((?:[^']|'')*)(?:'|$)/y).replaceAll("''", "'")
        : this.#readVerbatim("'");
    }
    if (char === '"') {
      return this.#shell === 'powershell' ? this.#readPowerShellQuoted() : this.#readDoubleQuoted();
    }
    const closing = TYPOGRAPHIC[char];
    if (closing !== undefined) return this.#readVerbatim(closing);
    if (char === '$' && this.#text.charAt(this.#at + 1) === "'") return this.#readAnsiQuoted();
    if (char === (this.#shell === 'powershell' ? '`' : '\\')) {
      this.#at += 2;
      return this.#text.charAt(this.#at - 1);
    }
    this.#at += 1;
    return char;
  }

  #readVerbatim(closing: string): string {
    const end = this.#endOf(closing, this.#at + 1);
    const piece = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return piece;
  }

  #readDoubleQuoted(): string {
    const quoted = /"((?:[^"\\]|\\[^])*)(?:"|\\?$)/y;
    return this.#readPattern(quoted).replace(/\\([$`"\\\n])/g, (_, char: string) =>
      char === '\n' ? '' : char,
    );
  }

  /**
   * By the rules of Microsoft's C runtime, with which curl.exe reads its command line: `\"` and, in
   * quotes, `""` mean a quotation mark. The browsers also write `\\` for a backslash.
   */
  #readPieceOfCmd(char: string): string {
    if (char !== '"') {
      const isQuote = char === '\\' && this.#text.charAt(this.#at + 1) === '"';
      this.#at += isQuote ? 2 : 1;
      return isQuote ? '"' : char;
    }
    return this.#readPattern(/"((?:[^"\\]|\\[^]|"")*)(?:"|\\?$)/y).replace(
      /\\([\\"])|""/g,
      (_, escaped: string | undefined) => escaped ?? '"',
    );
  }

  #readPowerShellQuoted(): string {
    return this.#readPattern(/"((?:[^"`]|`[^]|"")*)(?:"|`?$)/y).replace(
      /`([^])|""/g,
      (_, escaped: string | undefined) =>
        escaped === undefined ? '"' : (POWERSHELL_ESCAPES[escaped] ?? escaped),
    );
  }

  /** Escaped bytes, as octal or hexadecimal numbers, form characters of UTF-8. */
  #readAnsiQuoted(): string {
    const quoted = /\$'((?:[^'\\]|\\[^])*)(?:'|\\?$)/y;
    return this.#readPattern(quoted).replace(
      /((?:\\x[\da-fA-F]{1,2}|\\[0-7]{1,3})+)|\\(?:u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([^]))/g,
      (whole, bytes?: string, short?: string, long?: string, char = '') => {
        if (bytes !== undefined) return textOfBytes(bytes);
        const code = Number.parseInt(short ?? long ?? '', 16);
        if (Number.isNaN(code)) return ESCAPES[String(char)] ?? String(char);
        return code > 0x10ffff ? whole : String.fromCodePoint(code);
      },
    );
  }

  /** The first group of a pattern that always matches here. */
  #readPattern(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [, piece = ''] = pattern.exec(this.#text) ?? [];
    this.#at = pattern.lastIndex === 0 ? this.#text.length : pattern.lastIndex;
    return piece;
  }

  #endOf(mark: string, from: number): number {
    const end = this.#text.indexOf(mark, from);
    return end === -1 ? this.#text.length : end;
  }
}
