import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActivityExport, ActivityPage, ExportPiece, UnitPage } from '../contract/activity.ts';
import type { AddedBatch, BatchOptions, BatchPlan, BatchSource } from '../contract/batch.ts';
import type { Changed, RetryPlan } from '../contract/contract.ts';
import type { Rename, Renamed, RenamePlan, Verification } from '../contract/files.ts';
import type { Job, JobDetails, RemoteStateWord } from '../contract/job.ts';
import type { OtherService } from '../contract/other-service.ts';
import type { QuotaDays } from '../contract/quota-days.ts';
import type { KeyStatus, PausedPart, Summary, Update } from '../contract/summary.ts';
import type { JobEdit, Resolution } from './commands/job-commands.ts';
import { jobIdOf } from './commands/job-id.ts';
import type { RetryOptions } from './commands/retry-commands.ts';
import { CurrentSession } from './current-session.ts';
import { BatchUnknownError, EngineError, FolderUnusableError } from './engine-error.ts';
import type {
  ActivityQuery,
  BatchDefaults,
  EngineOptions,
  JobFilter,
  PlanOptions,
  TransferLimits,
  UnitQuery,
} from './engine-options.ts';
import type { ApiKey } from './flow/api-key.ts';
import { InstanceLock } from './jobs/instance-lock.ts';
import type { Store } from './jobs/store.ts';
import { makeFolder } from './make-folder.ts';
import { openSession, type Session } from './open-session.ts';
import { createExternalServices, type CreateExternalServices } from './external-services.ts';
import { closeToOthers } from './private-folder.ts';
import type { EngineRuntime } from './engine-runtime.ts';

export type {
  BatchDefaults,
  EngineOptions,
  JobFilter,
  Logger,
  PlanOptions,
  ServiceOptions,
  TransferLimits,
} from './engine-options.ts';
export type { JobEdit, Resolution } from './commands/job-commands.ts';

/**
 * Takes the data folder's lock, sets right what a crash left, and starts working the queue.
 * @throws {EngineError} `in-use`, `store-newer` or `folder-unusable`
 */
export async function openEngine(
  options: EngineOptions,
  connectTo: CreateExternalServices = createExternalServices,
): Promise<Engine> {
  // A lock that the host holds is the host's to release.
  const lock = options.lock ?? (await takeFolder(options.dataDir));
  const release = options.lock ? () => undefined : () => lock.release();
  try {
    const held = { ...options, lock };
    const session = new CurrentSession(await openSession(held, connectTo), held, connectTo);
    return new Engine(session, release);
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Makes a data folder if it is missing, closes it to other users, and takes its lock. A host calls
 * it when it has to start something before its engine and end it after.
 *
 * @throws {EngineError} `in-use` or `folder-unusable`
 */
export async function takeFolder(folder: string): Promise<InstanceLock> {
  try {
    await makeFolder(folder, 0o700);
    closeToOthers(folder);
  } catch (error) {
    throw error instanceof EngineError ? error : new FolderUnusableError(folder, error);
  }
  return InstanceLock.take(folder, process.pid);
}

/**
 * The batch engine, method by method what `contract/contract.ts` describes. Failures that a person
 * can meet are thrown as `EngineError`.
 */
export class Engine {
  readonly #session: CurrentSession;
  readonly #releaseFolder: () => void;
  #isClosed = false;

  /** Use `openEngine`. */
  constructor(session: CurrentSession, releaseFolder: () => void) {
    this.#session = session;
    this.#releaseFolder = releaseFolder;
  }

  get #parts(): Session {
    return this.#session.parts;
  }

  get #runtime(): EngineRuntime {
    return this.#parts.runtime;
  }

  get #store(): Store {
    return this.#parts.store;
  }

  get #key(): ApiKey {
    return this.#parts.key;
  }

  /**
   * Goes on with another service, or with the same one known by other means. Jobs belong to the
   * origin that they were added for: those of the service before stay where they are, a request on
   * its way gets its answer first, and they go on when the engine comes back to that service.
   *
   * No other call may be under way but `watch`, whose watchers are told to list rows anew.
   * @throws {EngineError} when that failed. The engine then continues with the previous service, at
   *   once or as soon as the queue can be opened. Until then every other call throws the reason.
   */
  reopen(change: Pick<EngineOptions, 'service' | 'plan'>): Promise<void> {
    return this.#session.replace(change);
  }

  /** Ends when `signal` is aborted or the engine is closed. */
  async *watch(since: number | undefined, signal: AbortSignal): AsyncGenerator<Update, void> {
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    for (let from = since; ; from = undefined) {
      const { changed, isOpen } = this.#session;
      if (isOpen) yield* this.#runtime.view.updates(from, signal);
      if (signal.aborted || this.#isClosed) return;
      await Promise.race([changed, aborted]);
    }
  }

  listJobs(filter: JobFilter): Promise<{ total: number; jobs: Job[] }> {
    return answer(() => {
      const batchId = this.#optionalBatchId(filter);
      const { total, rows } = this.#store.jobs.page({ ...filter, batchId });
      return { total, jobs: rows.map((row) => this.#runtime.view.job(row)) };
    });
  }

  showJob(id: string): Promise<JobDetails> {
    return answer(() => {
      const row = this.#store.jobs.get(jobIdOf(id));
      return {
        job: this.#runtime.view.job(row),
        request: JSON.parse(this.#store.jobs.request(row.id).body) as JobDetails['request'],
        requestSha256: row.bodySha256,
        lastAnswer: this.#store.jobs.lastAnswer(row.id),
        history: this.#store.jobs.history(row),
      };
    });
  }

  hold(ids: readonly string[]): Promise<Changed> {
    return this.#runtime.jobs.hold(ids);
  }

  resumeJobs(ids: readonly string[]): Promise<Changed> {
    return this.#runtime.jobs.resume(ids);
  }

  cancel(ids: readonly string[]): Promise<Changed> {
    return this.#runtime.jobs.cancel(ids);
  }

  retry(ids: readonly string[], options?: RetryOptions): Promise<Changed> {
    return this.#runtime.retries.retry(ids, options);
  }

  async retryFailed(
    batchId: string | undefined,
    limit: number,
    options?: RetryOptions,
  ): Promise<Changed> {
    return this.#runtime.retries.retryFailed(this.#optionalBatchId({ batchId }), limit, options);
  }

  planRetry(ids: readonly string[]): Promise<RetryPlan> {
    return this.#runtime.retries.plan(ids);
  }

  async planRetryFailed(batchId: string | undefined): Promise<RetryPlan> {
    return this.#runtime.retries.planFailed(this.#optionalBatchId({ batchId }));
  }

  fetch(ids: readonly string[]): Promise<Changed> {
    return this.#runtime.retries.fetch(ids);
  }

  move(ids: readonly string[], before: string | null): Promise<Changed> {
    return this.#runtime.jobs.move(ids, before);
  }

  prioritise(ids: readonly string[], priority: number): Promise<Changed> {
    return this.#runtime.jobs.prioritise(ids, priority);
  }

  edit(edit: JobEdit): Promise<Job> {
    return answer(() => this.#runtime.view.job(this.#runtime.jobs.edit(edit)));
  }

  resolve(resolution: Resolution): Promise<Job> {
    return answer(() => this.#runtime.view.job(this.#runtime.jobs.resolve(resolution)));
  }

  planBatch(source: BatchSource, options: BatchOptions, show?: number): Promise<BatchPlan> {
    return this.#runtime.batches.plan(source, options, show);
  }

  async addBatch(source: BatchSource, options: BatchOptions): Promise<AddedBatch> {
    const added = await this.#runtime.batches.add(source, options);
    this.#runtime.rowsChanged();
    this.#runtime.backUp();
    this.#runtime.lookForKey();
    return added;
  }

  async pause(what: PausedPart): Promise<void> {
    await this.#runtime.jobs.pause(what);
    this.#runtime.flowChanged();
  }

  resume(): Promise<void> {
    return answer(() => {
      this.#runtime.flow.resume();
      this.#runtime.transfers.tryAll();
      this.#runtime.tryWaiting();
      this.#runtime.flowChanged();
      this.#runtime.lookForKey();
    });
  }

  stopBefore(id: string | null): Promise<void> {
    return answer(() => {
      this.#runtime.jobs.stopBefore(id);
      this.#runtime.rowsChanged();
    });
  }

  otherServices(): Promise<OtherService[]> {
    return answer(() => [...this.#store.otherServices()]);
  }

  /** @param ids all, and those to come, when left out */
  async pauseTransfers(ids?: readonly string[]): Promise<void> {
    await this.#runtime.transfers.pause(ids);
    this.#runtime.rowsChanged();
  }

  /** @param ids all when left out */
  resumeTransfers(ids?: readonly string[]): Promise<void> {
    return answer(() => {
      this.#runtime.transfers.resume(ids);
      this.#runtime.rowsChanged();
    });
  }

  /** For batches that are added from now on and say nothing else. */
  setBatchDefaults(defaults: BatchDefaults): void {
    this.#session.setOptions(defaults);
    this.#runtime.batches.defaults = defaults;
    this.#runtime.flowChanged();
  }

  setPlan(plan: PlanOptions): void {
    this.#session.setOptions({ plan });
    this.#runtime.quota.plan = plan;
    this.#runtime.flowChanged();
  }

  /** Holds at once, for transfers under way as well, and until the engine closes. */
  setTransferLimits(limits: TransferLimits): void {
    this.#session.setOptions({ transferLimits: limits });
    this.#runtime.transfers.setLimits(limits);
    this.#runtime.flowChanged();
  }

  /**
   * Whether names in download links may resolve to addresses of VPNs and NAT64. Applies at once to
   * connections that are opened from now on, until the engine closes.
   */
  setAllowVpnAddresses(allowed: boolean): void {
    this.#session.setOptions({ allowVpnAddresses: allowed });
    this.#runtime.allowVpnAddresses(allowed);
  }

  correctQuota(used: number): Promise<void> {
    return answer(() => {
      this.#runtime.quota.correct(used);
      this.#runtime.flowChanged();
    });
  }

  async checkFiles(): Promise<{ missing: number }> {
    return { missing: await this.#runtime.checkFiles() };
  }

  /**
   * Reads saved files once more and moves the rows of those that are gone, damaged or back.
   * @param ids of jobs; all with a file when left out
   */
  verifyFiles(
    ids: readonly string[] | undefined,
    signal: AbortSignal,
  ): AsyncIterable<Verification> {
    return this.#runtime.verifyFiles(ids?.map(jobIdOf), signal);
  }

  /** What saved files would be called by a template; told one by one up to `limit`. */
  planRename(wanted: Rename, limit: number): Promise<RenamePlan> {
    return this.#runtime.renames.plan(wanted, limit);
  }

  /** Gives saved files other names, and never another file's. */
  async rename(wanted: Rename): Promise<Renamed> {
    const renamed = await this.#runtime.renames.rename(wanted);
    // A backup that knew the old names would miss every file.
    this.#runtime.backUp();
    return renamed;
  }

  listActivity(query: ActivityQuery): Promise<ActivityPage> {
    return answer(() =>
      this.#parts.activity.page({ ...query, batchId: this.#optionalBatchId(query) }),
    );
  }

  /** What each unit of quota bought, newest first. */
  listUnits(query: UnitQuery): Promise<UnitPage> {
    return answer(() =>
      this.#parts.activity.units({ ...query, batchId: this.#optionalBatchId(query) }),
    );
  }

  /** The pieces of a file in their order; ends early, without an error, when `signal` is aborted. */
  async *exportActivity(
    wanted: ActivityExport,
    signal: AbortSignal,
  ): AsyncGenerator<ExportPiece, void> {
    const batchId = this.#optionalBatchId(wanted);
    const { activity } = this.#parts;
    for (const text of activity.export(wanted, { ...wanted, batchId })) {
      yield { text };
      if (signal.aborted || this.#parts.activity !== activity) return;
      // Thousands of pages must not keep the queue from its work.
      await nextTurn();
    }
  }

  /** @param zone IANA name of the zone in which days are counted; UTC when left out */
  quotaDays(zone = 'UTC'): Promise<QuotaDays> {
    return answer(() => this.#runtime.quota.days(zone));
  }

  /** Absolute path of a still picture of a job's saved video; `null` when there is none. */
  async poster(id: string): Promise<string | null> {
    const { filePath, fileSha256 } = this.#store.jobs.get(jobIdOf(id));
    if (filePath === null || fileSha256 === null) return null;
    return this.#runtime.posters.of({ path: filePath, sha256: fileSha256 });
  }

  tryNow(): Promise<void> {
    return answer(() => this.#runtime.tryNow());
  }

  fallAsleep(): Promise<void> {
    return answer(() => this.#runtime.fallAsleep());
  }

  teach(word: string, means: RemoteStateWord): Promise<void> {
    return answer(() => this.#parts.rules.define(word, means));
  }

  /** @param label what its owner calls it; see `contract/key-label.ts` */
  async setKey(value: string, label: string | null = null): Promise<KeyStatus> {
    await this.#key.set(value.trim(), { since: this.#runtime.clock.now(), label });
    return this.#tryKey();
  }

  labelKey(label: string | null): Promise<KeyStatus> {
    return answer(() => {
      this.#key.rename(label);
      this.#runtime.flowChanged();
      return this.#key.status;
    });
  }

  async checkKey(): Promise<KeyStatus> {
    await this.#key.catchUp();
    this.#runtime.flowChanged();
    return this.#tryKey();
  }

  async forgetKey(): Promise<KeyStatus> {
    try {
      await this.#key.forget();
    } finally {
      this.#runtime.flowChanged();
    }
    return this.#key.status;
  }

  /** What `watch` begins with, for whoever needs it once. */
  summary(): Summary {
    return this.#runtime.view.summary();
  }

  /** Stops at a safe point: waits for a request that is on its way, keeps part files. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await this.#session.close();
    } finally {
      this.#releaseFolder();
    }
  }

  async #tryKey(): Promise<KeyStatus> {
    if (this.#key.status.state !== 'absent') await this.#runtime.checkKey();
    return this.#key.status;
  }

  #optionalBatchId({ batchId }: { readonly batchId?: string | undefined }): number | undefined {
    return batchId === undefined ? undefined : this.#batchId(batchId);
  }

  #batchId(id: string): number {
    const batch = this.#store.batches.all().find((each) => String(each.id) === id);
    if (!batch) throw new BatchUnknownError();
    return batch.id;
  }
}

/** Runs at once; what it throws becomes the promise's, as with every other method. */
// eslint-disable-next-line @typescript-eslint/require-await
async function answer<T>(work: () => T): Promise<T> {
  return work();
}
