import { InvalidArgumentError, type Command } from 'commander';
import { MAX_LABEL, isNoKey } from '../../contract/key-text.ts';
import { hasInvisible } from '../../contract/visible-text.ts';
import type { CommandAction } from '../command-action.ts';
import { dataDirOption, parseService } from '../options.ts';
import type { KeyOptions } from './key.ts';

/** Adds the commands for the key. None of them shows it. */
export function addKeyCommands(program: Command, action: CommandAction): void {
  const key = program.command('key').description('Manage the API key in the system’s keychain.');
  const commands = [
    ['set', 'Save a key, typed without echo or read from standard input.', 'setKey'],
    ['status', 'Show which key is saved.', 'showKey'],
    ['forget', 'Remove the key.', 'forgetKey'],
  ] as const;
  for (const [name, description, act] of commands) {
    const command = key
      .command(name)
      .description(description)
      .requiredOption('--service <name|URL>', 'the service the key is for', parseService)
      .option('--json', 'print one JSON object per line')
      .addOption(dataDirOption())
      .action(
        action(async (context, options: KeyOptions) =>
          (await import('./key.ts'))[act](options, context),
        ),
      );
    if (name === 'set')
      command.option('--label <text>', 'a label to tell it apart from other keys', parseLabel);
  }
}

export function parseLabel(text: string): string {
  const label = text.trim();
  const isLine = label !== '' && label.length <= MAX_LABEL && !hasInvisible(label);
  if (isLine && isNoKey(label)) return label;
  throw new InvalidArgumentError('A label is one line of 1 to 60 characters, and not a key.');
}
