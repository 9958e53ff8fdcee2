/** What the completions for bash and zsh have in common. */
import type { CommandEntry } from './command-tree.ts';

export interface OptionPattern {
  /** The command and an option of it that takes a value, by each of its names. */
  readonly pattern: string;
  readonly choices: readonly string[];
}

export function optionPatterns(commands: readonly CommandEntry[]): readonly OptionPattern[] {
  return commands.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ names, choices }) => ({
        pattern: names.map((name) => quoted(`${path} ${name}`)).join('|'),
        choices,
      })),
  );
}

/** A pattern of `case` for every command below the first one. */
export function commandPattern(commands: readonly CommandEntry[]): string {
  return commands
    .slice(1)
    .map(({ path }) => quoted(path))
    .join('|');
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
