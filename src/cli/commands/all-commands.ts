import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  collisionSchema,
  duplicateRowsSchema,
  duplicatesSchema,
  type ColumnChoice,
  type DuplicateRows,
} from '../../contract/batch.ts';
import type { CommandContext } from '../command-context.ts';
import {
  dataDirOption,
  parseHostAndPort,
  parsePort,
  withEngineSettings,
  type EngineSettings,
} from '../settings.ts';
import { addJobsCommands } from './jobs/jobs-commands.ts';
import { doctor, type DoctorSettings } from './doctor.ts';
import { downloadLink, type DownloadSettings } from './download.ts';
import { addKeyCommands } from './key-commands.ts';
import { runBatches, type RunSettings } from './run-batch.ts';
import { serveInBrowser, type ServeSettings } from './serve.ts';
import { runServiceProgram } from './service.ts';
import { addSettingsCommands } from './settings-commands.ts';
import { startApp } from './start.ts';

const EXAMPLE = path.join(import.meta.dirname, '..', '..', '..', 'examples', 'launch-week.csv');

/** Every command with its options; `end` hears what the process should end with. */
export function addCommands(
  program: Command,
  context: CommandContext,
  end: (exitCode: number) => void,
): void {
  program
    .command('demo')
    .description('render examples/launch-week.csv on this computer into ./renders')
    .addOption(dataDirOption())
    .option('--json', 'one JSON object a line on standard output')
    .action(async (settings: Pick<RunSettings, 'dataDir' | 'json'>) => {
      end(await runBatches([EXAMPLE], { ...settings, service: 'local', out: 'renders' }, context));
    });

  withReading(
    withEngineSettings(
      program.command('run <batch...>').description('import, queue, send, wait and save batches'),
    ),
  )
    .option('--out <folder>', 'where the files go', 'renders')
    .option('--dry-run', 'say what would happen; nothing is sent or spent')
    .option('--json', 'one JSON object a line on standard output')
    .action(async (files: string[], settings: RunSettings) => {
      end(await runBatches(files, settings, context));
    });

  withReading(
    withEngineSettings(
      program
        .command('plan <batch...>')
        .description('what would be finished when, and what does not fit; spends nothing'),
    ),
  )
    .option('--out <folder>', 'where the files would go', 'renders')
    .option('--json', 'one JSON object a line on standard output')
    .action(async (files: string[], settings: RunSettings) => {
      end(await runBatches(files, { ...settings, dryRun: true }, context));
    });

  addJobsCommands(program, context, end);

  withEngineSettings(
    program.command('serve').description('the app, in a browser, on this computer only'),
  )
    .option('--port <number>', 'any free port when left out', parsePort)
    .action(async (settings: ServeSettings) => {
      end(await serveInBrowser(settings, context));
    });

  withEngineSettings(
    program.command('start').description('the app: in Electron where it is, else in the browser'),
  ).action(async (settings: EngineSettings) => {
    end(await startApp(settings, context));
  });

  addKeyCommands(program, context, end);
  addSettingsCommands(program, context, end);

  program
    .command('download <link>')
    .description('fetch one video by its link, whole or not at all')
    .requiredOption('--out <file>', 'where it goes')
    .option('--allow-host <host:port>', 'a private address that may be reached', parseHostAndPort)
    .option('--ca <file>', 'the certificate authority (PEM) to trust for that host alone')
    .option('--allow-vpn-addresses', 'names may have addresses of VPNs and NAT64')
    .action(async (link: string, settings: DownloadSettings) => {
      end(await downloadLink(link, settings, context));
    });

  withEngineSettings(
    program
      .command('doctor')
      .description('what works here and what does not; reads saved files once more'),
  )
    .option('--fix', 'fetch again what is missing or damaged, without rendering; mend the database')
    .option('--batch <name|id>', 'read the files of one batch only')
    .option('--no-files', 'leave saved files unread')
    .option('--json', 'one JSON object a line on standard output')
    .action(async (settings: DoctorSettings) => {
      end(await doctor(settings, context));
    });

  program
    .command('service')
    .description('the local service: start, account add, key create, key revoke, quota set')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .argument('[arguments...]')
    .action(async (args: string[]) => {
      end(await runServiceProgram(args, context));
    });
}

/** How a batch is read and its files are named. */
function withReading(command: Command): Command {
  return command
    .option('--one-batch', 'several files are one batch, not one each')
    .option('--column <field=header>', 'which of its columns is which', collectColumn)
    .option('--template <file>', 'a request to send, as JSON with {{column}} in its texts')
    .addOption(
      new Option('--duplicates <way>', 'what becomes of rows made before').choices(
        duplicatesSchema.options,
      ),
    )
    .option('--duplicate-row <row=way>', 'the same for one row', collectDuplicateRow)
    .option('--name <template>', 'how files are named, such as "{batch}/{index} {title}.mp4"')
    .addOption(
      new Option('--on-collision <way>', 'when another file has the name').choices(
        collisionSchema.options,
      ),
    );
}

/** `title=Headline` takes the title from that column, `title=` from none. */
function collectColumn(text: string, chosen: ColumnChoice = {}): ColumnChoice {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It is written as field=header.');
  const header = text.slice(at + 1).trim();
  return { ...chosen, [text.slice(0, at).trim()]: header === '' ? null : header };
}

/** `4=leave-out` leaves out row 4, if it was made before. */
function collectDuplicateRow(text: string, chosen: DuplicateRows = {}): DuplicateRows {
  const [row = '', way = ''] = text.split('=', 2).map((part) => part.trim());
  const parsed = duplicateRowsSchema.safeParse({ ...chosen, [row]: way });
  if (parsed.success) return parsed.data;
  const ways = duplicatesSchema.options.join(', ');
  throw new InvalidArgumentError(`It is written as row=way, where way is one of ${ways}.`);
}
