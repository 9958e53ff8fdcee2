import { Argument, Option, type Command } from 'commander';
import { COST_GROUPS } from '../../contract/cost-groups.ts';
import type { CommandAction } from '../command-action.ts';
import {
  dataDirOption,
  parseHostAndPort,
  parsePort,
  serviceOption,
  withQueueOptions,
  type QueueOptions,
} from '../options.ts';
import { addBatchCommands } from './batch-commands.ts';
import { addJobsCommands, addQueueCommands } from './jobs/jobs-commands.ts';
import type { CostOptions } from './cost.ts';
import type { DocumentOptions, Shell } from './completion.ts';
import type { DoctorOptions } from './doctor.ts';
import type { DownloadOptions } from './download.ts';
import { addKeyCommands } from './key-commands.ts';
import type { ServeOptions } from './serve.ts';
import { addServiceProfileCommands } from './service-profile-commands.ts';
import { addServicesCommands } from './services-commands.ts';
import { addSettingsCommands } from './settings-commands.ts';

/** Adds every command with its options, in the order in which the help lists them. */
export function addCommands(program: Command, action: CommandAction): void {
  addBatchCommands(program, action);
  addJobsCommands(program, action);
  addQueueCommands(program, action);
  addCostCommand(program, action);
  addAppCommands(program, action);
  addKeyCommands(program, action);
  addSettingsCommands(program, action);
  addServicesCommands(program, action);
  addServiceProfileCommands(program, action);
  addDownloadCommand(program, action);
  addDoctorCommand(program, action);
  addDocumentCommands(program, action);
  addServiceCommand(program, action);
}

function addCostCommand(program: Command, action: CommandAction): void {
  program
    .command('cost')
    .description('Show what videos have cost, by week, month, batch or service.')
    .addOption(new Option('--by <group>', 'what to sum by').choices(COST_GROUPS).default('month'))
    .option('--csv', 'print a table that is safe to open in a spreadsheet')
    .option('--out <file>', 'write that table to a new file')
    .addOption(new Option('--json', 'print one JSON object per line').conflicts(['csv', 'out']))
    .addOption(dataDirOption())
    .addOption(serviceOption())
    .action(
      action(async (context, options: CostOptions) =>
        (await import('./cost.ts')).showCost(options, context),
      ),
    );
}

function addAppCommands(program: Command, action: CommandAction): void {
  withQueueOptions(program.command('web'))
    .description('Serve the app to a browser on this computer only.')
    .option('--port <number>', 'port; any free one by default', parsePort)
    .option('--json', 'print one JSON object per line')
    // For `npm run dev`, which serves the page from its sources.
    .addOption(new Option('--without-page').hideHelp())
    .action(
      action(async (context, options: ServeOptions) =>
        (await import('./serve.ts')).serveInBrowser(options, context),
      ),
    );
  withQueueOptions(program.command('app'))
    .description('Start the app, in Electron if it is installed, otherwise in the browser.')
    .option('--json', 'print one JSON object per line')
    .action(
      action(async (context, options: QueueOptions & DocumentOptions) =>
        (await import('./start.ts')).startApp(options, context),
      ),
    );
}

function addDownloadCommand(program: Command, action: CommandAction): void {
  program
    .command('download <link>')
    .description('Download one video by its link. The file appears once it is complete.')
    .requiredOption('--out <file>', 'file to write')
    .option('--allow-host <host:port>', 'allow a private address', parseHostAndPort)
    .option('--ca <file>', 'certificate authority (PEM) to trust for that host only')
    .option('--allow-vpn-addresses', 'allow addresses of VPNs and some mobile networks')
    .option('--json', 'print one JSON object per line')
    .action(
      action(async (context, link: string, options: DownloadOptions) =>
        (await import('./download.ts')).downloadLink(link, options, context),
      ),
    );
}

function addDoctorCommand(program: Command, action: CommandAction): void {
  withQueueOptions(program.command('doctor'))
    .description('Check the keychain, disk, service and saved files.')
    .option(
      '--fix',
      'download missing or damaged files again without rendering; repair the database',
    )
    .option('--batch <name|id>', 'check the files of one batch only')
    .option('--no-files', 'skip the saved files')
    .option('--json', 'print one JSON object per line')
    .action(
      action(async (context, options: DoctorOptions) =>
        (await import('./doctor.ts')).doctor(options, context),
      ),
    );
}

function addDocumentCommands(program: Command, action: CommandAction): void {
  program
    .command('completion')
    .addArgument(
      new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish', 'powershell']),
    )
    .description('Print what completes commands in your shell.')
    .option('--json', 'print one JSON object per line')
    .action(
      action(async (context, shell: Shell, options: DocumentOptions) =>
        (await import('./completion.ts')).printCompletion(shell, program, options, context),
      ),
    );
  program
    .command('man')
    .description('Print the manual page: spool man | man -l -')
    .option('--json', 'print one JSON object per line')
    .action(
      action(async (context, options: DocumentOptions) =>
        (await import('./completion.ts')).printManual(program, options, context),
      ),
    );
}

/** The service's own command line, which prints JSON. */
function addServiceCommand(program: Command, action: CommandAction): void {
  program
    .command('service')
    .description(
      'Run the local service: start, work, migrate, account add, key create, key revoke, quota set.',
    )
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .argument('[arguments...]')
    .action(
      action(async (context, args: string[]) =>
        (await import('./service.ts')).runServiceProgram(args, context),
      ),
    );
}
