import { parseExactly } from '../json.ts';

/** Deeper than any honest answer; far from what makes a recursive reader run out of stack. */
const DEEPEST = 64;

/**
 * JSON from the network; `undefined` when it is not JSON or is nested more than 64 deep. The mark
 * that some servers put before UTF-8 is no part of it (RFC 8259 §8.1).
 */
export function parseAnswer(withMark: string): unknown {
  const text = withMark.replace(/^\ufeff/, '');
  if (isTooDeep(text)) return undefined;
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

/** Counts open brackets outside of strings, before any parser has built anything. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (inString) {
      if (char === 0x5c /* \ */) index++;
      else if (char === 0x22 /* " */) inString = false;
    } else if (char === 0x22) {
      inString = true;
    } else if (char === 0x5b /* [ */ || char === 0x7b /* { */) {
      if (++depth > DEEPEST) return true;
    } else if (char === 0x5d /* ] */ || char === 0x7d /* } */) {
      depth--;
    }
  }
  return false;
}

/** The value at a path of an `AnswerRules`; `undefined` when there is none. Own properties only. */
export function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
