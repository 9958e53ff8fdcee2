import type { Command } from 'commander';
import type { CommandAction } from '../command-action.ts';
import { dataDirOption } from '../options.ts';
import type { ImportOptions } from './transfer-settings.ts';

/** Adds the commands that export and import the app's settings. */
export function addSettingsCommands(program: Command, action: CommandAction): void {
  const settings = program.command('settings').description('Export and import the settings.');
  settings
    .command('export')
    .description('Write all settings except the API key to a file.')
    .option('--out <file>', 'write to a new file instead of standard output')
    .option('--json', 'print the document on one line')
    .addOption(dataDirOption())
    .action(
      action(
        async (
          context,
          options: {
            readonly dataDir: string;
            readonly out?: string;
            readonly json?: boolean;
          },
        ) => (await import('./transfer-settings.ts')).exportSettings(options, context),
      ),
    );
  settings
    .command('import <file>')
    .description('Show what a file would change, then apply it.')
    .option('--yes', 'apply without asking')
    .option('--json', 'print one JSON object per line')
    .addOption(dataDirOption())
    .action(
      action(async (context, file: string, options: ImportOptions) =>
        (await import('./transfer-settings.ts')).importSettings(file, options, context),
      ),
    );
}
