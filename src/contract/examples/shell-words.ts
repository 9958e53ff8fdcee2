/** A command split as by a shell, and its input. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** The lines of a here-document; `null` without one. */
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

/**
 * The first command of a text, by the rules of POSIX shells for quotes, backslashes, comments and
 * here-documents, and `$'…'` of bash. Nothing is expanded or run: `$KEY` stays as written.
 *
 * A line continues in the next one after `\`, `^` (cmd) and `` ` `` (PowerShell), and if the next
 * one begins with an option: copying often loses the backslash. An unclosed quote ends with the
 * text.
 *
 * Written here because no package on npm fits: curlconverter needs native modules, and shell-quote
 * supports neither `$'…'` nor here-documents.
 */
export function firstCommandIn(text: string): ShellCommand {
  return new ShellReader(text).read();
}

class ShellReader {
  readonly #text: string;
  readonly #words: string[] = [];
  #at = 0;
  /** The word that is being read; `null` between words. */
  #word: string | null = null;
  /** The word that ends the here-document that begins with the next line. */
  #delimiter: string | null = null;
  #input: string | null = null;

  constructor(text: string) {
    this.#text = text.replaceAll('\r\n', '\n');
  }

  read(): ShellCommand {
    while (this.#at < this.#text.length && this.#step());
    this.#endWord();
    return { words: this.#words, input: this.#input };
  }

  /** @returns whether the command continues */
  #step(): boolean {
    const char = this.#text.charAt(this.#at);
    const continued = /[\\^`][ \t]*\n/y;
    continued.lastIndex = this.#at;
    if (continued.test(this.#text)) {
      this.#at = continued.lastIndex;
      return true;
    }
    if (char === '\n') return this.#endLine();
    if (char === ' ' || char === '\t') {
      this.#endWord();
      this.#at += 1;
      return true;
    }
    if (this.#isOperator(char)) return false;
    if (char === '#' && this.#word === null) {
      this.#at = this.#endOf('\n', this.#at);
      return true;
    }
    if (this.#word === null && this.#readHereOperator()) return true;
    this.#word = (this.#word ?? '') + this.#readPiece(char);
    return true;
  }

  /** `&` may be in an address that was not quoted. */
  #isOperator(char: string): boolean {
    if (char === ';' || char === '|') return true;
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
    const option = /[ \t]*-/y;
    option.lastIndex = this.#at;
    return option.test(this.#text);
  }

  #endWord(): void {
    if (this.#word !== null) this.#words.push(this.#word);
    this.#word = null;
  }

  #readHereOperator(): boolean {
    const operator = /<<-?[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|([\w.-]+))/y;
    operator.lastIndex = this.#at;
    const found = operator.exec(this.#text);
    if (found === null) return false;
    this.#at = operator.lastIndex;
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
    if (char === "'") return this.#readVerbatim("'");
    if (char === '"') return this.#readDoubleQuoted();
    const closing = TYPOGRAPHIC[char];
    if (closing !== undefined) return this.#readVerbatim(closing);
    if (char === '$' && this.#text.charAt(this.#at + 1) === "'") return this.#readAnsiQuoted();
    if (char === '\\') {
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

  #readAnsiQuoted(): string {
    const quoted = /\$'((?:[^'\\]|\\[^])*)(?:'|\\?$)/y;
    return this.#readPattern(quoted).replace(
      /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|([^]))/gi,
      (_, byte?: string, code?: string, char = '') => {
        const hex = byte ?? code;
        return hex === undefined
          ? (ESCAPES[String(char)] ?? String(char))
          : String.fromCharCode(Number.parseInt(hex, 16));
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
