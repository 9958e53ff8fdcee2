import type { CommandContext } from '../../command-context.ts';
import { canvasOf } from '../../display/canvas.ts';
import { jobDetails } from '../../display/job-details.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { withJobs, type JobsOptions } from './with-jobs.ts';
import { writeEvent } from '../../write-event.ts';

/** Shows all details of one job. */
export function showJob(
  id: string,
  options: JobsOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout, cwd, now } = context;
  return withJobs(options, context, async ({ client }) => {
    const details = await client.jobs.show({ id });
    if (options.json) {
      writeEvent(context, { event: 'details', ...details });
      return EXIT.allSaved;
    }
    stdout.write(`${jobDetails(details, cwd, now(), canvasOf(stdout))}\n`);
    return EXIT.allSaved;
  });
}
