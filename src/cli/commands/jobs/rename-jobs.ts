import type { Client } from '../../../contract/contract.ts';
import type { CommandContext } from '../../command-context.ts';
import { countWords } from '../../display/numbers.ts';
import { failureWords } from '../../display/sentences.ts';
import { plainText } from '../../display/text-cells.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { idsOfChoice, type JobChoice } from './choose-jobs.ts';
import { tellOtherServices } from './other-services.ts';
import { exitCodeOfChange, withJobs, writeEvent, type JobsSettings } from './with-jobs.ts';

/** The most names that a plan tells (`contract/contract.ts`). */
const SHOWN = 1000;

export interface RenameSettings extends JobsSettings, JobChoice {
  /** Says what the names would be, and changes nothing. */
  readonly dryRun?: boolean;
}

/** Gives the files of the jobs that are named, or of those that are chosen, names by a template. */
export function renameJobs(
  nameTemplate: string,
  named: readonly string[],
  settings: RenameSettings,
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout, stderr } = context;
  return withJobs(settings, context, async ({ client }) => {
    const ids =
      named.length > 0 ? [...new Set(named)] : await idsOfChoice(client, settings, ['done']);
    if (ids.length === 0) {
      if (settings.json) writeEvent(context, { event: 'renamed', renamed: 0, refused: [] });
      else stdout.write('There are no such videos.\n');
      await tellOtherServices(client, settings, context);
      return EXIT.allSaved;
    }
    const plan = await client.files.planRename({ ids, nameTemplate, limit: SHOWN });
    if (plan.unknown.length > 0) {
      const unknown = plan.unknown.map((name) => `{${plainText(name)}}`).join(', ');
      stderr.write(`There is no column called ${unknown}. It is left empty.\n`);
    }
    if (settings.dryRun) return tellPlan(plan, ids.length, settings, context);
    const { renamed, refused } = await client.files.rename({ ids, nameTemplate });
    if (settings.json) writeEvent(context, { event: 'renamed', renamed, refused });
    for (const { id, title, failure } of refused) {
      stderr.write(`${id} “${plainText(title)}”: ${failureWords(failure)}\n`);
    }
    if (!settings.json) {
      stdout.write(`${countWords(renamed, 'file')} ${renamed === 1 ? 'is' : 'are'} renamed.\n`);
    }
    return exitCodeOfChange(refused.length);
  });
}

function tellPlan(
  { files, counts }: Awaited<ReturnType<Client['files']['planRename']>>,
  total: number,
  { json }: RenameSettings,
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
