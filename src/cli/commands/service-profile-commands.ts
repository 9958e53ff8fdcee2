import type { Command } from 'commander';
import type { CommandAction } from '../command-action.ts';
import { dataDirOption, parseRemote } from '../options.ts';
import type { CheckOptions, ListOptions } from './service-profile.ts';

/** Adds the commands for service profiles. */
export function addServiceProfileCommands(program: Command, action: CommandAction): void {
  const profiles = program
    .command('service-profile')
    .description('List the built-in services, and check a profile for another one.');
  profiles
    .command('list')
    .description('List services with their costs, limits and whether they were tested.')
    .option('--json', 'print one JSON object per line')
    .action(
      action(async (context, options: ListOptions) =>
        (await import('./service-profile.ts')).listProfiles(options, context),
      ),
    );
  profiles
    .command('show <name>')
    .description('Print a built-in profile as JSON, to adapt it.')
    .option('--json', 'print the profile on one line')
    .action(
      action(async (context, name: string, options: ListOptions) =>
        (await import('./service-profile.ts')).showProfile(name, options, context),
      ),
    );
  profiles
    .command('check <file|name>')
    .description('Validate a profile, and show where the key and the rows would go.')
    .option('--examples <file>', 'responses of the service to read with the profile')
    .option('--with-key', 'make one free request with the key from the keychain or SPOOL_API_KEY')
    .option('--service <URL>', 'the service’s address, if the profile has none', parseRemote)
    .option('--ca <file>', 'certificate authority (PEM) to trust for the service only')
    .option('--json', 'print one JSON object per line')
    .addOption(dataDirOption())
    .action(
      action(async (context, file: string, options: CheckOptions) =>
        (await import('./service-profile.ts')).checkProfileFile(file, options, context),
      ),
    );
}
