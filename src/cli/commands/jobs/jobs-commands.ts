import { InvalidArgumentError, Option, type Command } from 'commander';
import { JOB_STATES, type JobState } from '../../../contract/job-states.ts';
import type { CommandContext } from '../../command-context.ts';
import { dataDirOption, serviceOption } from '../../settings.ts';
import { changeJobs, JOB_CHANGES, retry } from './change-jobs.ts';
import type { JobChoice } from './choose-jobs.ts';
import { exportJobs, type ExportSettings } from './export-jobs.ts';
import { listJobs } from './list-jobs.ts';
import { pauseQueue, resumeQueue, type PauseSettings } from './pause-queue.ts';
import { renameJobs, type RenameSettings } from './rename-jobs.ts';
import { resolveJob, type Word } from './resolve-job.ts';
import { showJob } from './show-job.ts';
import type { JobsSettings } from './with-jobs.ts';

const CHANGES = [
  ['hold', 'set videos aside that have not been sent'],
  ['resume', 'put what was set aside back into the queue; alone, end a pause of the queue'],
  ['retry', 'retry failed videos; says what that costs'],
  ['cancel', 'withdraw videos; one that was sent is let go, and its quota stays spent'],
] as const;

interface ChangeSettings extends JobsSettings, JobChoice {
  readonly all?: true;
  /** Of `retry` alone. */
  readonly payAgain?: true;
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

/** `spool jobs`: the queue looked at and arranged, whether or not a Spool is running. */
export function addJobsCommands(
  program: Command,
  context: CommandContext,
  end: (exitCode: number) => void,
): void {
  const jobs = program
    .command('jobs')
    .description('the videos in the queue, and what to do with them');

  withChoice(
    withJobsSettings(
      jobs.command('list').description('a line for each video, as spool jobs alone does'),
    ),
  ).action(async (settings: JobsSettings & JobChoice) => {
    end(await listJobs(settings, context));
  });

  withJobsSettings(
    jobs.command('show <id>').description('all there is to know about one video'),
  ).action(async (id: string, settings: JobsSettings) => {
    end(await showJob(id, settings, context));
  });

  for (const [name, description] of CHANGES) {
    const command = withChoice(
      withJobsSettings(jobs.command(`${name} [ids...]`).description(description)),
    );
    command.action(async (ids: string[], settings: ChangeSettings) => {
      const { all, payAgain, ...rest } = settings;
      const isChosen = isChoice(settings) || all === true;
      if (name === 'resume' && ids.length === 0 && !isChosen) {
        end(await resumeQueue(settings, context));
        return;
      }
      assertChosen(command, ids, isChosen);
      const change = name === 'retry' ? retry(payAgain === true) : JOB_CHANGES[name];
      end(await changeJobs(change, ids, rest, context));
    });
    command.option('--all', 'all that this is meant for');
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
        .description('name saved files by a template, such as "{batch}/{index} {title}"')
        .option('--all', 'every saved file')
        .option('--dry-run', 'say what the names would be, and change nothing'),
    ),
  ).action(async (template: string, ids: string[], settings: RenameSettings & { all?: true }) => {
    const { all, ...rest } = settings;
    assertChosen(rename, ids, isChoice(rest) || all === true);
    end(await renameJobs(template, ids, rest, context));
  });

  withJobsSettings(
    jobs
      .command('pause')
      .description('send nothing more until the queue is resumed')
      .option('--everything', 'also stop watching and fetching what was sent'),
  ).action(async (settings: PauseSettings) => {
    end(await pauseQueue(settings, context));
  });

  withJobsSettings(
    jobs
      .command('resolve <id>')
      .description('say what became of a request whose outcome nobody knows')
      .option('--made <remote id>', 'it was made, and the service calls it so')
      .option('--send-again', 'it was not made: send it once more')
      .option('--let-go', 'leave it, and count it as spent'),
  ).action(async (id: string, settings: JobsSettings & Word) => {
    end(await resolveJob(id, settings, context));
  });

  withChoice(
    jobs
      .command('export')
      .description('the videos as a table that is safe to open in a spreadsheet')
      .option('--out <file>', 'a new file, instead of standard output')
      .addOption(new Option('--format <format>').choices(['csv', 'json']).default('csv'))
      .addOption(dataDirOption())
      .addOption(serviceOption()),
  ).action(async (settings: ExportSettings) => {
    end(await exportJobs(settings, context));
  });
}

function isChoice({ batch, state, search }: JobChoice): boolean {
  return [batch, state, search].some(Boolean);
}

/** Either ids or a choice: neither would mean everything, and both nobody knows what. */
function assertChosen(command: Command, ids: readonly string[], isChosen: boolean): void {
  if (ids.length > 0 !== isChosen) return;
  command.error('Name videos by their ids, or choose them by --batch, --state, --search or --all.');
}

function withJobsSettings(command: Command): Command {
  return command
    .option('--json', 'one JSON object a line on standard output')
    .addOption(dataDirOption())
    .addOption(serviceOption());
}

function withChoice(command: Command): Command {
  return command
    .option('--batch <name|id>', 'those of one batch')
    .option('--state <states>', 'those in these states, such as failed,rejected', parseStates)
    .option('--search <text>', 'those with this in their title');
}

function parseStates(text: string): readonly JobState[] {
  return text.split(',').map((word) => {
    const state = JOB_STATES.find((each) => each === word.trim());
    if (state !== undefined) return state;
    throw new InvalidArgumentError(`A state is one of ${JOB_STATES.join(', ')}.`);
  });
}
