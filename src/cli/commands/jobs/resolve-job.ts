import { plainText } from '../../display/safe-text.ts';
import type { CommandContext } from '../../command-context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { remindToStart, withJobs, type JobsOptions } from './with-jobs.ts';
import { writeEvent } from '../../write-event.ts';

/** The user's decision about a job whose request may have been accepted; exactly one is set. */
export interface Decision {
  /** The service's id of the video. */
  readonly accepted?: string | undefined;
  readonly resend?: boolean | undefined;
  readonly abandon?: boolean | undefined;
}

/** Applies the user's decision about a job whose submission had an unknown outcome. */
export function resolveJob(
  id: string,
  { accepted, resend, abandon, ...options }: JobsOptions & Decision,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout, stderr } = context;
  const decisions = [accepted !== undefined, resend === true, abandon === true].filter(Boolean);
  if (decisions.length !== 1) {
    stderr.write('Use --accepted <id>, --resend or --abandon.\n');
    return Promise.resolve(EXIT.usage);
  }
  return withJobs(options, context, async (queue) => {
    const { jobs } = queue.client;
    const { attempts } = (await jobs.show({ id })).job;
    const job = await (accepted !== undefined
      ? jobs.resolve({ id, attempts, as: 'accepted', remoteId: accepted })
      : jobs.resolve({ id, attempts, as: resend ? 'resend' : 'abandon' }));
    if (options.json) {
      writeEvent(context, { event: 'job', job });
      return EXIT.allSaved;
    }
    const became =
      accepted !== undefined
        ? `was accepted as ${plainText(accepted)}: Spool tracks and downloads it`
        : resend
          ? 'is sent again: if the service did accept it, it is rendered twice'
          : 'is abandoned';
    stdout.write(`“${plainText(job.title)}” ${became}.\n`);
    if (!abandon) remindToStart(queue, context);
    return EXIT.allSaved;
  });
}
