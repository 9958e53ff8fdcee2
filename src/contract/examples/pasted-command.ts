/** Reads a command with what stands before it: variables, and a text that is piped into it. */
import { asCurl } from './other-commands.ts';
import { commandIn } from './pasted-text.ts';
import { firstCommandIn, type ShellCommand } from './shell-words.ts';

/** In Windows PowerShell, `curl` is another name of `Invoke-WebRequest`. */
const PARAMETER = /^-(?:Uri|Method|Headers|Body|ContentType|UseBasicParsing)$/i;

/**
 * In words of curl.
 * @returns `null` when no line of the text begins with a command, or pipes a text into one
 */
export function pastedCommand(text: string): ShellCommand | null {
  const found = commandIn(text);
  if (found === null) return null;
  const { before, shell } = found;
  const piped = /\|[ \t]*$/.test(before) ? pipedText(before) : null;
  const [, document] = /^cat[ \t]*(<<\S+|<<-?[ \t]*'[^'\n]*')[ \t]*\|/.exec(piped ?? '') ?? [];
  const command =
    document === undefined ? found.text : found.text.replace(/^\S+/, `$& ${document} `);
  const { words, input } = firstCommandIn(command, shell);
  if (words.some((word) => PARAMETER.test(word))) return null;
  return asCurl({
    words: withVariables(words, before),
    input: input ?? (piped === null ? null : outputOf(firstCommandIn(piped, shell))),
  });
}

/** The command whose output is piped into the next one, from its name on. */
function pipedText(before: string): string | null {
  const start = /(?:^|[\s$>%])(?=(?:echo|printf|cat)[ \t])/g;
  const last = [...before.matchAll(start)].at(-1);
  return last === undefined ? null : before.slice(last.index + last[0].length);
}

/** What `echo`, `printf` or `cat` writes; for a file, `@` and its name, as curl takes it. */
function outputOf({ words }: ShellCommand): string {
  const [name, ...others] = words;
  const last = others.at(-1) ?? '';
  return name === 'cat' ? `@${last}` : last;
}

const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w{0,60})=(?:'([^']*)'|"((?:[^"\\]|\\[^])*)"|([^\s'"]+))/gm;

/** `NAME=$(cat <<EOF` */
const DOCUMENT =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w{0,60})="?\$\(cat[ \t]*<<-?[ \t]*["']?(\w{1,60})["']?[ \t]*\n/gm;

/** The lines of here-documents, by the variables that they are assigned to. */
function documentsIn(text: string): (readonly [name: string, lines: string])[] {
  const documents: (readonly [string, string])[] = [];
  let end = 0;
  for (const { 0: head, 1: name = '', 2: mark = '', index } of text.matchAll(DOCUMENT)) {
    if (index < end) continue;
    const start = index + head.length;
    end = text.indexOf(`\n${mark}\n`, start);
    if (end === -1) break;
    documents.push([name, text.slice(start, end).trim()]);
  }
  return documents;
}

/** Characters of values: a text may name a long variable any number of times. */
const MAX_ADDED = 256 * 1024;

/** Words with the values of variables that are addresses or JSON; keys stay variables. */
function withVariables(words: readonly string[], before: string): readonly string[] {
  const values = new Map<string, string>();
  for (const [, name = '', verbatim, quoted, bare] of before.matchAll(ASSIGNMENT)) {
    const value = verbatim ?? quoted?.replace(/\\([$`"\\])/g, '$1') ?? bare ?? '';
    if (/^\s*(?:[{[]|https?:\/\/)/i.test(value)) values.set(name, value.trim());
  }
  for (const [name, lines] of documentsIn(before)) {
    if (/^[{[]/.test(lines)) values.set(name, lines);
  }
  if (values.size === 0) return words;
  let left = MAX_ADDED;
  return words.map((word) =>
    word.replace(/\$\{(\w+)\}|\$(\w+)/g, (whole, braced?: string, plain?: string) => {
      const value = values.get(braced ?? plain ?? '');
      if (value === undefined || value.length > left) return whole;
      left -= value.length;
      return value;
    }),
  );
}
