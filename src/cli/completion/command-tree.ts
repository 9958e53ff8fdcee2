/** The commands and options of a program as plain data, for completion and the manual. */
import type { Argument, Command, Option } from 'commander';

export interface OptionEntry {
  /** As in the help: `--state <states>`. */
  readonly flags: string;
  readonly names: readonly string[];
  /** Whether a value follows. */
  readonly takesValue: boolean;
  /** The possible values; empty where any is. */
  readonly choices: readonly string[];
  readonly description: string;
}

export interface CommandEntry {
  /** With the names of its parents: `spool jobs list`. */
  readonly path: string;
  readonly name: string;
  /** How its arguments are written, such as `<template> [ids...]`. */
  readonly usage: string;
  readonly description: string;
  readonly options: readonly OptionEntry[];
  /** Possible values of its arguments. */
  readonly choices: readonly string[];
  readonly commands: readonly CommandEntry[];
}

/** What a program shows in its help: neither hidden commands nor hidden options. */
export function commandTree(command: Command, parents = ''): CommandEntry {
  const help = command.createHelp();
  const path = `${parents}${parents === '' ? '' : ' '}${command.name()}`;
  const commands = help.visibleCommands(command).filter((each) => each.name() !== 'help');
  return {
    path,
    name: command.name(),
    usage: command.registeredArguments.map(argumentText).join(' '),
    description: command.description(),
    options: help.visibleOptions(command).map(optionEntry),
    choices: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    commands: commands.map((each) => commandTree(each, path)),
  };
}

/** A command and all below it. */
export function allCommands(entry: CommandEntry): readonly CommandEntry[] {
  return [entry, ...entry.commands.flatMap(allCommands)];
}

/** The words that may follow a command, besides its options. */
export function wordsAfter({
  commands,
  choices,
}: CommandEntry): readonly (readonly [string, string])[] {
  return [
    ...commands.map(({ name, description }) => [name, description] as const),
    ...choices.map((choice) => [choice, ''] as const),
  ];
}

function optionEntry({
  flags,
  short,
  long,
  required,
  optional,
  argChoices,
  description,
}: Option): OptionEntry {
  return {
    flags,
    names: [short, long].filter((name) => name !== undefined),
    takesValue: required || optional,
    choices: argChoices ?? [],
    description,
  };
}

function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}
