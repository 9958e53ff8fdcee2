import path from 'node:path';
import type { PlannedRename } from '../../contract/files.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { nameKey } from '../downloads/file-name.ts';
import {
  ALWAYS_NAMED,
  nameBelow,
  nameFromTemplate,
  settleNames,
  unknownPlaceholders,
} from '../downloads/naming.ts';
import type { BatchRow } from '../jobs/batch-store.ts';
import type { NamingFacts } from '../jobs/job-files.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import { textsOf } from '../intake/cell.ts';
import { namesOnDisk } from './names-in-folder.ts';

/** The new name of one file, with the job that it belongs to. */
export interface FilePlan extends Omit<PlannedRename, 'id' | 'title'> {
  readonly job: JobRow;
}

/** What renaming by a template would do. Planning changes nothing. */
export interface RenamePlanning {
  /** In the order of the jobs. */
  readonly files: readonly FilePlan[];
  readonly placeholders: readonly string[];
  /** Placeholders of the template that have no value; they become empty text. */
  readonly unknown: readonly string[];
}

/** A file that can be renamed, going by its job alone. */
interface Candidate {
  readonly job: JobRow;
  readonly batch: BatchRow;
  /** Its present name and the one that the template makes, both inside the batch's folder. */
  readonly from: string;
  readonly wanted: string;
}

type PlannedName = Omit<FilePlan, 'job'>;

/**
 * Gives each saved file the name that a template makes. It appends a number where another file has
 * that name: a file on the disk, of a video that is not saved yet, or earlier in this plan. Files
 * in this plan may take each other's old names.
 */
export async function planRenames(
  jobs: readonly JobRow[],
  nameTemplate: string,
  store: Pick<Store, 'batches' | 'files'>,
): Promise<RenamePlanning> {
  const facts = store.files.namingFacts(jobs.map(({ id }) => id));
  const decisions = new Map<JobRow, PlannedName>();
  const candidates = jobs.flatMap((job): Candidate[] => {
    const batch = store.batches.get(job.batchId);
    const from = job.filePath === null ? null : nameBelow(batch.folder, job.filePath);
    if (from === null || job.state !== 'done') {
      decisions.set(job, { from, to: null, outcome: 'kept', why: whyNot(job) });
      return [];
    }
    const wanted = nameFromTemplate(nameTemplate, nameValues(job, batch, facts.get(job.id)));
    return [{ job, batch, from, wanted }];
  });
  const folderOf = ({ batch }: Candidate): string => path.resolve(batch.folder);
  for (const [folder, inFolder] of Map.groupBy(candidates, folderOf)) {
    for (const [job, decision] of await settle(folder, inFolder, store))
      decisions.set(job, decision);
  }
  const columns = [...facts.values()].flatMap(({ values }) => values.map(([name]) => name));
  const placeholders = [...new Set([...columns, ...ALWAYS_NAMED])];
  return {
    files: jobs.flatMap((job) => {
      const decision = decisions.get(job);
      return decision ? [{ job, ...decision }] : [];
    }),
    placeholders,
    unknown: unknownPlaceholders(nameTemplate, placeholders),
  };
}

/**
 * The row's values, as they are for a batch that is added, with one exception: `index` counts the
 * batch's videos without gaps although rows of the file were left out.
 */
export function nameValues(
  job: JobRow,
  batch: BatchRow,
  facts: NamingFacts | undefined,
): Readonly<Record<string, string | number>> {
  const { values = [], place = 1, batchSize = 1 } = facts ?? {};
  const index = String(place).padStart(String(batchSize).length, '0');
  return {
    ...textsOf(values),
    row: job.rowNumber ?? '',
    batch: batch.name,
    title: job.title,
    index,
  };
}

async function settle(
  folder: string,
  candidates: readonly Candidate[],
  { files }: Pick<Store, 'files'>,
): Promise<ReadonlyMap<JobRow, PlannedName>> {
  const decisions = new Map<JobRow, PlannedName>();
  const onDisk = await namesOnDisk(
    folder,
    candidates.flatMap(({ from, wanted }) => [from, wanted]),
  );
  const listed = [...onDisk.values()].flatMap((names) => names ?? []);
  const there = new Set(listed.map(nameKey));
  const movable = candidates.filter(({ job, from }) => {
    const isReadable = onDisk.get(path.posix.dirname(from)) !== null;
    if (there.has(nameKey(from)) || !isReadable) return true;
    decisions.set(job, { from, to: null, outcome: 'kept', why: userMessage('rename-gone') });
    return false;
  });
  const movableIds = movable.map(({ job }) => job.id);
  const ofOthers = namesOfOthers(
    listed,
    movable.map(({ from }) => from),
  );
  const taken = { ofJobs: files.namesIn(folder, movableIds), onDisk: ofOthers };
  const names = movable.map(({ job, wanted }) => ({ id: String(job.id), name: wanted }));
  const settled = new Map(settleNames(names, 'number', taken).map((name) => [name.id, name.name]));
  for (const { job, from, wanted } of movable) {
    const to = settled.get(String(job.id)) ?? from;
    const outcome = to === from ? 'unchanged' : to === wanted ? 'renamed' : 'numbered';
    decisions.set(job, { from, to, outcome, why: null });
  }
  return decisions;
}

/**
 * Names on the disk that are not in `own`. A disk may return accents in another Unicode form than
 * the stored name has; such a name counts as the same.
 */
function namesOfOthers(listed: readonly string[], own: readonly string[]): readonly string[] {
  const exact = new Set(listed);
  const exactOwn = new Set(own.filter((name) => exact.has(name)));
  const otherForm = new Set(
    own.filter((name) => !exact.has(name)).map((name) => name.normalize('NFC')),
  );
  return listed.filter((name) => !exactOwn.has(name) && !otherForm.has(name.normalize('NFC')));
}

function whyNot({ state, failure }: JobRow): UserMessage {
  if (state !== 'missing') return userMessage('not-saved-yet');
  return userMessage(failure?.code === 'file-damaged' ? 'rename-damaged' : 'rename-gone');
}
