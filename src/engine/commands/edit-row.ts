/** Changes a job's row, and all that follows from it: request, title, preset and file name. */
import path from 'node:path';
import type { RowEdit } from '../../contract/job.ts';
import { joinMessages, userMessage } from '../../contract/user-message.ts';
import { picturesIn, textsIn } from '../../contract/picture-value.ts';
import { nameFromTemplate } from '../downloads/naming.ts';
import { EngineError, NotPossibleNowError } from '../engine-error.ts';
import { editRow, storedRow, type StoredRow } from '../intake/edited-row.ts';
import { Brands } from '../intake/brands.ts';
import { checkFiles, type RowFileChecks, type TakesFiles } from '../intake/check-files.ts';
import { VARIANT_SEPARATOR } from '../intake/intake-row.ts';
import { requestOf } from '../intake/row-values.ts';
import type { NamingFacts } from '../jobs/job-files.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { RowOfJob } from '../jobs/job-store.ts';
import type { Store } from '../jobs/store.ts';
import { takesFiles } from '../profiles/taken-files.ts';
import type { Needs } from './command-context.ts';
import { settleNamesOf } from './names-in-folder.ts';
import { assertPaidOnce } from './paid-twice.ts';
import { nameValues } from './rename-plan.ts';

/** A job, and what to change of its row. */
export interface WantedEdit {
  readonly job: JobRow;
  readonly edit: RowEdit;
}

/** The context of edits. */
type EditContext = Needs<'store' | 'profile' | 'serviceInfo' | 'readings'> & {
  readonly rowOf: RowReader;
};

/** Reads the row of a job. */
type RowReader = (id: number) => StoredRow;

/** A reader that parses a template once: rows of a batch share theirs. */
export function rowReader({ jobs }: Pick<Store, 'jobs'>): RowReader {
  const templates = new Map<string, StoredRow['template']>();
  return (id) => {
    const row = jobs.row(id);
    const template = templates.get(row.template) ?? storedRow(row).template;
    templates.set(row.template, template);
    return { template, values: row.values };
  };
}

/**
 * Checks edits. The caller stores them before it awaits anything else, or runs all edits and
 * everything that adds rows one after another.
 * @returns for each job what `storeEdit` takes, `null` when nothing changes, or why it is not
 *   possible: a value is not allowed, or another job has the request and would be paid for twice
 */
export async function planEdits(
  wanted: readonly WantedEdit[],
  context: EditContext,
): Promise<ReadonlyMap<number, EditedJob | EngineError | null>> {
  const planned = new Map<number, EditedJob | EngineError | null>();
  const changed: ChangedRow[] = [];
  const requests = new Set<string>();
  for (const { job, edit } of wanted) {
    try {
      const row = await planRow(job, edit, requests, context);
      if (row === null) planned.set(job.id, null);
      else changed.push(row);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      planned.set(job.id, error);
    }
  }
  const names = await fileNamesOf(changed, context.store);
  for (const each of changed) {
    const { job, row } = each;
    const fileName = names.get(job.id) ?? job.fileName;
    planned.set(job.id, { row, fileName, variant: variantOf(each) });
  }
  return planned;
}

/** A job whose row changes. */
interface ChangedRow {
  readonly job: JobRow;
  readonly before: StoredRow;
  readonly row: RowOfJob;
}

/** @param requests of the jobs that were planned together, which this adds to */
async function planRow(
  job: JobRow,
  edit: RowEdit,
  requests: Set<string>,
  context: EditContext,
): Promise<ChangedRow | null> {
  const { before, edited, request } = await readEdit(job.id, edit, context);
  const { template, values } = edited;
  if (request.bodySha256 !== job.bodySha256) {
    const { bodySha256 } = request;
    assertPaidOnce({ id: job.id, bodySha256, group: null }, context.store, 'edit-to-duplicate');
    if (requests.has(request.bodySha256))
      throw new NotPossibleNowError(
        userMessage('edit-to-same', { title: request.title ?? job.title }),
      );
    requests.add(request.bodySha256);
  } else if (isSameRow(before, edited)) return null;
  const title = request.title ?? titleWithout(before, job);
  const row = { ...request, title, values, template: JSON.stringify(template) };
  return { job, before, row };
}

/**
 * The row of a job before and after an edit, and the request that it then makes. Stores nothing.
 * @throws {EngineError} for a value that is not allowed
 */
export async function readEdit(
  id: number,
  edit: RowEdit,
  { profile, serviceInfo, readings, rowOf }: Omit<EditContext, 'store'>,
): Promise<{
  readonly before: StoredRow;
  readonly edited: StoredRow;
  readonly request: ReturnType<typeof requestOf>;
}> {
  const before = rowOf(id);
  const reading = editRow(before, edit, profile.request);
  if (reading.kind === 'invalid') throw new EngineError(reading.error);
  const { template } = reading;
  const values = await checkedPictures(before, reading, {
    files: readings.files,
    takes: takesFiles(profile, serviceInfo.isLocal),
  });
  return { before, edited: { template, values }, request: requestOf(template, values) };
}

/**
 * The values with the pictures that the edit names. A full path is the user's choice; another one is in
 * the folder of the picture before. No table gets here: its cells are checked when it is added.
 * @throws {EngineError} for one that cannot be used
 */
async function checkedPictures(
  before: StoredRow,
  { template, values }: StoredRow,
  checks: { readonly files: RowFileChecks; readonly takes: TakesFiles },
): Promise<StoredRow['values']> {
  const had = new Map(before.values);
  const brands = new Brands(template);
  const isOther = brands.nameIn(values) !== brands.nameIn(before.values);
  const checked = await checkFiles(values, template, checks, (name, text) => {
    const earlier = had.get(name) ?? '';
    if (textsIn(earlier).includes(text)) return null;
    const file = path.isAbsolute(text) ? text : picturesIn(earlier)[0]?.path;
    return { folder: file && path.dirname(file) };
  });
  const error = isOther
    ? { column: brands.column ?? '', what: userMessage('brand-of-queued') }
    : checked.errors[0];
  if (error === undefined) return checked.values;
  const { column } = error;
  const isNowhere = error.what.says.some(({ sentence }) => sentence === 'picture-without-folder');
  const what = isNowhere ? userMessage('picture-not-full-path') : error.what;
  const place = userMessage('at-field', { field: template.columns[column]?.label?.en ?? column });
  throw new EngineError({ code: 'value-invalid', ...joinMessages(place, what), column });
}

/** A job's new row, and its file's name. */
export interface EditedJob {
  readonly row: RowOfJob;
  readonly fileName: string | null;
  readonly variant: string | null;
}

/** Joins the caller's transaction. */
export function storeEdit(id: number, edited: EditedJob, { jobs }: Store): void {
  const { row, fileName, variant } = edited;
  jobs.replaceRow(id, row);
  jobs.change(id, { fileName, variant });
}

/** What distinguishes a video of a row, with the new value of each column that does. */
function variantOf({ job: { variant }, before, row }: ChangedRow): string | null {
  if (variant === null) return null;
  const parts = variant.split(VARIANT_SEPARATOR).map((part) => {
    const [name] = before.values.find(([, value]) => value === part) ?? [];
    const now = row.values.find(([column]) => column === name)?.[1];
    return typeof now === 'string' ? now : part;
  });
  return parts.filter((part) => part !== '').join(VARIANT_SEPARATOR) || null;
}

function isSameRow(one: StoredRow, other: StoredRow): boolean {
  return (
    one.template === other.template && JSON.stringify(one.values) === JSON.stringify(other.values)
  );
}

/** The title of a row whose video has none: its number, once the title that it had is removed. */
function titleWithout({ template, values }: StoredRow, { title, rowNumber }: JobRow): string {
  const had = requestOf(template, values).title !== null;
  return had && rowNumber !== null ? `Row ${rowNumber}` : title;
}

/**
 * The names of jobs whose batch's template makes another one of the new values; by job id. Names are
 * numbered where the batch would skip the row: the user wants this video.
 */
async function fileNamesOf(
  changed: readonly ChangedRow[],
  store: Store,
): Promise<ReadonlyMap<number, string>> {
  const { files, batches } = store;
  const namesOf = ({ job, before, row: { title, values } }: ChangedRow, known: NamingFacts) => {
    const batch = batches.get(job.batchId);
    const nameOf = (row: JobRow, of: StoredRow['values']): string =>
      nameFromTemplate(batch.nameTemplate, nameValues(row, batch, { ...known, values: of }));
    return { was: nameOf(job, before.values), is: nameOf({ ...job, title }, values) };
  };
  // Its place is the same before and after: it is looked up only where something else changes.
  const renamed = changed.filter((each) => {
    const { was, is } = namesOf(each, { id: each.job.id, place: 1, batchSize: 1, values: [] });
    return was !== is;
  });
  if (renamed.length === 0) return new Map();
  const facts = files.namingFacts(renamed.map(({ job }) => job.id));
  const wanted = renamed.flatMap((each) => {
    const known = facts.get(each.job.id);
    return known === undefined ? [] : [{ job: each.job, name: namesOf(each, known).is }];
  });
  const settled = await settleNamesOf(wanted, store, ({ onCollision }) =>
    onCollision === 'skip' ? 'number' : onCollision,
  );
  return new Map([...settled].map(([id, { name }]) => [id, name]));
}
