import { Command, type ErrorOptions } from 'commander';

/** Shorter beginnings match too many names. */
const MIN_TYPED_LENGTH = 4;

/**
 * A command that suggests the whole name where only its beginning was typed, as in `--data` for
 * `--data-dir`. Commander suggests only names that differ by a few letters.
 */
export class SpoolCommand extends Command {
  override createCommand(name?: string): Command {
    return new SpoolCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    return super.error(message + this.#suggestion(message, options?.code), options);
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
