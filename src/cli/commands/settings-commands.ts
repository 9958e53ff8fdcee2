import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { dataDirOption } from '../settings.ts';
import { exportSettings, importSettings, type ImportOptions } from './transfer-settings.ts';

/** The app's settings as a file. */
export function addSettingsCommands(
  program: Command,
  context: CommandContext,
  end: (exitCode: number) => void,
): void {
  const settings = program.command('settings').description('the settings, as a file');
  settings
    .command('export')
    .description('write all settings but the API key')
    .option('--out <file>', 'a new file; standard output when left out')
    .addOption(dataDirOption())
    .action(async (options: { readonly dataDir: string; readonly out?: string }) => {
      end(await exportSettings(options, context));
    });
  settings
    .command('import <file>')
    .description('show what a file would change, ask, and change it')
    .option('--yes', 'change it without asking')
    .option('--json', 'one JSON object a line on standard output')
    .addOption(dataDirOption())
    .action(async (file: string, options: ImportOptions) => {
      end(await importSettings(file, options, context));
    });
}
