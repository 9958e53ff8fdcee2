import { parseAnswer } from './json-answer.ts';

/** Characters; longer texts are cut. A few answers are enough to learn from. */
const MAX_PASTE = 128 * 1024;

/** More answers than any service has words. */
const MAX_ANSWERS = 50;

/** Brackets looked behind in vain before the text is given up. */
const MAX_FAILURES = 20;

/**
 * The JSON answers in a text that somebody copied from documentation, a terminal or a log: one or
 * several after another, with whatever stands around them (a request line, headers, remarks).
 */
export function answersIn(text: string): unknown[] {
  const pasted = text.slice(0, MAX_PASTE);
  const whole = parseAnswer(pasted);
  if (isStructure(whole)) return [whole];
  const answers: unknown[] = [];
  let from = 0;
  let failures = 0;
  while (answers.length < MAX_ANSWERS && failures < MAX_FAILURES) {
    const found = pasted.slice(from).search(/[{[]/);
    if (found === -1) break;
    const start = from + found;
    const end = endOfStructure(pasted, start);
    const answer = end === null ? undefined : parseAnswer(pasted.slice(start, end));
    if (end !== null && isStructure(answer)) {
      answers.push(answer);
      from = end;
    } else {
      // What only looks like JSON may have some in it: a remark in brackets, a line of a log.
      failures += 1;
      from = start + 1;
    }
  }
  return answers;
}

/** Where the object or list that begins at `start` ends; `null` when it never does. */
function endOfStructure(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index++;
      else if (char === '"') inString = false;
    } else if (char === '"') {
      inString = true;
    } else if (char === '{' || char === '[') {
      depth++;
    } else if (char === '}' || char === ']') {
      depth--;
      if (depth === 0) return index + 1;
    }
  }
  return null;
}

function isStructure(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
