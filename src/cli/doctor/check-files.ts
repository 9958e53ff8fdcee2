import { createLogUpdate } from 'log-update';
import type { Client } from '../../contract/contract.ts';
import type { FileIssue, Verification } from '../../contract/files.ts';
import { selectJobIds } from '../commands/jobs/choose-jobs.ts';
import { formatCount, formatSize } from '../display/numbers.ts';
import type { Finding } from './finding.ts';

/** The maximum number of damaged files that are listed. */
const MAX_LISTED_ERRORS = 20;

export interface FilesChecked {
  readonly finding: Finding;
  readonly errors: readonly FileIssue[];
}

export interface FilesOptions {
  /** A batch's name or its id; all files when left out. */
  readonly batch?: string | undefined;
  /** The terminal on which progress is redrawn; none when left out. */
  readonly terminal?: NodeJS.WriteStream | undefined;
  readonly interrupted: AbortSignal;
}

/** Reads saved files and compares length, container and SHA-256 with the recorded values. */
export async function checkFiles(
  client: Client,
  { batch, terminal, interrupted }: FilesOptions,
): Promise<FilesChecked> {
  const ids =
    batch === undefined ? undefined : await selectJobIds(client, { batch }, ['done', 'missing']);
  if (ids?.length === 0) return { finding: summarize(NO_FILES, []), errors: [] };
  const draw = terminal && createLogUpdate(terminal);
  const errors: FileIssue[] = [];
  let last: Verification = NO_FILES;
  try {
    const input = ids === undefined ? {} : { ids };
    for await (const update of await client.files.verify(input, { signal: interrupted })) {
      last = update;
      errors.push(...update.errors);
      draw?.(progressText(update));
    }
  } catch (error) {
    if (!interrupted.aborted) throw error;
  } finally {
    draw?.clear();
    draw?.done();
  }
  return { finding: summarize(last, errors), errors };
}

/** One line for each file that is not as it was saved. */
export function errorLines(errors: readonly FileIssue[]): string[] {
  const lines = errors
    .slice(0, MAX_LISTED_ERRORS)
    .map(({ id, title, why }) => `${id} “${title}”: ${why.message}`);
  const more = errors.length - lines.length;
  return more > 0 ? [...lines, `… and ${more} more: spool jobs --state missing`] : lines;
}

/** Whether a file must be downloaded again. An unreadable one may be intact. */
export function needsDownload({ found }: FileIssue): boolean {
  return found !== 'unreadable';
}

const NO_FILES: Verification = {
  checkedFiles: 0,
  totalFiles: 0,
  checkedBytes: 0,
  totalBytes: 0,
  errors: [],
  recovered: 0,
};

function summarize(
  { checkedFiles, totalFiles, checkedBytes, recovered }: Verification,
  errors: readonly FileIssue[],
): Finding {
  const check = 'files';
  if (totalFiles === 0) return { check, state: 'good', message: 'No video has been saved yet.' };
  if (checkedFiles < totalFiles) {
    const message = `Only ${checkedFiles} of ${formatCount(totalFiles, 'file')} were read.`;
    return { check, state: 'note', message };
  }
  const recoveredText =
    recovered === 0 ? '' : ` ${recovered} that had been missing or damaged are back.`;
  const read = `${formatCount(totalFiles, 'file')} (${formatSize(checkedBytes)})`;
  if (errors.length === 0) {
    return {
      check,
      state: 'good',
      message: `${totalFiles === 1 ? `${read} is` : `All ${read} are`} intact.${recoveredText}`,
    };
  }
  const message = `${errors.length} of ${read} ${errors.length === 1 ? 'is' : 'are'} missing, damaged or unreadable.${recoveredText}`;
  const lost = errors.some(needsDownload);
  const advice = lost
    ? 'spool doctor --fix restores them at no cost.'
    : 'They could not be read. Is their drive connected?';
  return { check, state: 'bad', message, advice };
}

function progressText({
  checkedFiles,
  totalFiles,
  checkedBytes,
  totalBytes,
}: Verification): string {
  const bytes = `${formatSize(checkedBytes)} of ${formatSize(totalBytes)}`;
  return `Reading saved files: ${checkedFiles} of ${totalFiles}, ${bytes}`;
}
