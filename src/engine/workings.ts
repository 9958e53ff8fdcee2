import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BatchSource } from '../contract/batch.ts';
import type { Verification } from '../contract/files.ts';
import type { JobState } from '../contract/job-states.ts';
import { BatchCommands } from './commands/batch-commands.ts';
import { JobCommands } from './commands/job-commands.ts';
import { RenameCommands } from './commands/rename-commands.ts';
import { TransferCommands } from './commands/transfer-commands.ts';
import type { Disks } from './downloads/disk-room.ts';
import { PosterShelf } from './downloads/poster-shelf.ts';
import { setAside } from './downloads/place.ts';
import type { DownloadOutcome, DownloadRequest } from './downloads/request.ts';
import type { EngineOptions } from './engine-options.ts';
import { Bell } from './flow/bell.ts';
import { Doubt } from './flow/doubt.ts';
import { Fetcher } from './flow/fetcher.ts';
import { checkFiles } from './flow/file-check.ts';
import { verifyFiles } from './flow/file-verification.ts';
import { FlowControl } from './flow/flow-control.ts';
import type { KeyRing } from './flow/key-ring.ts';
import { LinkDesk } from './flow/link-desk.ts';
import { Outage } from './flow/outage.ts';
import { Poller } from './flow/poller.ts';
import { QuotaBook } from './flow/quota-book.ts';
import { RateLimits } from './flow/rate-limits.ts';
import { Renamer } from './flow/renamer.ts';
import { RenderTimeBook } from './flow/render-time-book.ts';
import { Submitter } from './flow/submitter.ts';
import { TransferBoard } from './flow/transfer-board.ts';
import { DEFAULT_TRANSFER_LIMITS, TransferThrottle } from './flow/transfer-limits.ts';
import { TransferPauses } from './flow/transfer-pauses.ts';
import { TransferWaits } from './flow/transfer-waits.ts';
import type { BatchReading } from './intake/batch-reading.ts';
import type { ReadingOptions } from './intake/read-batch.ts';
import type { InstanceLock } from './jobs/instance-lock.ts';
import type { JobRow } from './jobs/job-row.ts';
import type { Store } from './jobs/store.ts';
import type { Service } from './service/outcomes.ts';
import { ChangeFeed } from './view/change-feed.ts';
import { ForecastBook } from './view/forecast-book.ts';
import { JobView } from './view/job-view.ts';
import { LiveView } from './view/live-view.ts';
import { SummaryView } from './view/summary-view.ts';

/** A request on its way when the engine closes is waited for this long, then left uncertain. */
const LAST_ANSWER_MS = 15_000;

/** A loop that met an error nobody expected begins anew after this long. */
const BEGIN_ANEW_MS = 5000;

/** States in which a job may wait to be fetched. */
const FETCHABLE: readonly JobState[] = ['ready', 'downloading', 'verifying'];

export interface WorkingsParts {
  readonly options: EngineOptions;
  readonly store: Store;
  readonly folder: Pick<InstanceLock, 'isOurs' | 'takeBack'>;
  readonly service: Service;
  readonly download: (request: DownloadRequest) => Promise<DownloadOutcome>;
  readonly disks: Disks;
  readonly read: (source: BatchSource, options: ReadingOptions) => BatchReading;
  readonly key: KeyRing;
}

/** The engine's parts, put together, and the loops that work the queue. */
export class Workings {
  readonly view: LiveView;
  readonly flow: FlowControl;
  readonly limits: RateLimits;
  readonly quota: QuotaBook;
  readonly jobs: JobCommands;
  readonly batches: BatchCommands;
  readonly transfers: TransferCommands;
  readonly renames: RenameCommands;
  readonly posters: PosterShelf;
  readonly #parts: WorkingsParts;
  readonly #bell: Bell;
  readonly #outage: Outage;
  readonly #submitter: Submitter;
  readonly #poller: Poller;
  readonly #fetcher: Fetcher;
  readonly #feed: ChangeFeed;
  readonly #forecasts: ForecastBook;
  readonly #waits: TransferWaits;
  readonly #stop = new AbortController();
  readonly #giveUp = new AbortController();
  #ended: Promise<unknown> = Promise.resolve();

  constructor(parts: WorkingsParts) {
    const { options, store, service, key, folder } = parts;
    const { clock, random, plan } = options;
    const { notes } = store;
    const { counts } = store.jobs;
    const bell = new Bell(clock);
    const outage = new Outage(clock, random);
    const doubt = new Doubt({ transactions: store.transactions, notes, clock });
    const limits = new RateLimits(store, clock);
    const quota = new QuotaBook(plan, store.ledger, notes, clock);
    const waits = new TransferWaits(clock);
    const pauses = new TransferPauses(notes);
    const throttle = new TransferThrottle(options.transferLimits ?? DEFAULT_TRANSFER_LIMITS, clock);
    const flow = new FlowControl({
      transactions: store.transactions,
      notes,
      folder,
      counts,
      key,
      quota,
      outage,
      doubt,
      transferWaits: waits,
      clock,
    });
    const renderTimes = new RenderTimeBook(notes, options.service.usualRenderMs);
    const transfers = new TransferBoard();
    const common = { store, service, limits, flow, key, outage, bell, clock };
    const onDefect = (error: unknown): void => this.#onDefect(error);
    const forecasts = new ForecastBook({
      ...{ store, flow, limits, quota, renderTimes, transfers, clock },
      onMoved: (jobIds) => this.view.forecastsMoved(jobIds),
    });
    this.#parts = parts;
    this.#bell = bell;
    this.#outage = outage;
    this.#forecasts = forecasts;
    this.#waits = waits;
    this.limits = limits;
    this.quota = quota;
    this.flow = flow;
    this.#feed = new ChangeFeed(clock);
    this.#submitter = new Submitter({ ...common, quota, doubt, folder });
    this.#poller = new Poller({ ...common, renderTimes, onDefect });
    this.#fetcher = new Fetcher({
      ...{ store, limits, flow, transfers, waits, pauses, throttle, bell, clock, onDefect },
      links: new LinkDesk(common),
      download: parts.download,
      disks: parts.disks,
      onProgress: (jobId) => this.#feed.job(jobId),
    });
    const jobView = new JobView({
      ...{ forecasts, renderTimes, transfers, waits, pauses, limits, flow, clock },
    });
    const summaryView = new SummaryView({
      ...{ store, key, flow, limits, quota, transfers, pauses, forecasts },
      defaultFolder: () => this.batches.defaults.defaultFolder,
      service: {
        name: options.service.name,
        origin: new URL(options.service.baseUrl).origin,
        isLocal: options.service.isLocal ?? false,
      },
    });
    this.view = new LiveView({
      ...{ store, forecasts, limits, jobView, summaryView, clock },
      feed: this.#feed,
      stop: this.#stop.signal,
    });
    this.jobs = new JobCommands({
      ...{ store, flow, doubt, waits, clock },
      fetcher: this.#fetcher,
      setAside,
      breathe: () => nextTurn(),
      onReorder: () => this.rowsChanged(),
    });
    this.posters = new PosterShelf(
      path.join(options.dataDir, 'posters'),
      options.makePoster ?? (() => Promise.resolve(null)),
      clock,
    );
    this.transfers = new TransferCommands({
      ...{ store, pauses, waits, throttle },
      fetcher: this.#fetcher,
    });
    this.renames = new RenameCommands({
      ...{ store, clock },
      renamer: new Renamer({ store, clock }),
      stop: this.#stop.signal,
    });
    this.batches = new BatchCommands({
      ...{ store, forecasts, quota, clock },
      defaults: options,
      read: parts.read,
    });
  }

  get clock(): EngineOptions['clock'] {
    return this.#parts.options.clock;
  }

  start(): void {
    const stop = this.#stop.signal;
    this.#ended = Promise.all([
      this.#keepRunning(() => this.#submitter.run(stop, this.#giveUp.signal)),
      this.#keepRunning(() => this.#poller.run(stop)),
      this.#keepRunning(() => this.#fetcher.run(stop)),
      this.#keepRunning(() => this.view.run()),
      this.#lookAtFiles().catch((error: unknown) => this.#onDefect(error)),
    ]);
  }

  /** Lets a request that is on its way get its answer; stops everything else where it is. */
  async stop(): Promise<void> {
    this.#stop.abort();
    const patience = new AbortController();
    void this.clock.sleep(LAST_ANSWER_MS, patience.signal).then(
      () => this.#giveUp.abort(),
      () => undefined,
    );
    await this.#ended;
    await this.renames.over();
    patience.abort();
  }

  /** A job changed, and it is on disk. */
  jobChanged(job: JobRow): void {
    this.#poller.see(job);
    if (!FETCHABLE.includes(job.state)) this.#waits.end(job.id);
    this.#forecasts.changed();
    this.#feed.job(job.id);
    this.#bell.ring();
  }

  /** Rows came or moved. */
  rowsChanged(): void {
    this.#forecasts.changed();
    this.#forecasts.keepFresh();
    this.#feed.rows();
    this.#bell.ring();
  }

  /** What the loops go by changed: a pause, the key, the quota. */
  flowChanged(): void {
    this.#forecasts.changed();
    this.#forecasts.keepFresh();
    this.#feed.summary();
    this.#bell.ring();
  }

  /** The network may be back, or time has jumped: whoever waits looks again. */
  tryNow(): void {
    this.#outage.ended();
    this.flow.wake();
    this.flowChanged();
  }

  fallAsleep(): void {
    this.flow.fallAsleep();
    this.flowChanged();
  }

  /** Asks the service whether the key works, with the cheapest request there is (§5.7). */
  async checkKey(): Promise<void> {
    const { store, service, key } = this.#parts;
    const heardOfKey = key.trial();
    const charge = store.transactions.write(() => this.limits.reserve('status'));
    const outcome = await service.checkKey(this.#stop.signal);
    store.transactions.write(() => this.limits.settle('status', charge, outcome.answer));
    if (outcome.kind === 'unreachable') {
      this.#outage.failed(outcome.failure);
    } else {
      this.#outage.ended();
      heardOfKey(outcome.kind);
    }
    this.flowChanged();
  }

  /** In the background; an error is told and not thrown. */
  backUp(): void {
    this.#parts.store.backUp().catch((error: unknown) => this.#onDefect(error));
  }

  /** What was on its way to another name gets there before any file is missed. */
  async #lookAtFiles(): Promise<void> {
    await this.renames.finish();
    await this.checkFiles();
  }

  checkFiles(): Promise<number> {
    return checkFiles(this.#parts.store, this.clock, this.#stop.signal);
  }

  /** Reads saved files once more, until `signal` is aborted or the engine stops. */
  verifyFiles(
    ids: readonly number[] | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Verification, void> {
    const stop = AbortSignal.any([signal, this.#stop.signal]);
    const parts = { store: this.#parts.store, clock: this.clock, renames: this.renames };
    return verifyFiles(ids, parts, stop);
  }

  async #keepRunning(loop: () => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await loop();
      } catch (error) {
        this.#onDefect(error);
        await this.clock.sleep(BEGIN_ANEW_MS, signal).catch(() => undefined);
      }
    }
  }

  /**
   * A key that is missing may be in a keychain that was unlocked since. The system may ask its owner
   * for a password, so this is for what owners do, and nothing waits for it.
   */
  lookForKey(): void {
    const { key } = this.#parts;
    if (key.status.state !== 'absent') return;
    key
      .catchUp()
      .then(() => this.flowChanged())
      .catch((error: unknown) => this.#onDefect(error));
  }

  #onDefect(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#parts.options.logger?.warn({ error: text }, 'Something unexpected happened.');
  }
}
