import type { CostGroup } from '../../contract/cost-groups.ts';
import type { CostSum } from '../../contract/costs.ts';
import { isUnlimited } from '../../contract/this-computer.ts';
import { summaryOf } from '../../host/summary-of.ts';
import type { CommandContext } from '../command-context.ts';
import { canvasOf } from '../display/canvas.ts';
import { spentText } from '../display/spent-text.ts';
import { table } from '../display/table.ts';
import { plainText } from '../display/safe-text.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { writeExport } from '../new-file.ts';
import { withJobs, type JobsOptions } from './jobs/with-jobs.ts';
import { writeEvent } from '../write-event.ts';

export interface CostOptions extends JobsOptions {
  readonly by: CostGroup;
  /** Writes a table for spreadsheets instead of one for people. */
  readonly csv?: true;
  /** With `csv`: a new file; standard output when left out. */
  readonly out?: string;
}

/** Shows what videos have cost, summed by week, month, batch or service. */
export function showCost(options: CostOptions, context: CommandContext): Promise<ExitCode> {
  return withJobs(options, context, async ({ client }) => {
    const { by } = options;
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (options.csv === true || options.out !== undefined) {
      const pieces: string[] = [];
      const wanted = { what: 'costs', by, zone, format: 'csv' } as const;
      for await (const { text } of await client.activity.export(wanted)) pieces.push(text);
      await writeExport(options, pieces, context);
      return EXIT.allSaved;
    }
    const { sums } = await client.activity.costs({ by, zone });
    if (options.json) {
      for (const sum of sums) writeEvent(context, { event: 'cost', by, ...sum });
      return EXIT.allSaved;
    }
    const isFree = isUnlimited(await summaryOf(client)) && by !== 'service';
    const rows = sums.map((sum) => [nameOf(sum), String(sum.videos), spentText(sum, isFree)]);
    const { stdout } = context;
    stdout.write(
      rows.length === 0
        ? 'Nothing was spent.\n'
        : `${table([by, 'rendered', 'cost'], rows, canvasOf(stdout)).join('\n')}\n`,
    );
    return EXIT.allSaved;
  });
}

function nameOf({ key, name }: CostSum): string {
  return plainText(name ?? key);
}
