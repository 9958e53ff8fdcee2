/** `spool jobs remove --trash-files`: removes saved videos together with their files. */
import type { Changed } from '../../../contract/contract.ts';
import { trashFile } from '../../../host/trash.ts';
import { trashSaved } from '../../../host/trash-saved.ts';
import type { CommandContext } from '../../command-context.ts';
import { isConfirmed } from '../../confirm.ts';
import { failureText } from '../../display/failure-text.ts';
import { formatCount } from '../../display/numbers.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { describeJob } from './change-jobs.ts';
import { givenOrSelectedIds, type JobSelection } from './choose-jobs.ts';
import { noJobsText } from './no-jobs.ts';
import { exitCodeOfChange, withJobs, type JobsOptions } from './with-jobs.ts';
import { writeEvent } from '../../write-event.ts';

export interface TrashOptions extends JobsOptions, JobSelection {
  readonly yes?: boolean;
}

/** A video whose file stays is not removed either. */
export function trashJobs(
  givenIds: readonly string[],
  options: TrashOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout, stderr } = context;
  return withJobs(options, context, async ({ client }) => {
    const ids = await givenOrSelectedIds(client, givenIds, options, ['done']);
    if (ids.length === 0) {
      if (options.json)
        writeEvent(context, { event: 'changed', changed: 0, refused: [], step: null });
      else stdout.write(`${noJobsText(options, ['done'])}\n`);
      return EXIT.allSaved;
    }
    const files = formatCount(ids.length, 'file');
    if (options.yes !== true && !(await isConfirmed(`Move ${files} to the trash?`, context))) {
      stderr.write('Nothing was removed. Add --yes to do it without confirmation.\n');
      return EXIT.usage;
    }
    const trash = trashFile(process.platform, process.env);
    const { refused } = await trashSaved(ids, (id) => client.jobs.show({ id }), trash);
    const kept = new Set(refused.map(({ id }) => id));
    const gone = ids.filter((id) => !kept.has(id));
    const none: Changed = { changed: 0, refused: [], step: null };
    const removed = gone.length === 0 ? none : await client.jobs.remove({ ids: gone });
    const all = [...refused, ...removed.refused];
    if (options.json) {
      writeEvent(context, { event: 'changed', changed: removed.changed, refused: all, step: null });
    } else if (removed.changed > 0) {
      stdout.write(
        `${formatCount(removed.changed, 'video')} removed. Take the files out of the system’s trash if you need them.\n`,
      );
    }
    for (const { id, failure } of all)
      stderr.write(`${await describeJob(client, id)}: ${failureText(failure)}\n`);
    return exitCodeOfChange(all.length);
  });
}
