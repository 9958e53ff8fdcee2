/** Reads JSON text without building it: where it breaks off, how large it is, and its keys. */
import { MAX_BATCH_CELLS, MAX_BATCH_ROWS } from '../../../contract/batch-limits.ts';
import type { Excess } from '../table-size.ts';

export interface JsonScan {
  /** Where the first error is; `null` if the text is one JSON value. */
  readonly errorAt: number | null;
  readonly excess: Excess | null;
  /** Where the elements of a list begin or, without a list, the one value. */
  readonly starts: readonly number[];
  /** How many keys the objects among them have, repeated ones included. */
  readonly keyCounts: readonly number[];
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** What may come next. */
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end';

export function scanJson(text: string): JsonScan {
  const open: ('[' | '{')[] = [];
  const starts: number[] = [];
  const keyCounts: number[] = [];
  const isList = text.trimStart().startsWith('[');
  const entryDepth = isList ? 1 : 0;
  let expected: Expected = 'value';
  let values = 0;
  let at = 0;
  const result = (errorAt: number | null, excess: Excess | null = null): JsonScan => ({
    errorAt,
    excess,
    starts,
    keyCounts,
  });
  for (;;) {
    at = afterSpace(text, at);
    const character = text[at];
    if (character === undefined) {
      return result(open.length === 0 && expected === 'comma-or-end' ? null : text.length);
    }
    const isValueExpected = expected === 'value' || expected === 'value-or-end';
    const isKeyExpected = expected === 'key' || expected === 'key-or-end';
    if (isValueExpected && character !== ']') {
      if (open.length === entryDepth) {
        starts.push(at);
        keyCounts.push(0);
        if (starts.length > MAX_BATCH_ROWS) return result(null, 'rows');
      }
      values += 1;
      if (values > MAX_BATCH_CELLS) return result(null, 'cells');
      if (character === '[' || character === '{') {
        open.push(character);
        expected = character === '[' ? 'value-or-end' : 'key-or-end';
        at += 1;
        continue;
      }
      const end = character === '"' ? stringEnd(text, at) : wordEnd(text, at);
      if (end.error !== null) return result(end.error);
      at = end.at;
      expected = 'comma-or-end';
    } else if (isKeyExpected && character === '"') {
      const end = stringEnd(text, at);
      if (end.error !== null) return result(end.error);
      if (open.length === entryDepth + 1) {
        keyCounts[keyCounts.length - 1] = (keyCounts.at(-1) ?? 0) + 1;
      }
      at = end.at;
      expected = 'colon';
    } else if (expected === 'colon' && character === ':') {
      at += 1;
      expected = 'value';
    } else if (expected === 'comma-or-end' && character === ',' && open.length > 0) {
      at += 1;
      expected = open.at(-1) === '[' ? 'value' : 'key';
    } else if (isEnd(character, open.at(-1), expected)) {
      open.pop();
      at += 1;
      expected = 'comma-or-end';
    } else return result(at);
  }
}

/** The keys of an object with the source texts of their values, in order. */
export function sourcesOfKeys(text: string, start: number): readonly (readonly [string, string])[] {
  const sources: (readonly [string, string])[] = [];
  let at = afterSpace(text, start + 1);
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at).at;
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    const valueStart = afterSpace(text, afterSpace(text, keyEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    sources.push([key, text.slice(valueStart, valueEnd).trim()]);
    at = afterSpace(text, valueEnd + 1);
  }
  return sources;
}

/** Line and column of a place in a text, from 1, as an editor shows them. */
export function placeIn(
  text: string,
  at: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function isEnd(character: string, open: '[' | '{' | undefined, expected: Expected): boolean {
  if (expected === 'value-or-end' || (expected === 'comma-or-end' && open === '[')) {
    return character === ']';
  }
  return (
    character === '}' && open === '{' && (expected === 'key-or-end' || expected === 'comma-or-end')
  );
}

/** The separator or bracket after a value. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = stringEnd(text, at).at - 1;
    else if (character === '[' || character === '{') depth += 1;
    else if (depth === 0 && (character === ',' || character === '}' || character === ']'))
      return at;
    else if (character === ']' || character === '}') depth -= 1;
  }
  return text.length;
}

interface End {
  readonly at: number;
  readonly error: number | null;
}

function stringEnd(text: string, start: number): End {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return { at: at + 1, error: null };
    if (code < 0x20) return { at, error: at };
    if (code !== BACKSLASH) continue;
    const escape = text[at + 1] ?? '';
    if (escape === 'u' && /^[\da-f]{4}$/i.test(text.slice(at + 2, at + 6))) at += 5;
    else if (escape !== '' && '"\\/bfnrt'.includes(escape)) at += 1;
    else return { at, error: at };
  }
  return { at: text.length, error: text.length };
}

function wordEnd(text: string, start: number): End {
  for (const token of [NUMBER, WORD]) {
    token.lastIndex = start;
    const found = token.exec(text);
    if (found) return { at: token.lastIndex, error: null };
  }
  return { at: start, error: start };
}

function afterSpace(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}
