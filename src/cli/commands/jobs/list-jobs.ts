import type { JobState } from '../../../contract/job-states.ts';
import { isIn } from '../../../contract/job-states.ts';
import type { CommandContext } from '../../command-context.ts';
import { canvasOf } from '../../display/canvas.ts';
import { countsLine, JobTable } from '../../display/job-table.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { selectJobs, type JobSelection } from './choose-jobs.ts';
import { noJobsText } from './no-jobs.ts';
import { printOtherServices } from './other-services.ts';
import { remindToStart, withJobs, type JobsOptions } from './with-jobs.ts';
import { writeEvent } from '../../write-event.ts';

/** Lists the selected jobs, one line each, in queue order. */
export function listJobs(
  options: JobsOptions & JobSelection,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout, now, interrupted } = context;
  return withJobs(options, context, async (queue) => {
    const { client } = queue;
    const counts = new Map<JobState, number>();
    let table: JobTable | undefined;
    for await (const jobs of selectJobs(client, options, interrupted)) {
      for (const job of jobs) {
        counts.set(job.state, (counts.get(job.state) ?? 0) + 1);
        if (options.json) writeEvent(context, { event: 'job', job });
      }
      if (options.json) continue;
      if (table === undefined) {
        table = new JobTable(jobs, canvasOf(stdout));
        stdout.write(`${table.head}\n`);
      }
      for (const job of jobs) stdout.write(`${table.row(job, now())}\n`);
    }
    if (!options.json) {
      const end = table === undefined ? noJobsText(options) : `\n${countsLine(counts)}`;
      stdout.write(`${end}\n`);
      const moving = [...counts.keys()].some((state) => isIn('active', state));
      if (moving) remindToStart(queue, context);
    }
    await printOtherServices(client, options, context, counts.size > 0);
    return EXIT.allSaved;
  });
}
