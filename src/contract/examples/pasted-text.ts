/**
 * Finds a command that sends a request in a text that was copied from a page, a terminal or a chat,
 * and says in which shell's notation it is written.
 */

/** How a command is quoted: by bash and its kind, by Windows' cmd, or by PowerShell. */
export type Shell = 'posix' | 'cmd' | 'powershell';

export interface PastedCommand {
  /** From the program's name on, to the end of the text. */
  readonly text: string;
  /** The text before it. */
  readonly before: string;
  readonly shell: Shell;
}

/** Characters without width that pages and chats leave in copied text. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  '#34': '"',
  apos: "'",
  '#39': "'",
  lt: '<',
  gt: '>',
  amp: '&',
};

/** Removes invisible characters and, from a text that was copied as HTML, its entities. */
export function cleanPasted(pasted: string): string {
  const text = pasted.replaceAll('\r\n', '\n').replace(INVISIBLE, '').trim();
  if (!/&(?:quot|#34|#39|apos);/.test(text)) return text;
  return text.replace(
    /&(quot|apos|lt|gt|amp|#34|#39);/g,
    (_, name: string) => ENTITIES[name] ?? '',
  );
}

/** What may stand before a command in its line: a prompt, `sudo`, variables, `$(`. */
const BEFORE_COMMAND = new RegExp(
  [
    /^[ \t\u00a0]*/, // the indent
    /(?:(?:[^\s$>%#❯➜»]{1,80}[ \t\u00a0]){0,6}[^\s$>%#❯➜»]{0,80}[$>%#❯»][ \t\u00a0]*)?/, // a prompt
    /(?:➜[ \t]+[^\s=]{1,80}[ \t]+(?:git:\([^\s)]{1,80}\)[ \t]+(?:✗[ \t]+)?)?)?/, // one of zsh
    /(?:[A-Za-z_]\w{0,60}=\$?\([ \t]*)?/, // NAME=$(
    /\$?\(?[ \t]*/,
    /(?:(?:sudo|time|exec|env|command)[ \t\u00a0]+)*/,
    /(?:[A-Za-z_]\w{0,60}=(?:'[^'\n]{0,8000}'|"[^"\n]{0,8000}"|[^\s'"]{0,8000})[ \t\u00a0]+)*$/,
  ]
    .map(({ source }) => source)
    .join(''),
  'u',
);

/**
 * Programs whose commands are read, the most certain first. `http` is also a word: an option, a
 * method or an address follows.
 */
const PROGRAMS = [
  /(?<![\w.-])curl(?:\.exe)?(?=[\s\\^`]|$)(?![ \t]*\*)/i,
  /(?<![\w.-])wget(?:\.exe)?(?=[ \t])/i,
  /(?<![\w.-])(?:https?|xhs?)(?=[ \t]+(?:-|[a-zA-Z]{3,7}[ \t]+[\w:'"$-]+[.:/$]|https?:|['"]https?:|:|localhost|[\w-]+\.[\w.-]+[/:\s]))/,
];

/** A text that another command writes into it; a line of a table begins with a bar. */
const PIPE = /[^\s|][ \t]*\|[ \t]*$/;

/** @returns `null` when no line of the text begins with such a command, or pipes a text into one */
export function commandIn(text: string): PastedCommand | null {
  for (const program of PROGRAMS) {
    const found = commandOf(program, text);
    if (found !== null) return found;
  }
  return null;
}

function commandOf(program: RegExp, text: string): PastedCommand | null {
  let start = 0;
  for (const line of text.split('\n')) {
    const found = program.exec(line);
    const before = line.slice(0, found?.index ?? 0);
    if (found !== null && isBeforeCommand(before)) {
      const at = start + found.index;
      const command = text.slice(at);
      return { text: command, before: text.slice(0, at), shell: shellOf(command, before) };
    }
    start += line.length + 1;
  }
  return null;
}

function isBeforeCommand(before: string): boolean {
  return before.length <= 10_000 && (PIPE.test(before) || BEFORE_COMMAND.test(before));
}

function shellOf(command: string, before: string): Shell {
  if (/\^[ \t]*\n|\^"/.test(command)) return 'cmd';
  if (/`[ \t]*\n|`"/.test(command) || /^[ \t]*PS[ >]/.test(before)) return 'powershell';
  return 'posix';
}

/**
 * A text of cmd without its carets: one before a character means the character, one at the end of
 * a line continues it. Chrome and Firefox write a line end within a text as `^`, line end, line
 * end.
 */
export function withoutCarets(text: string): string {
  return text.replace(
    /\^[ \t]*\n(\n?)|\^([^])/g,
    (_, lineEnd?: string, char?: string) => char ?? (lineEnd === '\n' ? '\n' : ' '),
  );
}
