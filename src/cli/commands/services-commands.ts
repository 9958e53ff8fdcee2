import { Option, type Command } from 'commander';
import { removedRowsSchema } from '../../contract/managed-service.ts';
import type { CommandContext } from '../command-context.ts';
import { dataDirOption, parseService, withAccountOptions } from '../options.ts';
import { parseLabel } from './key-commands.ts';
import type { AddServiceOptions, RemoveServiceOptions, ServicesOptions } from './services.ts';

/** Adds the commands for the services of the queue. */
export function addServicesCommands(
  program: Command,
  context: CommandContext,
  setExitCode: (exitCode: number) => void,
): void {
  const services = program
    .command('services')
    .description('List, add, rename and remove the services of the queue.');
  const add = (name: string, description: string): Command =>
    services
      .command(name)
      .description(description)
      .option('--json', 'print one JSON object per line')
      .addOption(dataDirOption());

  add('list', 'List the services with their videos.').action(async (options: ServicesOptions) => {
    const { listServices } = await import('./services.ts');
    setExitCode(await listServices(options, context));
  });
  withAccountOptions(
    add('add', 'Check a service and a key, then save both and render new videos there.')
      .argument('<name|URL>', 'a built-in service’s name, or an address', parseService)
      .option('--label <text>', 'a label to tell the key apart from other keys', parseLabel)
      .option(
        '--save-anyway',
        'save the service although a check failed, unless the key was refused',
      ),
  ).action(async (service: string, options: AddServiceOptions) => {
    const { addService } = await import('./services.ts');
    setExitCode(await addService(service, options, context));
  });
  add('rename', 'Rename a service. Without a name, restore its own.')
    .argument('<service>', 'its name, host or address')
    .argument('[name]')
    .action(async (service: string, name: string | undefined, options: ServicesOptions) => {
      const { renameService } = await import('./services.ts');
      setExitCode(await renameService(service, name ?? null, options, context));
    });
  add('remove', 'Remove a service with its key. Its unsent videos are cancelled.')
    .argument('<service>', 'its name, host or address')
    .addOption(
      new Option('--rows <what>', 'keep its videos in the archive, or remove them')
        .choices(removedRowsSchema.options)
        .default('archive'),
    )
    .option('--yes', 'remove it without asking')
    .action(async (service: string, options: RemoveServiceOptions) => {
      const { removeService } = await import('./services.ts');
      setExitCode(await removeService(service, options, context));
    });
}
