import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { dataDirOption } from '../options.ts';
import type { ImportOptions } from './transfer-settings.ts';

/** Adds the commands that export and import the app's settings. */
export function addSettingsCommands(
  program: Command,
  context: CommandContext,
  setExitCode: (exitCode: number) => void,
): void {
  const settings = program.command('settings').description('Export and import the settings.');
  settings
    .command('export')
    .description('Write all settings except the API key to a file.')
    .option('--out <file>', 'write to a new file instead of standard output')
    .option('--json', 'print the document on one line')
    .addOption(dataDirOption())
    .action(
      async (options: {
        readonly dataDir: string;
        readonly out?: string;
        readonly json?: boolean;
      }) => {
        const { exportSettings } = await import('./transfer-settings.ts');
        setExitCode(await exportSettings(options, context));
      },
    );
  settings
    .command('import <file>')
    .description('Show what a file would change, then apply it.')
    .option('--yes', 'apply without asking')
    .option('--json', 'print one JSON object per line')
    .addOption(dataDirOption())
    .action(async (file: string, options: ImportOptions) => {
      const { importSettings } = await import('./transfer-settings.ts');
      setExitCode(await importSettings(file, options, context));
    });
}
