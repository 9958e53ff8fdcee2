import { isShallowJson } from '../json-text.ts';
import { readJsonBody, type ExampleBody, type ExampleRequest, type Json } from './example-body.ts';

/** Nesting of brackets; deeper ones are ignored. */
const MAX_DEPTH = 32;
/** Values of an example; further ones are ignored. */
const MAX_VALUES = 5000;
const MAX_VARIABLES = 200;
/**
 * The most characters of all variables that are used in a value, and of a JSON text; longer ones
 * stay placeholders. Each variable may contain the previous one twice, so a short text could fill
 * the memory.
 */
const MAX_USED = 128 * 1024;

const CALL = /\b(?:requests|httpx)\.(get|post|put|patch|delete|request)[ \t]*\(/;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\n': '' };

const CONSTANTS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['True', true],
  ['False', false],
  ['None', null],
]);

/**
 * The request that a call of Python's `requests` or `httpx` would make, with the variables that
 * were assigned before it. Only literals are read: nothing is run, and computed values stay
 * placeholders. `null`: there is no such call.
 */
export function readPythonCall(text: string): ExampleRequest | null {
  const call = CALL.exec(text);
  if (call === null) return null;
  const [found, verb = ''] = call;
  const variables = variablesIn(text.slice(0, call.index));
  const reader = new LiteralReader(text, call.index + found.length, variables);
  const { positional, named } = reader.readArguments();
  if (verb === 'request') named.set('method', positional.shift() ?? named.get('method') ?? '');
  const method = verb === 'request' ? textIn(named.get('method')) : verb;
  const url = positional.shift() ?? named.get('url');
  if (typeof url !== 'string' || url === '') return null;
  const query = pairsIn(named.get('params')).map(([name, value]) => `${name}=${value}`);
  // Separately, because the key is one of them.
  const credentials = listIn(named.get('auth'))
    .map(textIn)
    .filter((part) => part !== '');
  const cookies = pairsIn(named.get('cookies')).map((pair) => pair.join('='));
  return {
    method: method.toUpperCase(),
    url: query.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${query.join('&')}`,
    headers: [
      ...pairsIn(named.get('headers')).map(([name, value]) => [name.toLowerCase(), value] as const),
      ...credentials.map((part) => ['authorization', `Basic ${part}`] as const),
      ...(cookies.length === 0 ? [] : [['cookie', cookies.join('; ')] as const]),
    ],
    body: bodyOf(named),
  };
}

function bodyOf(named: ReadonlyMap<string, Json>): ExampleBody {
  const data = named.get('data') ?? named.get('content');
  const files = named.get('files');
  if (named.has('json')) return readJsonBody(JSON.stringify(named.get('json')));
  if (files !== undefined) {
    const names = isObject(files) ? Object.keys(files) : [];
    return { kind: 'form', fields: pairsIn(data), files: names };
  }
  if (typeof data === 'string') return readJsonBody(data);
  if (data === undefined || data === null) return { kind: 'none' };
  return {
    kind: 'other',
    text: pairsIn(data)
      .map((pair) => pair.join('='))
      .join('&'),
  };
}

interface Variable {
  readonly value: Json;
  /** Characters of its JSON; if it is nested too deep, more than the limit. */
  readonly size: number;
}

/** Variables that are assigned at the beginning of a line, in order. */
function variablesIn(text: string): Map<string, Variable> {
  const variables = new Map<string, Variable>();
  const assignment = /^[ \t]*([A-Za-z_]\w*)[ \t]*=(?!=)/gm;
  for (let count = 0; count < MAX_VARIABLES; count += 1) {
    const found = assignment.exec(text);
    if (found === null) break;
    const reader = new LiteralReader(text, assignment.lastIndex, variables);
    const value = reader.readValue();
    const size = isShallowJson(value) ? JSON.stringify(value).length : Infinity;
    variables.set(found[1] ?? '', { value, size });
    // An assignment inside a literal does not count.
    assignment.lastIndex = Math.max(assignment.lastIndex, reader.at);
  }
  return variables;
}

interface Arguments {
  readonly positional: Json[];
  readonly named: Map<string, Json>;
}

/** Reads Python literals from a position in a text. Each step advances, so the time is linear. */
class LiteralReader {
  readonly #text: string;
  readonly #variables: ReadonlyMap<string, Variable>;
  #values = 0;
  #used = 0;
  #depth = 0;
  at: number;

  constructor(text: string, at: number, variables: ReadonlyMap<string, Variable>) {
    this.#text = text;
    this.at = at;
    this.#variables = variables;
  }

  /** After the opening bracket of a call. */
  readArguments(): Arguments {
    const positional: Json[] = [];
    const named = new Map<string, Json>();
    this.#readItems(')', () => {
      const name = this.#match(/([A-Za-z_]\w*)\s*=(?!=)/y)?.[1];
      const value = this.readValue();
      if (name === undefined) positional.push(value);
      else named.set(name, value);
    });
    return { positional, named };
  }

  /** Adjacent or added strings are joined; formats are filled in. */
  readValue(): Json {
    let value = this.#readTerm();
    for (;;) {
      this.#skipSpace();
      if (typeof value === 'string') {
        const formatted = this.#readFormatted(value);
        if (formatted !== null) {
          value = formatted;
          continue;
        }
      }
      const isAdded = this.#match(/\+/y) !== null;
      const isString = typeof value === 'string';
      if (!isAdded && !(isString && this.#matches(/[rbuf]{0,2}["']/iy))) return value;
      const next = this.#readTerm();
      if (typeof value === 'string') value += textIn(next);
    }
  }

  #readTerm(): Json {
    this.#skipSpace();
    this.#values += 1;
    if (this.#values > MAX_VALUES || this.#depth >= MAX_DEPTH) return this.#giveUp();
    const string = this.#match(/([rbuf]{0,2})("""|'''|"|')/iy);
    if (string !== null) return this.#readString(string[1] ?? '', string[2] ?? '');
    if (this.#match(/\{/y)) return this.#readDict();
    if (this.#match(/[[(]/y)) return this.#readList(this.#text.charAt(this.at - 1));
    const number = this.#match(/-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/y)?.[0];
    if (number !== undefined) return Number(number.replaceAll('_', ''));
    return this.#readName();
  }

  /**
   * The text of `"Bearer {}".format(key)` and of `"Bearer %s" % key`, so that a key in it is
   * recognised. Unknown values stay as they are. `null`: no format follows.
   */
  #readFormatted(format: string): string | null {
    if (this.#match(/\.\s*format\s*\(/y)) {
      const { positional, named } = this.readArguments();
      let next = 0;
      return this.#filledFormat(format, /\{([^{}]*)\}/g, (field) => {
        const name = /^\w*/.exec(field)?.[0] ?? '';
        if (name === '') return positional[next++];
        return /^\d/.test(name) ? positional[Number(name)] : named.get(name);
      });
    }
    if (this.#match(/%(?!=)/y)) {
      this.#skipSpace();
      const value = this.#readTerm();
      const values = Array.isArray(value) ? value : [value];
      let next = 0;
      return this.#filledFormat(format, /%(?:\((\w+)\))?[\d.\-+ #]*[a-z]/gi, (name) =>
        name === '' ? values[next++] : objectIn(value)[name],
      );
    }
    return null;
  }

  #filledFormat(
    format: string,
    field: RegExp,
    valueOf: (name: string) => Json | undefined,
  ): string {
    // Repeated formatting must not take longer.
    this.#used += format.length;
    if (this.#used > MAX_USED) return format;
    return format.replace(field, (whole: string, name: string | undefined) => {
      const value = valueOf(name ?? '');
      if (value === undefined || value === null || typeof value === 'object') return whole;
      const text = String(value);
      this.#used += text.length;
      return this.#used > MAX_USED ? whole : text;
    });
  }

  #readString(prefix: string, quote: string): string {
    const start = this.at;
    let end = start;
    while (end < this.#text.length && !this.#text.startsWith(quote, end)) {
      end += this.#text.charAt(end) === '\\' ? 2 : 1;
    }
    this.at = Math.min(this.#text.length, end + quote.length);
    const raw = this.#text.slice(start, end);
    const value = /r/i.test(prefix) ? raw : unescaped(raw);
    return /f/i.test(prefix) ? this.#filled(value) : value;
  }

  /** Fills in an f-string: `{key}` becomes the variable's value, if known. */
  #filled(text: string): string {
    return text.replace(/\{([^{}]*)\}/g, (_, expression: string) => {
      const name = expression.trim();
      const value = this.#variable(name);
      const isText = typeof value === 'string' || typeof value === 'number';
      return isText ? String(value) : `{${/[A-Za-z_]\w*/.exec(name)?.[0] ?? 'id'}}`;
    });
  }

  #readDict(): Json {
    const entries: [string, Json][] = [];
    this.#readItems('}', () => {
      if (this.#match(/\*\*/y)) {
        entries.push(...Object.entries(objectIn(this.readValue())));
        return;
      }
      const name = textIn(this.readValue());
      this.#skipSpace();
      if (this.#match(/:/y)) entries.push([name, this.readValue()]);
    });
    return Object.fromEntries(entries);
  }

  #readList(open: string): Json {
    const items: Json[] = [];
    const isSingle = !this.#readItems(open === '[' ? ']' : ')', () => items.push(this.readValue()));
    return open === '(' && isSingle && items.length === 1 ? (items[0] ?? null) : items;
  }

  /** A variable; a key from the environment; the argument of `json.dumps`, as text. */
  #readName(): Json {
    const name = this.#match(/[A-Za-z_](?:(?!\.format\s*\()[\w.])*/y)?.[0];
    if (name === undefined) return this.#giveUp();
    if (/^(?:os\.)?(?:environ|environ\.get|getenv)$/.test(name) && this.#match(/\s*[[(]/y)) {
      const isCall = this.#text.charAt(this.at - 1) === '(';
      const values: Json[] = [];
      this.#readItems(isCall ? ')' : ']', () => values.push(this.readValue()));
      return `$${textIn(values[0])}`;
    }
    if (/(?:^|\.)dumps$/.test(name) && this.#match(/\s*\(/y)) {
      const { positional } = this.readArguments();
      const json = JSON.stringify(positional[0] ?? null);
      return json.length > MAX_USED ? `<${name}>` : json;
    }
    if (/(?:^|\.)HTTPBasicAuth$/.test(name) && this.#match(/\s*\(/y)) {
      return this.readArguments().positional;
    }
    const known = CONSTANTS.has(name) ? CONSTANTS.get(name) : this.#variable(name);
    return known === undefined ? `<${name}>` : known;
  }

  /** The value of a variable; `undefined` if it has none, or the limit of characters is reached. */
  #variable(name: string): Json | undefined {
    const known = this.#variables.get(name);
    if (known === undefined) return undefined;
    this.#used += known.size;
    return this.#used > MAX_USED ? undefined : known.value;
  }

  /** @returns whether a comma was read */
  #readItems(close: string, read: () => void): boolean {
    let hasComma = false;
    this.#depth += 1;
    for (;;) {
      this.#skipSpace();
      if (this.at >= this.#text.length || this.#text.charAt(this.at) === close) break;
      const before = this.at;
      read();
      hasComma = this.#skipToNext(close) || hasComma;
      if (this.at === before) break;
    }
    this.#depth -= 1;
    this.at += 1;
    return hasComma;
  }

  /** Skips an expression that is not a literal, up to the comma or bracket that ends it. */
  #skipToNext(close: string): boolean {
    let depth = 0;
    while (this.at < this.#text.length) {
      this.#skipSpace();
      const string = this.#match(/("""|'''|"|')/y);
      if (string !== null) {
        this.#readString('r', string[1] ?? '');
        continue;
      }
      const char = this.#text.charAt(this.at);
      if (depth === 0 && char === close) return false;
      if (depth === 0 && char === ',') {
        this.at += 1;
        return true;
      }
      if (/[[({]/.test(char)) depth += 1;
      if (/[\])}]/.test(char)) {
        if (depth === 0) return false;
        depth -= 1;
      }
      this.at += 1;
    }
    return false;
  }

  #giveUp(): Json {
    if (this.#values > MAX_VALUES || this.#depth >= MAX_DEPTH) this.at = this.#text.length;
    return null;
  }

  #skipSpace(): void {
    this.#match(/(?:\s|\\\n|#[^\n]*)*/y);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  #matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.#text);
  }
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|([^]))/gi,
    (_, byte?: string, code?: string, char = '') => {
      const hex = byte ?? code;
      return hex === undefined
        ? (ESCAPES[String(char)] ?? String(char))
        : String.fromCharCode(Number.parseInt(hex, 16));
    },
  );
}

function isObject(value: Json | undefined): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectIn(value: Json | undefined): Record<string, Json> {
  return isObject(value) ? value : {};
}

function listIn(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function pairsIn(value: Json | undefined): [name: string, value: string][] {
  return Object.entries(objectIn(value)).map(([name, each]) => [name, textIn(each)]);
}

function textIn(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
