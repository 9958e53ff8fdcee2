import type { Client } from '../../../contract/contract.ts';
import type { Job } from '../../../contract/job.ts';
import { csvFile, jsonFile, type TableRow } from '../../../engine/commands/exported-table.ts';
import type { CommandContext } from '../../command-context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { writeExport, type WrittenExport } from '../../new-file.ts';
import { selectJobs, type JobSelection } from './choose-jobs.ts';
import { withJobs, type JobsOptions } from './with-jobs.ts';

export interface ExportOptions extends JobsOptions, JobSelection, WrittenExport {
  readonly json?: boolean;
  readonly format: 'csv' | 'json';
}

const COLUMNS = [
  'job',
  'batch',
  'row',
  'title',
  'variant',
  'state',
  'priority',
  'id at the service',
  'added at',
  'accepted at',
  'rendered at',
  'saved at',
  'file',
  'bytes',
  'seconds',
  'sha256',
  'failure',
  'failure code',
  'detail',
];

/** Writes the selected jobs as a table: CSV whose cells contain no formulas, or JSON. */
export function exportJobs(options: ExportOptions, context: CommandContext): Promise<ExitCode> {
  return withJobs(options, context, async ({ client }) => {
    const pieces = await readRows(client, options, context.interrupted);
    await writeExport(options, pieces, context);
    return EXIT.allSaved;
  });
}

/**
 * All rows are read before anything is written: the queue may change meanwhile, the table must not.
 */
async function readRows(
  client: Client,
  { format, ...choice }: ExportOptions,
  interrupted: AbortSignal,
): Promise<Iterable<string>> {
  const pages: TableRow[][] = [];
  for await (const jobs of selectJobs(client, choice, interrupted)) {
    pages.push(jobs.map(rowOf));
  }
  return format === 'csv' ? csvFile(COLUMNS, pages) : jsonFile(pages);
}

function rowOf(job: Job): TableRow {
  return {
    job: job.id,
    batch: job.batchName,
    row: job.row,
    title: job.title,
    variant: job.variant,
    state: job.state,
    priority: job.priority,
    'id at the service': job.remoteId,
    'added at': moment(job.addedAt),
    'accepted at': moment(job.submittedAt),
    'rendered at': moment(job.readyAt),
    'saved at': moment(job.savedAt),
    file: job.file?.path ?? null,
    bytes: job.file?.bytes ?? null,
    seconds: job.file?.durationSeconds ?? null,
    sha256: job.file?.sha256 ?? null,
    failure: job.failure?.message ?? null,
    'failure code': job.failure?.code ?? null,
    detail: job.failure?.detail ?? null,
  };
}

function moment(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
