/** The manual page of all commands, in the format of man(7). */
import { allCommands, type CommandEntry, type OptionEntry } from './command-tree.ts';

/** What the exit codes mean (`exit-codes.ts`). */
const EXIT_CODES = [
  [0, 'All videos are saved, or the command did what it says.'],
  [1, 'Some videos failed, or some changes were refused.'],
  [2, 'The command was written wrongly.'],
  [3, 'The service refused the key, or there is none.'],
  [4, 'The quota is used up.'],
  [5, 'Something needs a decision: see spool jobs resolve.'],
  [6, 'The data folder was lost.'],
  [7, 'The output could not be written.'],
  [130, 'Interrupted; everything is kept.'],
  [143, 'Terminated; everything is kept.'],
] as const;

const ENVIRONMENT = [
  ['SPOOL_DATA_DIR', 'The data folder, as --data-dir.'],
  ['SPOOL_API_KEY', 'The key of the service for this run. It is read once and removed.'],
  ['SPOOL_LOG', 'As --log-level.'],
] as const;

export function manPage(root: CommandEntry, version: string): string {
  const commands = allCommands(root).slice(1);
  return [
    `.TH SPOOL 1 "" ${quoted(`Spool ${version}`)} "User commands"`,
    '.SH NAME',
    text(`${root.name} \\- renders videos in batches`, true),
    '.SH SYNOPSIS',
    `.B ${root.name}`,
    '.I command',
    '[options]',
    '.SH DESCRIPTION',
    text(root.description),
    '.SH COMMANDS',
    ...commands.filter(({ commands: below }) => below.length === 0).flatMap(commandLines),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, text(meaning)]),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([name, meaning]) => ['.TP', `.B ${text(name)}`, text(meaning)]),
    '',
  ].join('\n');
}

function commandLines({ path, usage, description, options }: CommandEntry): string[] {
  return [
    `.SS ${quoted(`${path}${usage === '' ? '' : ` ${usage}`}`)}`,
    text(description),
    ...options.flatMap(optionLines),
  ];
}

function optionLines({ flags, description, choices }: OptionEntry): string[] {
  const among = choices.length === 0 ? '' : ` (${choices.join(', ')})`;
  return ['.TP', `.B ${text(flags)}`, text(`${description}${among}`)];
}

/** Escapes what troff would interpret; a line must not begin with a control character. */
function text(words: string, hasEscapes = false): string {
  const escaped = (
    hasEscapes ? words : words.replaceAll('\\', '\\e').replaceAll('-', '\\-')
  ).replaceAll(/[^\u0020-\u007E]/gu, (letter) => `\\[u${codeOf(letter)}]`);
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

function quoted(words: string): string {
  return `"${text(words).replaceAll('"', '""')}"`;
}

/** As troff names characters outside ASCII: at least four hexadecimal digits. */
function codeOf(letter: string): string {
  return (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
