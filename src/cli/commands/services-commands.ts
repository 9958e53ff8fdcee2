import { Option, type Command } from 'commander';
import type { RemovedRows } from '../../contract/managed-service.ts';
import type { CommandAction } from '../command-action.ts';
import { dataDirOption, parseService, withAccountOptions } from '../options.ts';
import { parseLabel } from './key-commands.ts';
import type { AddServiceOptions, RemoveServiceOptions, ServicesOptions } from './services.ts';

/** Adds the commands for the services of the queue. */
export function addServicesCommands(program: Command, action: CommandAction): void {
  const services = program
    .command('services')
    .description('List, add, rename and remove the services of the queue.');
  const add = (name: string, description: string): Command =>
    services
      .command(name)
      .description(description)
      .option('--json', 'print one JSON object per line')
      .addOption(dataDirOption());

  add('list', 'List the services with their videos.').action(
    action(async (context, options: ServicesOptions) =>
      (await import('./services.ts')).listServices(options, context),
    ),
  );
  withAccountOptions(
    add('add', 'Check a service and a key, then save both and render new videos there.')
      .argument('<name|URL>', 'a built-in service’s name, or an address', parseService)
      .option('--label <text>', 'a label to tell the key apart from other keys', parseLabel)
      .option(
        '--save-anyway',
        'save the service although a check failed, unless the key was refused',
      ),
  ).action(
    action(async (context, service: string, options: AddServiceOptions) =>
      (await import('./services.ts')).addService(service, options, context),
    ),
  );
  add('rename', 'Rename a service. Without a name, restore its own.')
    .argument('<service>', 'its name, host or address')
    .argument('[name]')
    .action(
      action(async (context, service: string, name: string | undefined, options: ServicesOptions) =>
        (await import('./services.ts')).renameService(service, name ?? null, options, context),
      ),
    );
  add('remove', 'Remove a service with its key. Its unsent videos are cancelled.')
    .argument('<service>', 'its name, host or address')
    .addOption(
      new Option('--rows <what>', 'keep its videos in the archive, or remove them')
        .choices(['archive', 'remove'] satisfies RemovedRows[])
        .default('archive'),
    )
    .option('--yes', 'remove it without asking')
    .action(
      action(async (context, service: string, options: RemoveServiceOptions) =>
        (await import('./services.ts')).removeService(service, options, context),
      ),
    );
}
