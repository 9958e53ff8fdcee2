import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Batch } from '../../../contract/batch.ts';
import type { Client } from '../../../contract/contract.ts';
import type { Job } from '../../../contract/job.ts';
import { inEnglish } from '../../../contract/told.ts';
import { csvFile, jsonFile, type TableRow } from '../../../engine/activity/exported-table.ts';
import { EngineError } from '../../../engine/engine-error.ts';
import type { CommandContext } from '../../command-context.ts';
import { nearPath } from '../../display/report.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { summaryOf } from '../../../host/summary-of.ts';
import { chosenJobs, type JobChoice } from './choose-jobs.ts';
import { withJobs, type JobsSettings } from './with-jobs.ts';

export interface ExportSettings extends JobsSettings, JobChoice {
  /** A new file; standard output when left out. */
  readonly out?: string;
  readonly format: 'csv' | 'json';
}

/** The file for an export cannot be written, or is there already. */
export class ExportFileError extends EngineError {
  constructor(file: string, cause: unknown) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    const message = isThere
      ? `${file} is there already; nothing was written.`
      : `${file} cannot be written.`;
    const code = isThere ? 'not-possible-now' : 'folder-unusable';
    super({ code, ...inEnglish(message) }, { cause });
  }
}

const COLUMNS = [
  ...['job', 'batch', 'row', 'title', 'state', 'priority', 'id at the service'],
  ...['added at', 'accepted at', 'rendered at', 'saved at'],
  ...['file', 'bytes', 'seconds', 'sha256', 'failure', 'failure code', 'detail'],
];

/** Writes the chosen jobs as a table: CSV whose cells are no formulas, or JSON. */
export function exportJobs(settings: ExportSettings, context: CommandContext): Promise<ExitCode> {
  const { stdout, cwd } = context;
  return withJobs(settings, context, async ({ client }) => {
    const { batches } = await summaryOf(client);
    const pieces = await tableOf(client, settings, batches);
    if (settings.out === undefined) {
      for (const piece of pieces) stdout.write(piece);
      return EXIT.allSaved;
    }
    const file = path.resolve(cwd, settings.out);
    try {
      await writeFile(file, pieces, { flag: 'wx' });
    } catch (error) {
      throw new ExportFileError(file, error);
    }
    stdout.write(`Written to ${nearPath(file, cwd)}.\n`);
    return EXIT.allSaved;
  });
}

/** Read whole before anything is written: the queue may change on the way, and a table may not. */
async function tableOf(
  client: Client,
  { format, ...choice }: ExportSettings,
  batches: readonly Batch[],
): Promise<Iterable<string>> {
  const names = new Map(batches.map(({ id, name }) => [id, name]));
  const pages: TableRow[][] = [];
  for await (const jobs of chosenJobs(client, choice, batches)) {
    pages.push(jobs.map((job) => rowOf(job, names.get(job.batchId) ?? null)));
  }
  return format === 'csv' ? csvFile(COLUMNS, pages) : jsonFile(pages);
}

function rowOf(job: Job, batch: string | null): TableRow {
  return {
    job: job.id,
    batch,
    row: job.row,
    title: job.title,
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
