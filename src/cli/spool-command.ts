import { Command, type ErrorOptions } from 'commander';

/** Shorter beginnings match too many names. */
const MIN_TYPED_LENGTH = 4;

/** Commander's sentences, and ours. An option is named as it is typed, without its value. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^option '(--[\w-]+)[^']*' argument '([^]*)' is invalid\. /, '$1 cannot be “$2”. '],
  [
    /^command-argument value '([^]*)' is invalid for argument '([\w-]+)'\. /,
    '<$2> cannot be “$1”. ',
  ],
  [/Allowed choices are /, 'Choose one of '],
  [/^option '(--[\w-]+)[^']*' argument missing$/, '$1 needs a value.'],
  [
    /^option '(--[\w-]+)[^']*' cannot be used with option '(--[\w-]+)[^']*'$/,
    'Use $1 or $2, not both.',
  ],
  [/^required option '(--[\w-]+)[^']*' not specified$/, '$1 is missing.'],
  [/^missing required argument '([\w-]+)'$/, '<$1> is missing.'],
  [/^too many arguments[^]*$/, 'There is an argument too many.'],
  [/^unknown option '([^]*?)'(?=\n\(|$)/, 'There is no option $1.'],
  [/^unknown command '([^]*?)'(?=\n\(|$)/, 'There is no command “$1”.'],
];

/**
 * A command whose errors are sentences for people. It suggests the whole name where only its
 * beginning was typed, as in `--data` for `--data-dir`: Commander suggests only names that differ by
 * a few letters.
 */
export class SpoolCommand extends Command {
  override createCommand(name?: string): Command {
    return new SpoolCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    let words = message.replace(/^error: /, '');
    for (const [theirs, ours] of SENTENCES) words = words.replace(theirs, ours);
    return super.error(words + this.#suggestion(message, options?.code), options);
  }

  #suggestion(message: string, code: string | undefined): string {
    const [, typed = ''] = /'([^'=]+)/.exec(message) ?? [];
    if (message.includes('Did you mean') || typed.length < MIN_TYPED_LENGTH) return '';
    const meant = this.#names(code).filter((name) => name.startsWith(typed));
    if (meant.length === 0) return '';
    return `\n(Did you mean ${meant.length === 1 ? '' : 'one of '}${meant.join(', ')}?)`;
  }

  #names(code: string | undefined): readonly string[] {
    const help = this.createHelp();
    switch (code) {
      case 'commander.unknownOption':
        return help.visibleOptions(this).flatMap(({ long }) => long ?? []);
      case 'commander.unknownCommand':
        return help.visibleCommands(this).map((command) => command.name());
      default:
        return [];
    }
  }
}
