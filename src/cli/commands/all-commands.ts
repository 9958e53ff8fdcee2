import path from 'node:path';
import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import {
  collisionSchema,
  duplicateRowsSchema,
  duplicatesSchema,
  type ColumnChoice,
  type DuplicateRows,
} from '../../contract/batch.ts';
import { COST_GROUPS } from '../../contract/cost-groups.ts';
import { MAX_BATCH_ROWS } from '../../contract/batch-limits.ts';
import { MAX_ROW } from '../../contract/table-reading.ts';
import { ENCODINGS, QUOTES } from '../../contract/text-reading.ts';
import { SEPARATOR_NAMES } from '../reading-options.ts';
import type { CommandContext } from '../command-context.ts';
import {
  dataDirOption,
  parseFolder,
  parseHostAndPort,
  parseNameTemplate,
  parsePort,
  serviceOption,
  withQueueOptions,
  type QueueOptions,
} from '../options.ts';
import { addJobsCommands, addQueueCommands } from './jobs/jobs-commands.ts';
import type { CostOptions } from './cost.ts';
import type { DocumentOptions, Shell } from './completion.ts';
import type { DoctorOptions } from './doctor.ts';
import type { DownloadOptions } from './download.ts';
import { addKeyCommands } from './key-commands.ts';
import type { RunOptions } from './run-batch.ts';
import type { ServeOptions } from './serve.ts';
import type { TemplateOptions } from './template.ts';
import { addServiceProfileCommands } from './service-profile-commands.ts';
import { addServicesCommands } from './services-commands.ts';
import { addSettingsCommands } from './settings-commands.ts';

const DUPLICATE_OPTION_NAMES = duplicatesSchema.options.join(', ');

const FILMS = path.join(import.meta.dirname, '..', '..', '..', 'examples', 'films');
const DEMO_TABLES = ['shop.csv', 'band.csv'].map((name) => path.join(FILMS, name));

/**
 * Adds every command with its options; `setExitCode` receives the exit code. A command's
 * implementation is imported when it runs: loading all of them takes three times as long as the
 * rest.
 */
export function addCommands(
  program: Command,
  context: CommandContext,
  setExitCode: (exitCode: number) => void,
): void {
  program
    .command('demo')
    .description('Render six films of examples/films on this computer into ./renders.')
    .addOption(dataDirOption())
    .option('--json', 'print one JSON object per line')
    .action(async (options: Pick<RunOptions, 'dataDir' | 'json'>) => {
      const { runBatches } = await import('./run-batch.ts');
      setExitCode(
        await runBatches(
          DEMO_TABLES,
          { ...options, service: 'local', out: 'renders', results: false },
          context,
        ),
      );
    });

  addReadingOptions(
    withQueueOptions(
      program
        .command('run <batch...>')
        .description('Queue batches, render them and save the videos.'),
    ),
  )
    .option('--out <folder>', 'folder for the files (default: renders)', parseFolder)
    .option('--dry-run', 'show what would happen without sending or spending anything')
    .option('--no-results', 'keep no table of the results beside the batch')
    .option('--json', 'print one JSON object per line')
    .action(async (files: string[], options: RunOptions) => {
      const { runBatches } = await import('./run-batch.ts');
      setExitCode(await runBatches(files, options, context));
    });

  addReadingOptions(
    withQueueOptions(
      program
        .command('plan <batch...>')
        .description(
          'Show when each video would be finished and what does not fit. Spends nothing.',
        ),
    ),
  )
    .option('--out <folder>', 'folder for the files (default: renders)', parseFolder)
    .option('--json', 'print one JSON object per line')
    .action(async (files: string[], options: RunOptions) => {
      const { runBatches } = await import('./run-batch.ts');
      setExitCode(await runBatches(files, { ...options, dryRun: true }, context));
    });

  program
    .command('template [service]')
    .description('Print a table to start from: columns, an example row and allowed values.')
    .option('--out <file>', 'new file, .csv or .xlsx; standard output by default')
    .option('--profile <file>', 'service profile: a file, or the name of a built-in service')
    .addOption(dataDirOption())
    .action(async (service: string | undefined, options: TemplateOptions) => {
      const { printTemplate } = await import('./template.ts');
      setExitCode(await printTemplate(service, options, context));
    });

  addJobsCommands(program, context, setExitCode);
  addQueueCommands(program, context, setExitCode);

  program
    .command('cost')
    .description('Show what videos have cost, by week, month, batch or service.')
    .addOption(new Option('--by <group>', 'what to sum by').choices(COST_GROUPS).default('month'))
    .option('--csv', 'print a table that is safe to open in a spreadsheet')
    .option('--out <file>', 'write that table to a new file')
    .addOption(new Option('--json', 'print one JSON object per line').conflicts(['csv', 'out']))
    .addOption(dataDirOption())
    .addOption(serviceOption())
    .action(async (options: CostOptions) => {
      const { showCost } = await import('./cost.ts');
      setExitCode(await showCost(options, context));
    });

  withQueueOptions(
    program.command('web').description('Serve the app to a browser on this computer only.'),
  )
    .option('--port <number>', 'port; any free one by default', parsePort)
    .option('--json', 'print one JSON object per line')
    // For `npm run dev`, which serves the page from its sources.
    .addOption(new Option('--without-page').hideHelp())
    .action(async (options: ServeOptions) => {
      const { serveInBrowser } = await import('./serve.ts');
      setExitCode(await serveInBrowser(options, context));
    });

  withQueueOptions(
    program
      .command('app')
      .description('Start the app, in Electron if it is installed, otherwise in the browser.'),
  )
    .option('--json', 'print one JSON object per line')
    .action(async (options: QueueOptions & DocumentOptions) => {
      const { startApp } = await import('./start.ts');
      setExitCode(await startApp(options, context));
    });

  addKeyCommands(program, context, setExitCode);
  addSettingsCommands(program, context, setExitCode);
  addServicesCommands(program, context, setExitCode);
  addServiceProfileCommands(program, context, setExitCode);

  program
    .command('download <link>')
    .description('Download one video by its link. The file appears once it is complete.')
    .requiredOption('--out <file>', 'file to write')
    .option('--allow-host <host:port>', 'allow a private address', parseHostAndPort)
    .option('--ca <file>', 'certificate authority (PEM) to trust for that host only')
    .option('--allow-vpn-addresses', 'allow addresses of VPNs and some mobile networks')
    .option('--json', 'print one JSON object per line')
    .action(async (link: string, options: DownloadOptions) => {
      const { downloadLink } = await import('./download.ts');
      setExitCode(await downloadLink(link, options, context));
    });

  withQueueOptions(
    program.command('doctor').description('Check the keychain, disk, service and saved files.'),
  )
    .option(
      '--fix',
      'download missing or damaged files again without rendering; repair the database',
    )
    .option('--batch <name|id>', 'check the files of one batch only')
    .option('--no-files', 'skip the saved files')
    .option('--json', 'print one JSON object per line')
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import('./doctor.ts');
      setExitCode(await doctor(options, context));
    });

  program
    .command('completion')
    .addArgument(
      new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish', 'powershell']),
    )
    .description('Print what completes commands in your shell.')
    .option('--json', 'print one JSON object per line')
    .action(async (shell: Shell, options: DocumentOptions) => {
      const { printCompletion } = await import('./completion.ts');
      setExitCode(printCompletion(shell, program, options, context));
    });

  program
    .command('man')
    .description('Print the manual page: spool man | man -l -')
    .option('--json', 'print one JSON object per line')
    .action(async (options: DocumentOptions) => {
      const { printManual } = await import('./completion.ts');
      setExitCode(printManual(program, options, context));
    });

  program
    .command('service')
    .description(
      'Run the local service: start, work, migrate, account add, key create, key revoke, quota set.',
    )
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .argument('[arguments...]')
    .action(async (args: string[]) => {
      const { runServiceProgram } = await import('./service.ts');
      setExitCode(await runServiceProgram(args, context));
    });
}

/** Options for reading a batch and naming its files. */
function addReadingOptions(command: Command): Command {
  return command
    .option('--as-before', 'use the choices of the last file like this one, such as week-*.csv')
    .option('--one-batch', 'add several files as one batch instead of one each')
    .option(
      '--leave-out-faulty',
      'add the rows without errors; save the others as NAME.left-out.csv',
    )
    .option('--column <field=header>', 'use a column for a field', collectColumn)
    .option('--header-row <row>', 'row with the names of the columns', parseRow)
    .option('--skip-rows <rows>', 'rows that make no video, such as "2,75-80"', parseRows)
    .option(
      '--keep-rows <rows>',
      'rows that make videos although they look like no rows',
      parseRows,
    )
    .option('--include-totals', 'make videos of rows that look like totals')
    .addOption(new Option('--encoding <name>', 'encoding of the text').choices(ENCODINGS))
    .addOption(
      new Option('--separator <character>', 'what separates cells').choices(
        Object.keys(SEPARATOR_NAMES),
      ),
    )
    .addOption(new Option('--quotes <marks>', 'what encloses cells').choices(QUOTES))
    .option('--sheet <name>', 'sheet of a workbook; the first one by default')
    .option('--leave-out-hidden', 'leave out hidden rows and columns of a workbook')
    .option('--number-language <code>', 'language of a workbook’s numbers, such as "de"')
    .option('--template <file>', 'request template: JSON with {{column}} in its strings')
    .addOption(
      new Option('--duplicates <way>', 'what to do with duplicate rows').choices(
        duplicatesSchema.options,
      ),
    )
    .option('--duplicate-row <row=way>', 'the same for one row', collectDuplicateRow)
    .option(
      '--name <template>',
      'file name template, such as "{batch}/{index} {title}.mp4"',
      parseNameTemplate,
    )
    .addOption(
      new Option('--on-collision <way>', 'what to do if a file already exists').choices(
        collisionSchema.options,
      ),
    );
}

function parseRow(text: string): number {
  const row = /^[1-9]\d{0,6}$/.test(text.trim()) ? Number(text) : 0;
  if (row >= 1 && row <= MAX_ROW) return row;
  throw new InvalidArgumentError('Write it as the number of a row, such as 3.');
}

/** `2,75-80` are seven rows. */
function parseRows(text: string): number[] {
  const rows = new Set<number>();
  for (const part of text.split(',')) {
    const [from = '', to = from] = part.split('-', 2);
    const [first, last] = [parseRow(from), parseRow(to)];
    if (last < first || last - first > MAX_BATCH_ROWS) {
      throw new InvalidArgumentError('Write ranges of rows as 75-80.');
    }
    for (let row = first; row <= last; row += 1) rows.add(row);
  }
  return [...rows];
}

/** `title=Headline` takes the title from that column, `title=` from none. */
function collectColumn(text: string, chosen: ColumnChoice = {}): ColumnChoice {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as field=header.');
  const header = text.slice(at + 1).trim();
  return { ...chosen, [text.slice(0, at).trim()]: header === '' ? null : header };
}

/** `4=skip` skips row 4 if it is a duplicate. */
function collectDuplicateRow(text: string, chosen: DuplicateRows = {}): DuplicateRows {
  const [row = '', option = ''] = text.split('=', 2).map((part) => part.trim());
  const parsed = duplicateRowsSchema.safeParse({ ...chosen, [row]: option });
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(
    `Write it as row=way, where way is one of ${DUPLICATE_OPTION_NAMES}.`,
  );
}
