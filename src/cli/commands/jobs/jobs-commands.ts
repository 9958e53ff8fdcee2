import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import {
  JOB_COMMAND_NAMES,
  JOB_COMMANDS,
  type JobCommandName,
} from '../../../contract/job-commands.ts';
import { JOB_STATES, type JobState } from '../../../contract/job-states.ts';
import type { CommandAction } from '../../command-action.ts';
import {
  dataDirOption,
  parseNameTemplate,
  parseRemoteId,
  parseSearch,
  serviceOption,
} from '../../options.ts';
import type { ArrangeOptions, EditOptions, Place, Priority } from './arrange-jobs.ts';
import type { JobSelection } from './choose-jobs.ts';
import type { ExportOptions } from './export-jobs.ts';
import type { PauseOptions } from './pause-queue.ts';
import type { RenameOptions } from './rename-jobs.ts';
import type { Decision } from './resolve-job.ts';
import type { UndoOptions } from './undo-jobs.ts';
import type { JobsOptions } from './with-jobs.ts';

interface SelectedOptions extends JobsOptions, JobSelection {
  readonly all?: true;
  /** Only for commands that spend. */
  readonly payAgain?: true;
  /** Only for `archive`. */
  readonly finished?: true;
  /** Only for `remove`. */
  readonly trashFiles?: true;
  readonly yes?: true;
}

/**
 * Commands whose videos can be in the archive; `unarchive` selects no others by itself. What is not
 * finished, as videos to hold or to cancel, never is.
 */
const MAY_BE_ARCHIVED: ReadonlySet<JobCommandName> = new Set(['retry', 'downloadAgain', 'remove']);

/**
 * Adds `list` to `spool jobs` where no command is given. Commander's own default command would
 * treat a mistyped command as one of its arguments.
 */
export function withListCommand(args: readonly string[]): readonly string[] {
  const [command, next, ...others] = args;
  const isNamed = next !== undefined && (!next.startsWith('-') || /^(-h|--help)$/.test(next));
  if (command !== 'jobs' || isNamed) return args;
  return [command, 'list', ...(next === undefined ? [] : [next]), ...others];
}

/** `spool jobs`: lists and changes videos, whether or not a Spool is running. */
export function addJobsCommands(program: Command, action: CommandAction): void {
  const jobs = program.command('jobs').description('List and change the videos in the queue.');
  addReadCommands(jobs, action);
  for (const name of JOB_COMMAND_NAMES) addChangeCommand(jobs, action, name);
  addRenameCommand(jobs, action);
  addEditCommand(jobs, action);
  addOrderCommands(jobs, action);
  addUndoCommand(jobs, action);
  addResolveCommand(jobs, action);
  addExportCommand(jobs, action);
}

function addReadCommands(jobs: Command, action: CommandAction): void {
  withArchiveOption(jobs.command('list'))
    .description('List the videos, one line each (the default).')
    .action(
      action(async (context, options: JobsOptions & JobSelection) =>
        (await import('./list-jobs.ts')).listJobs(options, context),
      ),
    );
  withJobsOptions(jobs.command('show <id>'))
    .description('Show everything about one video.')
    .action(
      action(async (context, id: string, options: JobsOptions) =>
        (await import('./show-job.ts')).showJob(id, options, context),
      ),
    );
}

/** One of the commands that change a job's state or place. */
function addChangeCommand(jobs: Command, action: CommandAction, name: JobCommandName): void {
  const { help, spends } = JOB_COMMANDS[name];
  const within = MAY_BE_ARCHIVED.has(name) ? withArchiveOption : withSelectionOptions;
  const command = within(jobs.command(`${inKebabCase(name)} [ids...]`))
    .description(help)
    .option('--all', 'every video that this applies to')
    .action(
      action(async (context, ids: string[], { all, payAgain, ...options }: SelectedOptions) => {
        const isWide = all === true || options.finished === true;
        requireIdsOrSelection(command, ids, isSelection(options) || isWide);
        if (options.trashFiles === true)
          return (await import('./trash-jobs.ts')).trashJobs(ids, options, context);
        const { changeJobs } = await import('./change-jobs.ts');
        return changeJobs(name, ids, { ...options, payAgain: payAgain === true }, context);
      }),
    );
  if (name === 'archive')
    command.option('--finished', 'every video of batches in which nothing is left to do');
  if (name === 'remove')
    command
      .option('--trash-files', 'move their files to the system’s trash, after a question')
      .option('--yes', 'do it without asking');
  if (spends)
    command.option(
      '--pay-again',
      'also render videos that were paid for and that the service no longer has',
    );
}

function addRenameCommand(jobs: Command, action: CommandAction): void {
  const rename = withArchiveOption(jobs.command('rename'))
    .argument('<template>', undefined, parseNameTemplate)
    .argument('[ids...]')
    .description('Rename saved files by a template, such as "{batch}/{index} {title}".')
    .option('--all', 'every saved file')
    .option('--dry-run', 'show the names without changing anything')
    .action(
      action(
        async (
          context,
          template: string,
          ids: string[],
          { all, ...options }: RenameOptions & { all?: true },
        ) => {
          requireIdsOrSelection(rename, ids, isSelection(options) || all === true);
          const { renameJobs } = await import('./rename-jobs.ts');
          return renameJobs(template, ids, options, context);
        },
      ),
    );
}

function addEditCommand(jobs: Command, action: CommandAction): void {
  const edit = withSelectionOptions(jobs.command('edit [ids...]'))
    .description('Change values of unsent videos.')
    .option('--set <column=value>', 'give a column this value; may be repeated', collectValue)
    .option('--replace <column=text>', 'find this text in a column', parseColumnText)
    .option('--with <text>', 'what the text is replaced by; nothing when left out')
    .option('--ignore-case', 'find it in capitals and small letters alike')
    .option('--all', 'every video that has not been sent')
    .action(
      action(async (context, ids: string[], { all, ...options }: EditOptions & { all?: true }) => {
        if (options.set === undefined && options.replace === undefined)
          edit.error('Say what to change: --set column=value, or --replace column=text.');
        if (options.with !== undefined && options.replace === undefined)
          edit.error('Use --with together with --replace.');
        requireIdsOrSelection(edit, ids, isSelection(options) || all === true);
        return (await import('./arrange-jobs.ts')).editJobs(ids, options, context);
      }),
    );
}

function addOrderCommands(jobs: Command, action: CommandAction): void {
  const move = withSelectionOptions(jobs.command('move [ids...]'))
    .description('Move unsent videos within the queue.')
    .option('--before <id>', 'before this video')
    .option('--first', 'to the top')
    .option('--last', 'to the end')
    .action(
      action(async (context, ids: string[], options: ArrangeOptions & Place) => {
        const places = [options.before, options.first, options.last].filter(Boolean);
        if (places.length !== 1) move.error('Use --before <id>, --first or --last.');
        requireIdsOrSelection(move, ids, isSelection(options));
        return (await import('./arrange-jobs.ts')).moveJobs(ids, options, context);
      }),
    );
  const prioritise = withSelectionOptions(jobs.command('prioritise'))
    .addArgument(new Argument('<priority>').choices(['high', 'normal', 'low']))
    .argument('[ids...]')
    .description('Send videos before those of a lower priority.')
    .action(
      action(async (context, priority: Priority, ids: string[], options: ArrangeOptions) => {
        requireIdsOrSelection(prioritise, ids, isSelection(options));
        const { prioritiseJobs } = await import('./arrange-jobs.ts');
        return prioritiseJobs(priority, ids, options, context);
      }),
    );
}

function addUndoCommand(jobs: Command, action: CommandAction): void {
  withJobsOptions(jobs.command('undo [step]'))
    .description('Undo the last change of videos, or an earlier one by its number.')
    .option('--list', 'show what can be undone, newest first')
    .action(
      action(async (context, step: string | undefined, options: UndoOptions) =>
        (await import('./undo-jobs.ts')).undoJobs(step, options, context),
      ),
    );
}

function addResolveCommand(jobs: Command, action: CommandAction): void {
  withJobsOptions(jobs.command('resolve <id>'))
    .description('Decide about a request whose outcome is unknown.')
    .option(
      '--accepted <remote id>',
      'the service accepted it under this identifier',
      parseRemoteId,
    )
    .option('--resend', 'the service has no such video: send it again')
    .option('--abandon', 'abandon it; its quota stays spent')
    .action(
      action(async (context, id: string, options: JobsOptions & Decision) =>
        (await import('./resolve-job.ts')).resolveJob(id, options, context),
      ),
    );
}

function addExportCommand(jobs: Command, action: CommandAction): void {
  withArchiveOption(jobs.command('export'))
    .description('Export the videos as a table that is safe to open in a spreadsheet.')
    .option('--out <file>', 'write to a new file instead of standard output')
    .addOption(new Option('--format <format>').choices(['csv', 'json']).default('csv'))
    .action(
      action(async (context, options: ExportOptions) =>
        (await import('./export-jobs.ts')).exportJobs(options, context),
      ),
    );
}

/** `spool queue`: commands for all videos at once. */
export function addQueueCommands(program: Command, action: CommandAction): void {
  const queue = program.command('queue').description('Pause and resume the queue.');
  withJobsOptions(queue.command('pause'))
    .description('Send nothing more until the queue is resumed.')
    .option('--everything', 'also stop tracking and downloading what was sent')
    .action(
      action(async (context, options: PauseOptions) =>
        (await import('./pause-queue.ts')).pauseQueue(options, context),
      ),
    );
  withJobsOptions(queue.command('resume'))
    .description('Resume the queue after a pause or a stop.')
    .action(
      action(async (context, options: JobsOptions) =>
        (await import('./pause-queue.ts')).resumeQueue(options, context),
      ),
    );
}

function isSelection({ batch, state, search }: JobSelection): boolean {
  return [batch, state, search].some(Boolean);
}

/** Requires either ids or a selection: neither would mean all jobs, and both would be ambiguous. */
function requireIdsOrSelection(
  command: Command,
  ids: readonly string[],
  hasSelection: boolean,
): void {
  if (ids.length > 0 !== hasSelection) return;
  command.error('Name videos by their ids, or select them by --batch, --state, --search or --all.');
}

function withJobsOptions(command: Command): Command {
  return command
    .option('--json', 'print one JSON object per line')
    .addOption(dataDirOption())
    .addOption(serviceOption());
}

/** With the options of {@link withJobsOptions}, for videos of the queue. */
function withSelectionOptions(command: Command): Command {
  return withJobsOptions(command)
    .option('--batch <name|id>', 'only those of one batch')
    .option('--state <states>', 'only those in these states, such as failed,rejected', parseStates)
    .option('--search <text>', 'only those with this in their title', parseSearch);
}

/** With the options of {@link withSelectionOptions}, for videos that may be archived. */
function withArchiveOption(command: Command): Command {
  return withSelectionOptions(command).option(
    '--archived',
    'archived videos instead of those in the queue',
  );
}

/** `downloadAgain` as `download-again`. */
function inKebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function parseStates(text: string): readonly JobState[] {
  return text.split(',').map((word) => {
    const state = JOB_STATES.find((each) => each === word.trim());
    if (state !== undefined) return state;
    throw new InvalidArgumentError(`A state is one of ${JOB_STATES.join(', ')}.`);
  });
}

/** `title=Sale`; a value may be empty and may contain further equals signs. */
function parseColumnText(text: string): { readonly field: string; readonly find: string } {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError('Write it as column=text.');
  return { field: text.slice(0, at).trim(), find: text.slice(at + 1) };
}

function collectValue(
  text: string,
  chosen: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as column=value.');
  return { ...chosen, [text.slice(0, at).trim()]: text.slice(at + 1) };
}
