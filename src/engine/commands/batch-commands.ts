/** The calls on batches: check and plan the rows of a source, and add them. */
import path from 'node:path';
import type {
  AddedBatch,
  BatchOptions,
  BatchPlan,
  BatchSource,
  DuplicateMatch,
  PlannedRow,
} from '../../contract/batch.ts';
import { picturesIn } from '../../contract/picture-value.ts';
import { errorsAmong } from '../../contract/errors-among.ts';
import { ALWAYS_NAMED, unknownPlaceholders } from '../downloads/naming.ts';
import { EngineError, FolderUnusableError, PlanOutdatedError } from '../engine-error.ts';
import { makeFolder } from '../files/make-folder.ts';
import { findMissing } from '../flow/saved-files.ts';
import { withHeaders } from '../intake/describe-fields.ts';
import { copyTableAside, moveChoicesAside, readColumnAside } from '../intake/read-batch-aside.ts';
import { templateFile } from '../intake/template-table.ts';
import { loadSource } from '../intake/tables/table-source.ts';
import { NO_WAIT, UNMADE } from '../jobs/job-row.ts';
import { separatorLike } from '../csv-line.ts';
import type { OtherRow } from '../flow/results-files.ts';
import type { NewJob } from '../jobs/job-store.ts';
import type { Store } from '../jobs/store.ts';
import { estimateCost } from '../profiles/cost.ts';
import { profileHash } from '../profiles/profile.ts';
import type { NewRowForecast, Prospect } from '../view/forecasts.ts';
import type { CommandContext } from './command-context.ts';
import type { Commands } from './handlers.ts';
import { prepareBatch, type PreparedBatch, type PreparedRow } from './prepared-batch.ts';
import { notSavedOf, WITHOUT_FILE } from './not-saved.ts';
import { lookForKey } from './queue-commands.ts';
import { quarantineDamaged } from './retry-commands.ts';
import { duplicateGroup, paidAlike } from './paid-twice.ts';
import { isUndecided } from './retry-kind.ts';
import type { RowDecision, RowMatch } from './row-decisions.ts';
import type { RequestTemplate } from '../intake/request-template.ts';
import { misfitTexts } from './misfit-texts.ts';
import { undrawableTexts } from './undrawable-texts.ts';

/** How long a plan waits for the first balance. */
const FIRST_BALANCE_MS = 2000;

/** Rows whose videos are not saved yet. */
const COMING: readonly PlannedRow['outcome'][] = ['new', 'downloaded-again', 'already-queued'];

const NOTHING_AHEAD: NewRowForecast = {
  forecast: { sendAt: null, readyAt: null, savedAt: null },
  savedBetween: null,
  wait: null,
};

/** Plans what adding a batch would do, and adds it. */
export function batchCommands(context: CommandContext): Omit<Commands['batches'], 'result'> {
  const { store, clock, naming, runtime, flow, quota, balance, api, key, profile } = context;
  return {
    list: () =>
      store.batches
        .all()
        .map(({ id, name, folder, addedAt }) => ({ id: String(id), name, folder, addedAt })),

    async plan({ source, options, show, awaitsBalance }) {
      // Starts a new request if the known balance is old; watchers get the result.
      balance.want();
      const known = awaitsBalance ? await balance.first(FIRST_BALANCE_MS) : balance.view();
      const prepared = await prepareBatch(context, source, options, show);
      const { reading, rows } = prepared;
      const { languages } = reading;
      const inNames = languages.length > 0 ? ['language'] : [];
      const placeholders = [...new Set([...reading.columns, ...inNames, ...ALWAYS_NAMED])];
      const { planned, savedBetween } = forecastRows(rows, reading.rowTemplate, context);
      const waiting = store.jobs.counts.sum(['queued', 'reserved']);
      const sent = rows.filter(({ outcome }) => outcome === 'new');
      const rendered = sent.map(({ decision }) => decision.row);
      const undrawable = await undrawableTexts(rendered, reading, context.findUndrawable);
      const misfits = await misfitTexts(rendered, reading, context.checkLayouts);
      const savedAt = planned
        .filter(({ outcome }) => COMING.includes(outcome))
        .map(({ forecast }) => forecast.savedAt);
      return {
        origin: key.status.origin,
        profile: profileHash(profile),
        name: reading.name,
        files: [...reading.files],
        columns: [...reading.columns],
        fileColumns: [...reading.fileColumns],
        fields: [...reading.fields],
        sentAsNumbers: [...reading.sentAsNumbers],
        samples: [...reading.samples],
        template: reading.template,
        naming: {
          folder: prepared.folder,
          ...prepared.naming,
          placeholders,
          unknown: unknownPlaceholders(prepared.naming.nameTemplate, placeholders),
        },
        rows: planned,
        issues: [...prepared.issues, ...undrawable, ...misfits],
        invalidRows: [...reading.invalidRows],
        leftOut: reading.leftOut.map(({ row, name, issues }) => ({ row, name, issues })),
        savedBy:
          savedAt.length === 0 || savedAt.includes(null)
            ? null
            : Math.max(...savedAt.map((at) => at ?? 0)),
        savedBetween: savedAt.includes(null) ? null : savedBetween,
        cost: estimateCost(
          profile,
          sent.map(({ decision }) => decision.row.values),
        ),
        balance: known,
        tellsBalance: api.cost.balance !== null,
        notThisCycle: Math.max(0, sent.length - Math.max(0, quota.room - waiting)),
      };
    },

    async columnValues({ source, options, column }) {
      const loaded = await loadSource(source);
      return readColumnAside(loaded, profile.request, options, column);
    },

    async moveChoices({ from, to, options }) {
      const [earlier, later] = await Promise.all([loadSource(from), loadSource(to)]);
      return moveChoicesAside(earlier, later, profile.request, options);
    },

    async copy({ source, options, ...wanted }) {
      const loaded = await loadSource(source);
      const { bytes, ...copy } = await copyTableAside(loaded, profile.request, options, wanted);
      return { ...copy, base64: Buffer.from(bytes).toString('base64') };
    },

    async template({ format, language }) {
      const { name, type, bytes } = await templateFile(profile.request, format, language);
      return { name, type, base64: Buffer.from(bytes).toString('base64') };
    },

    /**
     * Batches are added one after the other, so that the same rows added from two windows are
     * recognised as duplicates.
     */
    async add({ profile: planned, source, options }) {
      if (flow.profileFailure) throw new EngineError(flow.profileFailure);
      // With another profile, the requests and their costs differ from those that the user was shown.
      if (planned !== undefined && planned !== profileHash(profile)) throw new PlanOutdatedError();
      await findFilesOfRows(context, source, options);
      const added = await naming.run(async () => {
        for (;;) {
          const prepared = await prepareBatch(context, source, options);
          await assertAddable(prepared, store);
          await quarantineDamagedFiles(prepared, store);
          const result = store.transactions.write(() => {
            if (!isCurrent(prepared, store)) return null;
            store.patterns.remember(source.name, options, clock.now());
            return addBatch(prepared, store, clock.now());
          });
          if (!result) continue;
          await beginResults(context, Number(result.batchId), source, options, prepared);
          return result;
        }
      });
      runtime.rowsChanged();
      runtime.backUp();
      lookForKey(context);
      await context.readings.forget(source, profile.request, options);
      return added;
    },

    recall: ({ name }) => store.patterns.recall(name),

    notSaved({ batchId }) {
      return notSavedOf(store.jobs.failures(store.batches.get(Number(batchId)).id, WITHOUT_FILE));
    },
  };
}

/** Keeps a table of the results beside the source; beside its videos where that is not known. */
async function beginResults(
  { results, defaults }: CommandContext,
  batchId: number,
  { name, content, folder, further = [] }: BatchSource,
  { results: isWanted = defaults().resultsFiles === true }: BatchOptions,
  { reading, rows, folder: videos }: PreparedBatch,
): Promise<void> {
  // A pasted text and the form of one video are no files.
  if (!isWanted || typeof content === 'string') return;
  const leftOut = reading.leftOut.map(({ row, name: title, issues }): OtherRow => ({
    row,
    title,
    state: 'left out',
    reason: issues.map(({ message }) => message).join(' '),
  }));
  const skipped = rows.flatMap(({ decision, outcome }): OtherRow[] => {
    const { rowInFile: row, title } = decision.row;
    if (outcome === 'duplicate-skipped') return [{ row, title, state: 'duplicate', reason: '' }];
    return outcome === 'in-other-batch'
      ? [{ row, title, state: 'in another batch', reason: '' }]
      : [];
  });
  const source = further.length === 0 ? path.parse(path.basename(name)).name : reading.name;
  await results.begin(batchId, folder ?? videos, source, {
    separator: separatorLike(reading.files[0]?.reading?.separator),
    others: [...leftOut, ...skipped],
  });
}

/** A file of the rows that is back, for example on its drive, needs no download. */
async function findFilesOfRows(
  context: CommandContext,
  source: BatchSource,
  options: BatchOptions,
): Promise<void> {
  const { store, clock, stop } = context;
  if (store.jobs.counts.total.missing === 0) return;
  const { rows } = await prepareBatch(context, source, options);
  const ids = rows.flatMap(({ decision }) => (decision.kind === 'there' ? [decision.job.id] : []));
  await findMissing(ids, store, clock, stop);
}

/** Creates the batch's folder. @throws {EngineError} for a batch that cannot be added */
async function assertAddable({ issues, folder }: PreparedBatch, { reserve }: Store): Promise<void> {
  const [error] = errorsAmong(issues);
  if (error) throw new EngineError(error);
  try {
    await makeFolder(folder);
  } catch (error) {
    throw new FolderUnusableError(folder, error);
  }
  // The space that is left is for the videos that are in the queue already.
  if (!reserve.isWhole) throw reserve.fullError();
}

async function quarantineDamagedFiles({ rows }: PreparedBatch, { jobs }: Store): Promise<void> {
  for (const { decision, outcome } of rows) {
    if (decision.kind !== 'there' || outcome !== 'downloaded-again') continue;
    await quarantineDamaged(jobs.find(decision.job.id));
  }
}

/**
 * Whether the jobs that are revived are as they were when that was decided, and those of other
 * batches still pending: a render may have been cancelled meanwhile, or a missing file found.
 */
function isCurrent({ rows }: PreparedBatch, { jobs }: Store): boolean {
  return rows.every(({ decision, outcome }) => {
    if (decision.kind === 'in-other-batch') return isUndecided(jobs.get(decision.job.id), jobs);
    const isRevived = outcome === 'new' || outcome === 'downloaded-again';
    if (decision.kind !== 'there' || !isRevived) return true;
    const { state, remoteId } = jobs.get(decision.job.id);
    return state === decision.job.state && remoteId === decision.job.remoteId;
  });
}

function forecastRows(
  rows: readonly PreparedRow[],
  { columns }: Pick<RequestTemplate, 'columns'>,
  { store, forecasts, clock }: CommandContext,
): Pick<BatchPlan, 'savedBetween'> & { readonly planned: PlannedRow[] } {
  const since = clock.now();
  const prospects = rows.flatMap(({ decision, outcome }): Prospect[] => {
    const { preset } = decision.row;
    if (outcome === 'new') return [{ stage: 'toSend', preset, since }];
    return outcome === 'downloaded-again' ? [{ stage: 'ready', preset, since }] : [];
  });
  const newRows = forecasts.ofNewRows(prospects);
  const last = newRows.reduce<NewRowForecast | undefined>(
    (latest, row) =>
      (row.forecast.savedAt ?? 0) >= (latest?.forecast.savedAt ?? 0) ? row : latest,
    undefined,
  );
  const ahead = newRows[Symbol.iterator]();
  const planned = rows.map(({ decision, outcome, choices, fileName }) => {
    const { variant } = decision.row;
    const isAhead = outcome === 'new' || outcome === 'downloaded-again';
    const { forecast, wait } = (isAhead ? ahead.next().value : undefined) ?? NOTHING_AHEAD;
    return {
      row: decision.row.row,
      ...(variant === '' ? {} : { variant }),
      ...pictureOf(decision.row, columns),
      title: decision.row.title,
      fileName,
      outcome,
      like: decision.like && matchOf(decision.like, store),
      choices: [...choices],
      forecast: 'job' in decision && !isAhead ? forecasts.of(decision.job.id) : forecast,
      wait,
    };
  });
  return { planned, savedBetween: last?.savedBetween ?? null };
}

/** The first picture of a row, as its request names it before it is sent. */
function pictureOf(
  row: RowDecision['row'],
  columns: RequestTemplate['columns'],
): Pick<PlannedRow, 'picture'> {
  const isPicture = (name: string): boolean => {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    return column?.type === 'picture' && (column.holds ?? 'picture') === 'picture';
  };
  if (!row.columns.some(isPicture)) return {};
  for (const [name, value] of row.values) {
    if (!isPicture(name)) continue;
    const [picture] = picturesIn(value);
    if (picture !== undefined) return { picture: `sha256:${picture.sha256}` };
  }
  return {};
}

function matchOf(like: RowMatch, { batches }: Store): DuplicateMatch {
  if (like.of === 'row') return like;
  const { batchId, state } = like.job;
  return { of: 'job', batch: batches.get(batchId).name, state };
}

/** Joins the caller's transaction. */
function addBatch(
  { reading, folder, naming, existing, rows }: PreparedBatch,
  { batches, jobs }: Store,
  at: number,
): AddedBatch {
  const batch = existing ?? batches.insert({ name: reading.name, folder, ...naming, addedAt: at });
  if (existing) batches.rename(existing.id, naming);
  const newRows = rows.filter(({ decision }) => 'occurrence' in decision);
  const template = JSON.stringify(withHeaders(reading.rowTemplate, reading));
  const groups = groupsOf(rows);
  const ids = jobs.insert(
    batch.id,
    newRows.map((row) => newJob(row, template, groups)),
    at,
  );
  const inserted = ids[Symbol.iterator]();
  const videos = rows.flatMap((row) => {
    const { decision } = row;
    if (decision.kind === 'there') reviveIfGone(decision, row, jobs, at);
    else if (!('occurrence' in decision)) return [];
    const id = decision.kind === 'there' ? decision.job.id : Number(inserted.next().value);
    return [{ id, row: decision.row.row, variant: decision.row.variant }];
  });
  const several = videos.filter(({ variant }) => variant !== '');
  for (const ofRow of Map.groupBy(several, ({ row }) => row).values()) jobs.joinRow(ofRow);
  const count = (outcome: PlannedRow['outcome']): number =>
    rows.filter((row) => row.outcome === outcome).length;
  const submitted = count('new');
  const downloadedAgain = count('downloaded-again');
  const inOtherBatches = rows.flatMap(({ decision }) =>
    decision.kind === 'in-other-batch' ? [String(decision.job.id)] : [],
  );
  return {
    batchId: String(batch.id),
    submitted,
    downloadedAgain,
    alreadyThere: rows.length - submitted - downloadedAgain - inOtherBatches.length,
    inOtherBatches,
    jobIds: videos.map(({ id }) => String(id)),
  };
}

/** By SHA-256, the group of the first job that rows of the file are like. */
function groupsOf(rows: readonly PreparedRow[]): ReadonlyMap<string, number> {
  const groups = new Map<string, number>();
  for (const { decision } of rows) {
    const { like, row } = decision;
    const job = 'job' in decision ? decision.job : like?.of === 'job' ? like.job : undefined;
    if (job && !groups.has(row.bodySha256)) groups.set(row.bodySha256, duplicateGroup(job));
  }
  return groups;
}

/**
 * Queues or downloads a job of this batch again if its row was added again and its file is gone.
 */
function reviveIfGone(
  { job, video, row: { bodySha256 } }: Extract<RowDecision, { kind: 'there' }>,
  { outcome, fileName }: PreparedRow,
  jobs: Store['jobs'],
  at: number,
): void {
  if (outcome === 'new') {
    // The user has seen that another job has this request.
    const other = paidAlike({ id: job.id, bodySha256, group: duplicateGroup(job) }, { jobs });
    if (other) jobs.restore(job.id, { duplicate_of: duplicateGroup(other) });
    jobs.move(job.id, 'retry', at, { ...UNMADE, fileName });
  }
  if (outcome === 'downloaded-again') {
    const isOther = job.state === 'cancelled' || job.remoteId !== video;
    const other = isOther ? { fileName, remoteId: video, videoDeleted: false } : {};
    const change = { ...NO_WAIT, failure: null, filePath: null, savedAt: null, ...other };
    jobs.move(job.id, 'downloadAgain', at, change);
  }
}

function newJob(
  { decision, outcome, fileName }: PreparedRow,
  template: string,
  groups: ReadonlyMap<string, number>,
): NewJob {
  if (!('occurrence' in decision)) throw new Error('It is no new job.');
  const { rowInFile: row, title, preset, body, bodySha256, values } = decision.row;
  return {
    row,
    template,
    values,
    title,
    preset,
    body,
    bodySha256,
    occurrence: decision.occurrence,
    // A video that exists is not paid for again.
    duplicateOf:
      decision.kind === 'made-elsewhere' || decision.isWanted
        ? (groups.get(bodySha256) ?? 'first')
        : null,
    fileName,
    state: stateOf(outcome),
    remoteId: decision.kind === 'made-elsewhere' ? decision.remoteId : null,
  };
}

function stateOf(outcome: PlannedRow['outcome']): NewJob['state'] {
  if (outcome === 'skipped') return 'cancelled';
  if (outcome === 'downloaded-again') return 'ready';
  return 'queued';
}
