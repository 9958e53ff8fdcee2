import type { CommandContext } from '../../command-context.ts';
import { canvasOf } from '../../display/canvas.ts';
import { jobDetails } from '../../display/job-details.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { summaryOf } from '../../../host/summary-of.ts';
import { withJobs, writeEvent, type JobsSettings } from './with-jobs.ts';

/** Shows all details of one job. */
export function showJob(
  id: string,
  settings: JobsSettings,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout, cwd, now } = context;
  return withJobs(settings, context, async ({ client }) => {
    const details = await client.jobs.show({ id });
    if (settings.json) {
      writeEvent(context, { event: 'details', ...details });
      return EXIT.allSaved;
    }
    const { batches } = await summaryOf(client);
    const batch = batches.find((each) => each.id === details.job.batchId);
    stdout.write(`${jobDetails(details, batch?.name ?? '', cwd, now(), canvasOf(stdout))}\n`);
    return EXIT.allSaved;
  });
}
