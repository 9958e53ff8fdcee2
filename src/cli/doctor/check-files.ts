import { createLogUpdate } from 'log-update';
import type { Client } from '../../contract/contract.ts';
import type { FileFault, Verification } from '../../contract/files.ts';
import { summaryOf } from '../../host/summary-of.ts';
import { chosenJobs } from '../commands/jobs/choose-jobs.ts';
import { countWords, sizeWords } from '../display/numbers.ts';
import type { Finding } from './finding.ts';

/** The most files with faults that are named one by one. */
const TOLD_FAULTS = 20;

export interface FilesChecked {
  readonly finding: Finding;
  readonly faults: readonly FileFault[];
}

export interface FilesOptions {
  /** A batch's name or its id; all files when left out. */
  readonly batch?: string | undefined;
  /** Where progress is drawn in place; nowhere when left out. */
  readonly terminal?: NodeJS.WriteStream | undefined;
  readonly interrupted: AbortSignal;
}

/** Reads saved files once more, and compares length, container and SHA-256 with what was saved. */
export async function checkFiles(
  client: Client,
  { batch, terminal, interrupted }: FilesOptions,
): Promise<FilesChecked> {
  const ids = batch === undefined ? undefined : await idsOf(client, batch);
  if (ids?.length === 0) return { finding: concluded(NOTHING, []), faults: [] };
  const draw = terminal && createLogUpdate(terminal);
  const faults: FileFault[] = [];
  let last: Verification = NOTHING;
  try {
    const input = ids === undefined ? {} : { ids };
    for await (const update of await client.files.verify(input, { signal: interrupted })) {
      last = update;
      faults.push(...update.faults);
      draw?.(progressWords(update));
    }
  } catch (error) {
    if (!interrupted.aborted) throw error;
  } finally {
    draw?.clear();
    draw?.done();
  }
  return { finding: concluded(last, faults), faults };
}

/** A line for each file that is not as it was saved. */
export function faultLines(faults: readonly FileFault[]): string[] {
  const told = faults
    .slice(0, TOLD_FAULTS)
    .map(({ id, title, why }) => `${id} “${title}”: ${why.message}`);
  const more = faults.length - told.length;
  return more > 0 ? [...told, `… and ${more} more: spool jobs --state missing`] : told;
}

/** Files that would have to be fetched again; what cannot be read now may be whole. */
export function isLost({ found }: FileFault): boolean {
  return found !== 'unreadable';
}

const NOTHING: Verification = {
  ...{ checkedFiles: 0, totalFiles: 0, checkedBytes: 0, totalBytes: 0 },
  ...{ faults: [], recovered: 0 },
};

function concluded(
  { checkedFiles, totalFiles, checkedBytes, recovered }: Verification,
  faults: readonly FileFault[],
): Finding {
  const check = 'files';
  if (totalFiles === 0) return { check, state: 'good', message: 'No video has been saved yet.' };
  if (checkedFiles < totalFiles) {
    const message = `Only ${checkedFiles} of ${countWords(totalFiles, 'file')} were read.`;
    return { check, state: 'note', message };
  }
  const back = recovered === 0 ? '' : ` ${recovered} that had been missing or damaged are back.`;
  const read = `${countWords(totalFiles, 'file')} (${sizeWords(checkedBytes)})`;
  if (faults.length === 0) {
    return { check, state: 'good', message: `All of ${read} are as they were saved.${back}` };
  }
  const message = `${faults.length} of ${read} are not as they were saved.${back}`;
  const lost = faults.some(isLost);
  const advice = lost
    ? 'spool doctor --fix fetches them again, without rendering: no quota is spent.'
    : 'They could not be read: is their drive there?';
  return { check, state: 'bad', message, advice };
}

function progressWords({
  checkedFiles,
  totalFiles,
  checkedBytes,
  totalBytes,
}: Verification): string {
  const bytes = `${sizeWords(checkedBytes)} of ${sizeWords(totalBytes)}`;
  return `Reading saved files: ${checkedFiles} of ${totalFiles}, ${bytes}`;
}

async function idsOf(client: Client, batch: string): Promise<string[]> {
  const { batches } = await summaryOf(client);
  const ids: string[] = [];
  for await (const jobs of chosenJobs(client, { batch, state: ['done', 'missing'] }, batches)) {
    ids.push(...jobs.map(({ id }) => id));
  }
  return ids;
}
