/** `spool demo`, `run`, `plan` and `template`: from a table to its videos. */
import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { COLLISIONS, DUPLICATES, ROW_KEY } from '../../contract/batch-choices.ts';
import { MAX_BATCH_ROWS, MAX_ROW } from '../../contract/batch-limits.ts';
import type { ColumnChoice, DuplicateRows } from '../../contract/batch.ts';
import { ENCODINGS, QUOTES } from '../../contract/text-reading.ts';
import type { CommandAction } from '../command-action.ts';
import {
  dataDirOption,
  parseFolder,
  parseNameTemplate,
  parseSeparator,
  withQueueOptions,
} from '../options.ts';
import type { RunOptions } from './run-batch.ts';
import type { TemplateOptions } from './template.ts';

const FILMS = path.join(import.meta.dirname, '..', '..', '..', 'examples', 'films');
const DEMO_TABLES = ['shop.csv', 'band.csv'].map((name) => path.join(FILMS, name));

export function addBatchCommands(program: Command, action: CommandAction): void {
  program
    .command('demo')
    .description('Render six films of examples/films on this computer into ./renders.')
    .addOption(dataDirOption())
    .option('--json', 'print one JSON object per line')
    .action(
      action(async (context, options: Pick<RunOptions, 'dataDir' | 'json'>) => {
        const { runBatches } = await import('./run-batch.ts');
        const local = { service: 'local', out: 'renders', results: false };
        return runBatches(DEMO_TABLES, { ...options, ...local }, context);
      }),
    );
  withReadingOptions(program.command('run <batch...>'))
    .description('Queue batches, render them and save the videos.')
    .option('--dry-run', 'show what would happen without sending or spending anything')
    .option('--no-results', 'keep no table of the results beside the batch')
    .action(
      action(async (context, files: string[], options: RunOptions) =>
        (await import('./run-batch.ts')).runBatches(files, options, context),
      ),
    );
  withReadingOptions(program.command('plan <batch...>'))
    .description('Show when each video would be finished and what does not fit. Spends nothing.')
    .action(
      action(async (context, files: string[], options: RunOptions) =>
        (await import('./run-batch.ts')).runBatches(files, { ...options, dryRun: true }, context),
      ),
    );
  program
    .command('template [service]')
    .description('Print a table to start from: columns, an example row and allowed values.')
    .option('--out <file>', 'new file, .csv or .xlsx; standard output by default')
    .option('--profile <file>', 'service profile: a file, or the name of a built-in service')
    .option('--json', 'print one JSON object per line')
    .addOption(dataDirOption())
    .action(
      action(async (context, service: string | undefined, options: TemplateOptions) =>
        (await import('./template.ts')).printTemplate(service, options, context),
      ),
    );
}

/** Options of the queue, for reading a batch, and for naming its files. */
function withReadingOptions(command: Command): Command {
  return withQueueOptions(command)
    .option('--as-before', 'use the choices of the last file like this one, such as week-*.csv')
    .option('--one-batch', 'add several files as one batch instead of one each')
    .option(
      '--leave-out-faulty',
      'add the rows without errors; save the others as NAME.left-out.csv or .xlsx',
    )
    .option('--column <field=header>', 'use a column for a field', collectColumn)
    .option('--turn', 'turn a table that has the names of its columns in the first column')
    .option('--header-row <row>', 'row with the names of the columns', parseRow)
    .option('--skip-rows <rows>', 'rows that make no video, such as "2,75-80"', parseRows)
    .option(
      '--keep-rows <rows>',
      'rows that make videos although they look like totals, headings, notes or parts of a text',
      parseRows,
    )
    .option('--include-totals', 'make videos of rows that look like totals')
    .addOption(new Option('--encoding <name>', 'encoding of the text').choices(ENCODINGS))
    .option(
      '--separator <character>',
      'what separates cells: any character, or comma, semicolon, tab, pipe or none',
      parseSeparator,
    )
    .addOption(
      new Option('--quotes <marks>', 'what marks separators and line breaks inside a text').choices(
        QUOTES,
      ),
    )
    .option(
      '--sheet <name>',
      'sheet of a workbook, or one of its named tables as "Plan!Videos"; the first sheet by default',
    )
    .option('--leave-out-hidden', 'leave out hidden rows and columns of a workbook')
    .option('--number-language <code>', 'language of a workbook’s numbers, such as "de"')
    .option('--template <file>', 'request template: JSON with {{column}} in its strings')
    .addOption(
      new Option('--duplicates <way>', 'what to do with duplicate rows').choices(DUPLICATES),
    )
    .option('--duplicate-row <row=way>', 'the same for one row', collectDuplicateRow)
    .option(
      '--name <template>',
      'file name template, such as "{batch}/{index} {title}.mp4"',
      parseNameTemplate,
    )
    .addOption(
      new Option('--on-collision <way>', 'what to do if a file already exists').choices(COLLISIONS),
    )
    .option('--out <folder>', 'folder for the files (default: renders)', parseFolder)
    .option('--json', 'print one JSON object per line');
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
  const way = DUPLICATES.find((each) => each === option);
  if (way !== undefined && ROW_KEY.test(row)) return { ...chosen, [row]: way };
  throw new InvalidArgumentError(
    `Write it as row=way, where way is one of ${DUPLICATES.join(', ')}.`,
  );
}
