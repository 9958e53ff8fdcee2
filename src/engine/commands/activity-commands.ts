import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Amount } from '../../contract/amount.ts';
import type { ActivityEntry, UnitPage } from '../../contract/activity.ts';
import { estimateOne } from '../profiles/cost.ts';
import { PlaceUnknownError } from '../engine-error.ts';
import type { ActivityPlace, PlacedEntry } from '../jobs/activity-log.ts';
import type { QuotaUnit } from '../jobs/ledger.ts';
import { withKnownBatch } from './by-id.ts';
import type { Needs } from './command-context.ts';
import { costColumns, costRows } from './cost-commands.ts';
import { csvFile, jsonFile, type TableRow } from './exported-table.ts';
import type { Commands } from './handlers.ts';

/** Rows of an exported file that are read and sent at a time. */
const EXPORTED_AT_ONCE = 1000;

const EVENT_COLUMNS = [
  'at',
  'kind',
  'event',
  'title',
  'batch',
  'from',
  'to',
  'note',
  'units taken',
  'units given back',
  'used as corrected',
  'job',
];

const UNIT_COLUMNS = [
  'taken at',
  'quota',
  'title',
  'batch',
  'video is now',
  'id at the service',
  'file',
  'bytes',
  'seconds',
  'cost',
  'estimated cost',
  'cost unit',
  'saved at',
  'job',
];

/**
 * Lists past events page by page, and exports all that match a filter. Calls throw
 * `PlaceUnknownError` for an `after` that no page returned.
 */
export function activityCommands(
  { store, stop, profile }: Needs<'store' | 'stop' | 'profile'>,
  costs: Commands['activity']['costs'],
): Omit<Commands['activity'], 'costs'> {
  const { activity, ledger } = store;
  const estimateOf = ({ jobId }: QuotaUnit): Amount | null =>
    estimateOne(profile, store.jobs.row(Number(jobId)).values);
  return {
    list({ after, limit, ...filter }) {
      const before = after === undefined ? undefined : placeOf(after);
      const found = activity.page({ ...withKnownBatch(filter, store), before, limit: limit + 1 });
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      return {
        entries: shown.map(({ entry }) => entry),
        next: last && found.length > limit ? last.place.join('_') : null,
      };
    },

    units({ after, limit, ...filter }) {
      const before = after === undefined ? Infinity : Number(after);
      if (Number.isNaN(before)) throw new PlaceUnknownError();
      const found = ledger.units({ ...withKnownBatch(filter, store), before, limit: limit + 1 });
      const shown = found.slice(0, limit);
      return {
        units: shown.map(unitOf),
        next: found.length > limit ? String(shown.at(-1)?.id) : null,
      };
    },

    async *export({ what, by = 'month', zone, format, ...wanted }, signal) {
      if (what === 'costs') {
        const { from, to } = wanted;
        const rows = costRows(by, (await costs({ by, zone, from, to })).sums);
        const pages = [rows];
        const columns = costColumns(by);
        for (const text of format === 'csv' ? csvFile(columns, pages) : jsonFile(pages))
          yield { text };
        return;
      }
      const filter = { ...withKnownBatch(wanted, store), limit: EXPORTED_AT_ONCE };
      const events = (last?: PlacedEntry) => activity.page({ ...filter, before: last?.place });
      const units = (last?: QuotaUnit) => ledger.units({ ...filter, before: last?.id ?? Infinity });
      const [columns, pages] =
        what === 'events'
          ? [EVENT_COLUMNS, pagesOf(events, ({ entry }) => eventRow(entry))]
          : [UNIT_COLUMNS, pagesOf(units, (unit) => unitRow(unit, estimateOf(unit)))];
      for (const text of format === 'csv' ? csvFile(columns, pages) : jsonFile(pages)) {
        yield { text };
        if (signal.aborted || stop.aborted) return;
        // Thousands of pages must not block the queue.
        await nextTurn();
      }
    },
  };
}

/**
 * A long list in pages, as rows of a table.
 * @param read returns the rows after `last`, the newest first
 */
function* pagesOf<Row>(
  read: (last: Row | undefined) => readonly Row[],
  rowOf: (row: Row) => TableRow,
): Generator<TableRow[]> {
  let last: Row | undefined;
  do {
    const page = read(last);
    yield page.map(rowOf);
    last = page.length < EXPORTED_AT_ONCE ? undefined : page.at(-1);
  } while (last !== undefined);
}

function eventRow({ at, kind, job, note, units, used }: ActivityEntry): TableRow {
  return {
    at: moment(at),
    kind,
    event: job?.event ?? kind,
    title: job?.title ?? null,
    batch: job?.batchName ?? null,
    from: job?.from ?? null,
    to: job?.to ?? null,
    note: note?.message ?? null,
    'units taken': Math.max(0, units),
    'units given back': Math.max(0, -units),
    'used as corrected': used,
    job: job?.id ?? null,
  };
}

function unitOf(unit: QuotaUnit): UnitPage['units'][number] {
  return {
    id: String(unit.id),
    at: unit.at,
    quota: unit.quota,
    job: { id: unit.jobId, title: unit.title, batchName: unit.batchName },
    bought: unit.state && {
      state: unit.state,
      bytes: unit.fileBytes,
      seconds: unit.fileSeconds,
      savedAt: unit.savedAt,
    },
  };
}

function unitRow(unit: QuotaUnit, estimated: Amount | null): TableRow {
  const { cost } = unit;
  return {
    'taken at': moment(unit.at),
    quota: unit.quota,
    title: unit.title,
    batch: unit.batchName,
    'video is now': unit.state,
    'id at the service': unit.remoteId,
    file: unit.filePath,
    bytes: unit.fileBytes,
    seconds: unit.fileSeconds,
    cost: cost?.amount ?? null,
    'estimated cost': estimated?.amount ?? null,
    'cost unit': unitName(cost ?? estimated),
    'saved at': unit.savedAt === null ? null : moment(unit.savedAt),
    job: unit.jobId,
  };
}

function unitName(cost: Amount | null): string | null {
  return cost === null ? null : (cost.currency ?? cost.unit);
}

function moment(at: number): string {
  return new Date(at).toISOString();
}

function placeOf(text: string): ActivityPlace {
  const [at, job, step, ...more] = text.split('_').map(Number);
  const isPlace = Number.isFinite(at) && Number.isSafeInteger(job) && Number.isSafeInteger(step);
  if (at === undefined || job === undefined || step === undefined || !isPlace || more.length > 0) {
    throw new PlaceUnknownError();
  }
  return [at, job, step];
}
