/** `spool completion` and `spool man`: what shells and readers know of the commands, made from them. */
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { bashCompletion } from '../completion/bash.ts';
import { commandTree, type CommandEntry } from '../completion/command-tree.ts';
import { fishCompletion } from '../completion/fish.ts';
import { manPage } from '../completion/man-page.ts';
import { powershellCompletion } from '../completion/powershell.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { packageVersion } from '../version.ts';
import { writeEvent } from '../write-event.ts';

const SCRIPTS = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
} as const satisfies Readonly<Record<string, (root: CommandEntry) => string>>;

export type Shell = keyof typeof SCRIPTS;

export interface DocumentOptions {
  readonly json?: boolean;
}

export function printCompletion(
  shell: Shell,
  program: Command,
  options: DocumentOptions,
  context: CommandContext,
): ExitCode {
  return printDocument(SCRIPTS[shell](commandTree(program)), options, context);
}

export function printManual(
  program: Command,
  options: DocumentOptions,
  context: CommandContext,
): ExitCode {
  return printDocument(manPage(commandTree(program), packageVersion()), options, context);
}

function printDocument(text: string, { json }: DocumentOptions, context: CommandContext): ExitCode {
  if (json) writeEvent(context, { event: 'document', text });
  else context.stdout.write(text);
  return EXIT.allSaved;
}
