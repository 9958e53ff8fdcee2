import { InvalidArgumentError, Option, type Command } from 'commander';
import { JOB_STATES, type JobState } from '../../../contract/job-states.ts';
import type { CommandContext } from '../../command-context.ts';
import { dataDirOption, serviceOption } from '../../settings.ts';
import type { JobChoice } from './choose-jobs.ts';
import type { ExportSettings } from './export-jobs.ts';
import type { PauseSettings } from './pause-queue.ts';
import type { RenameSettings } from './rename-jobs.ts';
import type { Decision } from './resolve-job.ts';
import type { JobsSettings } from './with-jobs.ts';

const CHANGES = [
  ['hold', 'Hold videos that have not been sent.'],
  ['release', 'Put held videos back into the queue.'],
  ['retry', 'Retry failed videos, after showing what that costs.'],
  ['cancel', 'Cancel videos. One that was sent is abandoned, and its quota stays spent.'],
] as const;

/** What it was called until 2027; without videos it also ends a pause of the queue. */
const OLD_RELEASE = 'resume';

interface ChangeSettings extends JobsSettings, JobChoice {
  readonly all?: true;
  /** Of `retry` alone. */
  readonly payAgain?: true;
}

/** With what the options were called until 2027. */
interface ResolveSettings extends JobsSettings, Decision {
  readonly made?: string;
  readonly sendAgain?: boolean;
  readonly letGo?: boolean;
}

/**
 * Adds `list` to `spool jobs` where no command is named. Commander's own default command would take
 * a mistyped command for one of its arguments.
 */
export function withListCommand(args: readonly string[]): readonly string[] {
  const [command, next, ...others] = args;
  const isNamed = next !== undefined && (!next.startsWith('-') || /^(-h|--help)$/.test(next));
  if (command !== 'jobs' || isNamed) return args;
  return [command, 'list', ...(next === undefined ? [] : [next]), ...others];
}

/** `spool jobs`: list and change videos, whether or not a Spool is running. */
export function addJobsCommands(
  program: Command,
  context: CommandContext,
  end: (exitCode: number) => void,
): void {
  const jobs = program.command('jobs').description('List and change the videos in the queue.');

  withChoice(
    withJobsSettings(
      jobs.command('list').description('List the videos, one line each (the default).'),
    ),
  ).action(async (settings: JobsSettings & JobChoice) => {
    const { listJobs } = await import('./list-jobs.ts');
    end(await listJobs(settings, context));
  });

  withJobsSettings(
    jobs.command('show <id>').description('Show everything about one video.'),
  ).action(async (id: string, settings: JobsSettings) => {
    const { showJob } = await import('./show-job.ts');
    end(await showJob(id, settings, context));
  });

  for (const [name, description] of [...CHANGES, [OLD_RELEASE, ''] as const]) {
    const command = withChoice(
      withJobsSettings(
        jobs.command(`${name} [ids...]`, { hidden: name === OLD_RELEASE }).description(description),
      ),
    );
    command.action(async (ids: string[], settings: ChangeSettings) => {
      const { all, payAgain, ...rest } = settings;
      const isChosen = isChoice(settings) || all === true;
      if (name === OLD_RELEASE && ids.length === 0 && !isChosen) {
        const { resumeQueue } = await import('./pause-queue.ts');
        end(await resumeQueue(settings, context));
        return;
      }
      assertChosen(command, ids, isChosen);
      const { changeJobs, JOB_CHANGES, retry } = await import('./change-jobs.ts');
      const change =
        name === 'retry'
          ? retry(payAgain === true)
          : JOB_CHANGES[name === OLD_RELEASE ? 'release' : name];
      end(await changeJobs(change, ids, rest, context));
    });
    command.option('--all', 'every video that this applies to');
    if (name === 'retry') {
      command.option(
        '--pay-again',
        'also render videos that were paid for and that the service no longer has',
      );
    }
  }

  const rename = withChoice(
    withJobsSettings(
      jobs
        .command('rename <template> [ids...]')
        .description('Rename saved files by a template, such as "{batch}/{index} {title}".')
        .option('--all', 'every saved file')
        .option('--dry-run', 'show the names without changing anything'),
    ),
  ).action(async (template: string, ids: string[], settings: RenameSettings & { all?: true }) => {
    const { all, ...rest } = settings;
    assertChosen(rename, ids, isChoice(rest) || all === true);
    const { renameJobs } = await import('./rename-jobs.ts');
    end(await renameJobs(template, ids, rest, context));
  });

  // What `spool queue pause` was called until 2027.
  addPauseCommand(jobs.command('pause', { hidden: true }), context, end);

  withJobsSettings(
    jobs
      .command('resolve <id>')
      .description('Decide about a request whose outcome is unknown.')
      .option('--accepted <remote id>', 'the service accepted it under this identifier')
      .option('--resend', 'the service has no such video: send it again')
      .option('--abandon', 'give it up; its quota stays counted as spent')
      // What they were called until 2027.
      .addOption(new Option('--made <remote id>').hideHelp())
      .addOption(new Option('--send-again').hideHelp())
      .addOption(new Option('--let-go').hideHelp()),
  ).action(async (id: string, { made, sendAgain, letGo, ...settings }: ResolveSettings) => {
    const { accepted = made, resend = sendAgain, abandon = letGo, ...rest } = settings;
    const { resolveJob } = await import('./resolve-job.ts');
    end(await resolveJob(id, { accepted, resend, abandon, ...rest }, context));
  });

  withChoice(
    jobs
      .command('export')
      .description('Export the videos as a table that is safe to open in a spreadsheet.')
      .option('--out <file>', 'write to a new file instead of standard output')
      .addOption(new Option('--format <format>').choices(['csv', 'json']).default('csv'))
      .addOption(dataDirOption())
      .addOption(serviceOption()),
  ).action(async (settings: ExportSettings) => {
    const { exportJobs } = await import('./export-jobs.ts');
    end(await exportJobs(settings, context));
  });
}

/** `spool queue`: what holds for all videos at once. */
export function addQueueCommands(
  program: Command,
  context: CommandContext,
  end: (exitCode: number) => void,
): void {
  const queue = program.command('queue').description('Pause and resume the queue.');
  addPauseCommand(queue.command('pause'), context, end);
  withJobsSettings(
    queue.command('resume').description('Resume the queue after a pause or a stop.'),
  ).action(async (settings: JobsSettings) => {
    const { resumeQueue } = await import('./pause-queue.ts');
    end(await resumeQueue(settings, context));
  });
}

function addPauseCommand(
  command: Command,
  context: CommandContext,
  end: (exitCode: number) => void,
): void {
  withJobsSettings(
    command
      .description('Send nothing more until the queue is resumed.')
      .option('--everything', 'also stop tracking and downloading what was sent'),
  ).action(async (settings: PauseSettings) => {
    const { pauseQueue } = await import('./pause-queue.ts');
    end(await pauseQueue(settings, context));
  });
}

function isChoice({ batch, state, search }: JobChoice): boolean {
  return [batch, state, search].some(Boolean);
}

/** Either ids or a selection: neither would mean everything, and both would be ambiguous. */
function assertChosen(command: Command, ids: readonly string[], isChosen: boolean): void {
  if (ids.length > 0 !== isChosen) return;
  command.error('Name videos by their ids, or select them by --batch, --state, --search or --all.');
}

function withJobsSettings(command: Command): Command {
  return command
    .option('--json', 'print one JSON object per line')
    .addOption(dataDirOption())
    .addOption(serviceOption());
}

function withChoice(command: Command): Command {
  return command
    .option('--batch <name|id>', 'only those of one batch')
    .option('--state <states>', 'only those in these states, such as failed,rejected', parseStates)
    .option('--search <text>', 'only those with this in their title');
}

function parseStates(text: string): readonly JobState[] {
  return text.split(',').map((word) => {
    const state = JOB_STATES.find((each) => each === word.trim());
    if (state !== undefined) return state;
    throw new InvalidArgumentError(`A state is one of ${JOB_STATES.join(', ')}.`);
  });
}
