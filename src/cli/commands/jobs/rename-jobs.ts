import type { Client } from '../../../contract/contract.ts';
import type { CommandContext } from '../../command-context.ts';
import { formatCount } from '../../display/numbers.ts';
import { failureText } from '../../display/failure-text.ts';
import { emptyPlaceholdersText } from '../../display/summary-text.ts';
import { plainText } from '../../display/safe-text.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { givenOrSelectedIds, type JobSelection } from './choose-jobs.ts';
import { noJobsText } from './no-jobs.ts';
import { printOtherServices } from './other-services.ts';
import { exitCodeOfChange, withJobs, type JobsOptions } from './with-jobs.ts';
import { writeEvent } from '../../write-event.ts';

/** The maximum number of names in a plan (`contract/contract.ts`). */
const MAX_LISTED = 1000;

export interface RenameOptions extends JobsOptions, JobSelection {
  /** Shows the new names without renaming. */
  readonly dryRun?: boolean;
}

/** Renames the files of the given or selected jobs by a template. */
export function renameJobs(
  nameTemplate: string,
  givenIds: readonly string[],
  options: RenameOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout, stderr } = context;
  return withJobs(options, context, async ({ client }) => {
    const ids = await givenOrSelectedIds(client, givenIds, options, ['done']);
    if (ids.length === 0) {
      if (options.json) writeEvent(context, { event: 'renamed', renamed: 0, refused: [] });
      else stdout.write(`${noJobsText(options, ['done'])}\n`);
      await printOtherServices(client, options, context);
      return EXIT.allSaved;
    }
    const plan = await client.files.planRename({ ids, nameTemplate, limit: MAX_LISTED });
    const leftEmpty = emptyPlaceholdersText(plan.unknown);
    if (leftEmpty !== null) stderr.write(`${leftEmpty}\n`);
    if (options.dryRun) return printPlan(plan, ids.length, options.json, context);
    const { renamed, refused } = await client.files.rename({ ids, nameTemplate });
    if (options.json) writeEvent(context, { event: 'renamed', renamed, refused });
    for (const { id, title, failure } of refused) {
      stderr.write(`${id} “${plainText(title)}”: ${failureText(failure)}\n`);
    }
    if (!options.json) {
      stdout.write(`${formatCount(renamed, 'file')} ${renamed === 1 ? 'is' : 'are'} renamed.\n`);
    }
    return exitCodeOfChange(refused.length);
  });
}

function printPlan(
  { files, counts }: Awaited<ReturnType<Client['files']['planRename']>>,
  total: number,
  json: boolean | undefined,
  context: CommandContext,
): ExitCode {
  const { stdout } = context;
  if (json) writeEvent(context, { event: 'planned', counts, files });
  else {
    for (const { id, from, to, why } of files) {
      const becomes =
        to === null ? plainText(why?.message ?? '') : to === from ? 'unchanged' : plainText(to);
      stdout.write(`${plainText(from ?? id)} → ${becomes}\n`);
    }
    if (total > files.length) stdout.write(`and ${total - files.length} more\n`);
  }
  return exitCodeOfChange(counts.kept);
}
