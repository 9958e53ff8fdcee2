import { plainText } from '../../display/text-cells.ts';
import type { CommandContext } from '../../command-context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { sayWhoGoesOn, withJobs, writeEvent, type JobsSettings } from './with-jobs.ts';

/** Its owner's word on a job whose request may or may not have been accepted; one of the three. */
export interface Word {
  /** The identifier that the service gave it. */
  readonly made?: string;
  readonly sendAgain?: boolean;
  readonly letGo?: boolean;
}

/** Takes its owner's word on a job whose submission had an unknown outcome. */
export function resolveJob(
  id: string,
  { made, sendAgain, letGo, ...settings }: JobsSettings & Word,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout, stderr } = context;
  const words = [made !== undefined, sendAgain === true, letGo === true].filter(Boolean);
  if (words.length !== 1) {
    stderr.write('Say one of --made <id>, --send-again and --let-go.\n');
    return Promise.resolve(EXIT.usage);
  }
  return withJobs(settings, context, async (queue) => {
    const { jobs } = queue.client;
    const { attempts } = (await jobs.show({ id })).job;
    const job = await (made !== undefined
      ? jobs.resolve({ id, attempts, as: 'made', remoteId: made })
      : jobs.resolve({ id, attempts, as: sendAgain ? 'send-again' : 'let-go' }));
    if (settings.json) {
      writeEvent(context, { event: 'job', job });
      return EXIT.allSaved;
    }
    const became =
      made !== undefined
        ? `was made, as ${plainText(made)}: it is watched and fetched`
        : sendAgain
          ? 'is sent once more: if the service had it all the same, that costs twice'
          : 'is let go, and counts as spent';
    stdout.write(`“${plainText(job.title)}” ${became}.\n`);
    if (!letGo) sayWhoGoesOn(queue, context);
    return EXIT.allSaved;
  });
}
