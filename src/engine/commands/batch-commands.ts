import type {
  AddedBatch,
  BatchOptions,
  BatchPlan,
  BatchSource,
  Collision,
  Likeness,
  PlannedRow,
} from '../../contract/batch.ts';
import { joinMessages, userMessage } from '../../contract/user-message.ts';
import {
  ALWAYS_NAMED,
  DEFAULT_TEMPLATE,
  nameFromTemplate,
  unknownPlaceholders,
} from '../downloads/naming.ts';
import { EngineError, FolderUnusableError, PlanOutdatedError } from '../engine-error.ts';
import { folderFault } from '../files/folder-path.ts';
import { makeFolder } from '../files/make-folder.ts';
import { checkFilesOf } from '../flow/saved-files.ts';
import type { BatchReading } from '../intake/read-batch.ts';
import { readBatchAside } from '../intake/read-batch-aside.ts';
import type { BatchRow } from '../jobs/batch-store.ts';
import { NO_WAIT, UNMADE } from '../jobs/job-row.ts';
import type { NewJob } from '../jobs/job-store.ts';
import { estimateCost } from '../profiles/cost.ts';
import { profileHash } from '../profiles/profile.ts';
import type { NewRowForecast, Prospect } from '../view/forecasts.ts';
import type { CommandContext } from './command-context.ts';
import type { Commands } from './handlers.ts';
import { assertVisible, settleInFolder } from './names-in-folder.ts';
import { lookForKey } from './queue-commands.ts';
import {
  outcomeOf,
  decideRows,
  mapInTurns,
  type DecidedRow,
  type RowDecision,
  type RowLikeness,
} from './row-decisions.ts';

type BatchHandlers = Commands['batches'];
type Input<Name extends keyof BatchHandlers> = Parameters<BatchHandlers[Name]>[0];

/** How long a plan waits for the first balance. */
const FIRST_BALANCE_MS = 2000;

/** Rows whose videos are not saved yet. */
const COMING: readonly PlannedRow['outcome'][] = ['new', 'fetched-again', 'under-way'];

const NOTHING_AHEAD: NewRowForecast = {
  forecast: { sendAt: null, readyAt: null, savedAt: null },
  wait: null,
};

/** A batch that was read, with a decision for each row. Nothing of it is carried out yet. */
interface Prepared {
  readonly reading: BatchReading;
  readonly folder: string;
  readonly naming: { readonly nameTemplate: string; readonly onCollision: Collision };
  readonly existing: BatchRow | null;
  readonly rows: readonly PreparedRow[];
}

interface PreparedRow {
  readonly decision: DecidedRow;
  readonly outcome: PlannedRow['outcome'];
  /** Relative to the batch's folder. */
  readonly fileName: string;
}

/** Reads batches, plans what adding them would do, and adds them. */
export class BatchCommands implements BatchHandlers {
  readonly #context: CommandContext;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  async plan({ source, options, show, awaitsBalance }: Input<'plan'>): Promise<BatchPlan> {
    const { key, quota, balance, store, profile, api } = this.#context;
    // Starts a new request if the known balance is old; watchers get the result.
    balance.want();
    const known = awaitsBalance ? await balance.first(FIRST_BALANCE_MS) : balance.view();
    const { reading, rows, folder, naming } = await this.#prepare(source, options, show);
    const placeholders = [...new Set([...reading.columns, ...ALWAYS_NAMED])];
    const planned = this.#forecast(rows);
    const waiting = store.jobs.counts.sum(['queued', 'reserved']);
    const sent = rows.filter(({ outcome }) => outcome === 'new');
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
      samples: [...reading.samples],
      template: reading.template,
      naming: {
        folder,
        ...naming,
        placeholders,
        unknown: unknownPlaceholders(naming.nameTemplate, placeholders),
      },
      rows: planned,
      faults: [...reading.faults],
      faultyRows: [...reading.faultyRows],
      savedBy:
        savedAt.length === 0 || savedAt.includes(null)
          ? null
          : Math.max(...savedAt.map((at) => at ?? 0)),
      cost: estimateCost(
        profile,
        sent.map(({ decision }) => decision.row.cells),
      ),
      balance: known,
      tellsBalance: api.cost.balance !== null,
      notThisCycle: Math.max(0, sent.length - Math.max(0, quota.room - waiting)),
    };
  }

  /**
   * Batches are added one after the other, so that the same rows added from two windows are
   * recognised as duplicates.
   */
  async add({ profile, source, options }: Input<'add'>): Promise<AddedBatch> {
    const { naming, runtime, flow } = this.#context;
    if (flow.profileFailure) throw new EngineError(flow.profileFailure);
    const usedNow = profileHash(this.#context.profile);
    // With another profile, the requests and their costs differ from those that the user was shown.
    if (profile !== undefined && profile !== usedNow) throw new PlanOutdatedError();
    const added = await naming.run(() => this.#add(source, options));
    runtime.rowsChanged();
    runtime.backUp();
    lookForKey(this.#context);
    return added;
  }

  async #add(source: BatchSource, options: BatchOptions): Promise<AddedBatch> {
    const prepared = await this.#prepare(source, options);
    const [fault] = prepared.reading.faults;
    if (fault) throw new EngineError(fault);
    try {
      await makeFolder(prepared.folder);
    } catch (error) {
      throw new FolderUnusableError(prepared.folder, error);
    }
    const { reserve, transactions } = this.#context.store;
    // The space that is left is for the videos that are in the queue already.
    if (!reserve.isWhole) throw reserve.fullError();
    return transactions.write(() => this.#store(prepared, options.asDraft ?? false));
  }

  /**
   * Reads the source and decides about its rows, for `plan` and again for `add`. Keeping the result
   * would save 1.4 s of processor time in 3 for 100,000 rows and 20 ms for 500, and take 41 MiB or
   * more for each plan that is never added. The decisions depend on the queue, so they are made
   * again anyway.
   */
  async #prepare(source: BatchSource, options: BatchOptions, show?: number): Promise<Prepared> {
    const { store, profile } = this.#context;
    const defaults = this.#context.defaults();
    const folder = options.folder ?? defaults.defaultFolder;
    const fault = folderFault(folder);
    if (fault !== null) {
      const message = joinMessages(userMessage('folder-unusable', { folder }), fault);
      throw new EngineError({ code: 'folder-unusable', ...message });
    }
    assertVisible(options.nameTemplate ?? '');
    const { columns, template, duplicates = 'reuse', duplicateRows = {} } = options;
    const reading = await readBatchAside(source, profile.request, {
      show,
      ...(columns === undefined ? {} : { columns }),
      ...(template === undefined ? {} : { template }),
    });
    const existing = store.batches.find(reading.name, folder);
    const naming = {
      nameTemplate:
        options.nameTemplate ?? existing?.nameTemplate ?? defaults.nameTemplate ?? DEFAULT_TEMPLATE,
      onCollision: options.onCollision ?? existing?.onCollision ?? defaults.onCollision ?? 'number',
    };
    const isQueueEmpty = Object.values(store.jobs.counts.total).every((jobs) => jobs === 0);
    const batchId = existing?.id ?? null;
    const fatesNow = (): Promise<DecidedRow[]> =>
      decideRows(reading.rows, {
        batchId,
        jobs: store.jobs,
        isQueueEmpty,
        duplicates,
        duplicateRows,
      });
    let decisions = await fatesNow();
    if ((await this.#checkFiles(decisions)) > 0) decisions = await fatesNow();
    const rows = await this.#settle(decisions, reading, folder, naming);
    return { reading, folder, naming, existing, rows };
  }

  /** A job in state `done` may have lost its file since, so the files of these jobs are checked. */
  #checkFiles(decisions: readonly RowDecision[]): Promise<number> {
    const { store, clock, stop } = this.#context;
    const saved = decisions.flatMap((decision) =>
      decision.kind === 'there' && decision.job.state === 'done'
        ? [store.jobs.get(decision.job.id)]
        : [],
    );
    return checkFilesOf(saved, store, clock, stop);
  }

  /** Chooses the file name of each row that will be downloaded, before the download starts. */
  async #settle(
    decisions: readonly DecidedRow[],
    { name: batch, rowCount }: BatchReading,
    folder: string,
    { nameTemplate, onCollision }: Prepared['naming'],
  ): Promise<PreparedRow[]> {
    const { store } = this.#context;
    const width = String(rowCount).length;
    const wishes = decisions.flatMap((decision, index) => {
      if (!needsName(decision)) return [];
      const { cells, title, rowInFile: row } = decision.row;
      const number = String(decision.row.index).padStart(width, '0');
      const values = { ...cells, row, batch, title, index: number };
      return [{ id: String(index), name: nameFromTemplate(nameTemplate, values) }];
    });
    const givenUpBy = decisions.flatMap((decision) =>
      decision.kind === 'there' && needsName(decision) ? [decision.job.id] : [],
    );
    const settled = await settleInFolder({ folder, wishes, onCollision, givenUpBy }, store.files);
    return mapInTurns(decisions, (decision, index) => {
      const name = settled.get(String(index));
      const outcome = name?.kind === 'skipped' ? 'skipped' : outcomeOf(decision);
      const known = decision.kind === 'there' ? store.jobs.get(decision.job.id).fileName : null;
      return { decision, outcome, fileName: name?.name ?? known ?? '' };
    });
  }

  #forecast(rows: readonly PreparedRow[]): PlannedRow[] {
    const { forecasts, clock } = this.#context;
    const since = clock.now();
    const prospects = rows.flatMap(({ decision, outcome }): Prospect[] => {
      const { preset } = decision.row;
      if (outcome === 'new') return [{ stage: 'toSend', preset, since }];
      return outcome === 'fetched-again' ? [{ stage: 'ready', preset, since }] : [];
    });
    const ahead = forecasts.ofNewRows(prospects)[Symbol.iterator]();
    return rows.map(({ decision, outcome, fileName }) => {
      const isAhead = outcome === 'new' || outcome === 'fetched-again';
      const { forecast, wait } = (isAhead ? ahead.next().value : undefined) ?? NOTHING_AHEAD;
      return {
        row: decision.row.row,
        title: decision.row.title,
        fileName,
        outcome,
        like: decision.like && this.#likenessOf(decision.like),
        ways: [...decision.choices],
        forecast: decision.kind === 'there' && !isAhead ? forecasts.of(decision.job.id) : forecast,
        wait,
      };
    });
  }

  #likenessOf(like: RowLikeness): Likeness {
    if (like.of === 'row') return like;
    const { batchId, state } = like.job;
    return { of: 'job', batch: this.#context.store.batches.get(batchId).name, state };
  }

  #store({ reading, folder, naming, existing, rows }: Prepared, asDraft: boolean): AddedBatch {
    const { store, clock } = this.#context;
    const at = clock.now();
    const batch =
      existing ?? store.batches.insert({ name: reading.name, folder, ...naming, addedAt: at });
    if (existing) store.batches.rename(existing.id, naming);
    const newRows = rows.filter(
      ({ decision }) => decision.kind !== 'there' && decision.kind !== 'left-out',
    );
    const ids = store.jobs.insert(
      batch.id,
      newRows.map((row) => newJob(row, reading.columns, asDraft)),
      at,
    );
    const inserted = ids[Symbol.iterator]();
    const jobIds = rows.flatMap((row) => {
      if (row.decision.kind === 'left-out') return [];
      if (row.decision.kind !== 'there') return [String(inserted.next().value)];
      this.#reviveIfGone(row.decision, row, at);
      return [String(row.decision.job.id)];
    });
    const count = (outcome: PlannedRow['outcome']): number =>
      rows.filter((row) => row.outcome === outcome).length;
    const submitted = count('new');
    const fetchedAgain = count('fetched-again');
    return {
      batchId: String(batch.id),
      submitted,
      fetchedAgain,
      alreadyThere: rows.length - submitted - fetchedAgain,
      jobIds,
    };
  }

  /**
   * Queues or downloads a job of this batch again if its row was added again and its file is gone.
   */
  #reviveIfGone(
    { job, video }: Extract<RowDecision, { kind: 'there' }>,
    { outcome, fileName }: PreparedRow,
    at: number,
  ): void {
    const { jobs } = this.#context.store;
    if (outcome === 'new') jobs.move(job.id, 'retry', at, { ...UNMADE, fileName });
    if (outcome === 'fetched-again') {
      const naming = job.state === 'cancelled' ? { fileName, remoteId: video } : {};
      const change = { ...NO_WAIT, failure: null, filePath: null, savedAt: null, ...naming };
      jobs.move(job.id, 'downloadAgain', at, change);
    }
  }
}

/** Rows that get a new file. A job of this batch that has not been saved yet keeps its name. */
function needsName(decision: RowDecision): boolean {
  if (decision.kind === 'left-out') return false;
  return (
    decision.kind !== 'there' || decision.job.state === 'cancelled' || outcomeOf(decision) === 'new'
  );
}

function newJob(
  { decision, outcome, fileName }: PreparedRow,
  columns: readonly string[],
  asDraft: boolean,
): NewJob {
  if (decision.kind === 'there' || decision.kind === 'left-out')
    throw new Error('It is no new job.');
  const { rowInFile: row, title, preset, body, bodySha256, cells } = decision.row;
  return {
    row,
    title,
    preset,
    body,
    bodySha256,
    occurrence: decision.occurrence,
    cells: JSON.stringify(
      columns.filter((name) => Object.hasOwn(cells, name)).map((name) => [name, cells[name]]),
    ),
    fileName,
    state: stateOf(outcome, asDraft),
    remoteId: decision.kind === 'made-elsewhere' ? decision.remoteId : null,
  };
}

function stateOf(outcome: PlannedRow['outcome'], asDraft: boolean): NewJob['state'] {
  if (outcome === 'skipped') return 'cancelled';
  if (outcome === 'fetched-again') return 'ready';
  return asDraft ? 'draft' : 'queued';
}
