import path from 'node:path';
import type { BatchSource } from '../contract/batch.ts';
import type { Commands } from './commands/handlers.ts';
import { isIn } from '../contract/job-states.ts';
import type { BatchDefaults, Runtime } from './commands/command-context.ts';
import { createCommands } from './commands/commands.ts';
import { Serial } from './commands/serial.ts';
import type { DownloadConnections } from './downloads/connections.ts';
import type { Disks } from './downloads/disk-room.ts';
import { discardLeftRecord } from './downloads/part-record.ts';
import { PosterCache } from './downloads/poster-cache.ts';
import type { DownloadOutcome, DownloadRequest } from './downloads/request.ts';
import type { EngineOptions, RuntimeSettings } from './engine-options.ts';
import { BlockedServer } from './flow/blocked-server.ts';
import { DiskSpace } from './flow/disk-space.ts';
import { DownloadWaits } from './flow/download-waits.ts';
import { WakeSignal } from './flow/wake-signal.ts';
import { SubmissionCircuitBreaker } from './flow/submission-circuit-breaker.ts';
import { EndpointOutage, Outage } from './flow/outage.ts';
import { Fetcher } from './flow/fetcher.ts';
import { checkFiles } from './flow/file-check.ts';
import { FlowControl } from './flow/flow-control.ts';
import type { ApiKey } from './flow/api-key.ts';
import { LinkDelay } from './flow/link-delay.ts';
import { DownloadLinks } from './flow/download-links.ts';
import { Poller } from './flow/poller.ts';
import { QuotaTracker } from './flow/quota-tracker.ts';
import { RateLimits } from './flow/rate-limits.ts';
import { Renamer } from './flow/renamer.ts';
import { RenderTimeTracker } from './flow/render-time-tracker.ts';
import { Submitter } from './flow/submitter.ts';
import { TransferProgress } from './flow/transfer-progress.ts';
import { DEFAULT_TRANSFER_LIMITS, TransferThrottle } from './downloads/bandwidth.ts';
import { TransferPauses } from './flow/transfer-pauses.ts';
import type { BatchReading } from './intake/batch-reading.ts';
import type { ReadingOptions } from './intake/read-batch.ts';
import type { InstanceLock } from './jobs/instance-lock.ts';
import type { JobRow } from './jobs/job-row.ts';
import type { Store } from './jobs/store.ts';
import type { Service } from './service/outcomes.ts';
import type { UserRules } from './flow/user-rules.ts';
import { ChangeFeed } from './view/change-feed.ts';
import { Forecasts } from './view/forecasts.ts';
import { JobView } from './view/job-view.ts';
import { JobWaits } from './view/job-waits.ts';
import { LiveView } from './view/live-view.ts';
import { SummaryView } from './view/summary-view.ts';

/** A request on its way when the engine closes is waited for this long, then left uncertain. */
const LAST_ANSWER_MS = 15_000;

/** A loop that met an error nobody expected begins anew after this long. */
const BEGIN_ANEW_MS = 5000;

/** How often a disk that is too full for the queue is checked. */
const LOOK_AT_DISK_MS = 5000;

/** Downloads at the same time, whatever the settings say (`contract/settings.ts`). */
const MAX_PARALLEL = 8;

export interface EngineRuntimeParts {
  readonly options: EngineOptions;
  readonly store: Store;
  readonly folder: Pick<InstanceLock, 'isOurs' | 'takeBack'>;
  readonly service: Service;
  readonly download: (request: DownloadRequest) => Promise<DownloadOutcome>;
  readonly disks: Disks;
  readonly connections: DownloadConnections;
  readonly read: (source: BatchSource, options: ReadingOptions) => Promise<BatchReading>;
  readonly key: ApiKey;
  readonly rules: UserRules;
}

/** The engine's parts, put together, and the loops that work the queue. */
export class EngineRuntime implements Runtime {
  readonly commands: Commands;
  readonly view: LiveView;
  readonly flow: FlowControl;
  readonly #limits: RateLimits;
  readonly #quota: QuotaTracker;
  readonly #throttle: TransferThrottle;
  readonly #renamer: Renamer;
  readonly #renaming = new Serial();
  #defaults: BatchDefaults;
  readonly #parts: EngineRuntimeParts;
  readonly #wakeSignal: WakeSignal;
  readonly #outage: Outage;
  readonly #submitter: Submitter;
  readonly #poller: Poller;
  readonly #fetcher: Fetcher;
  readonly #feed: ChangeFeed;
  readonly #forecasts: Forecasts;
  readonly #blockedServer: BlockedServer;
  readonly #downloadWaits: DownloadWaits;
  readonly #linkDelay: LinkDelay;
  readonly #stop = new AbortController();
  readonly #giveUp = new AbortController();
  #ended: Promise<unknown> = Promise.resolve();

  constructor(parts: EngineRuntimeParts) {
    const { options, store, service, key, rules, folder } = parts;
    const { clock, random, plan } = options;
    const { notes } = store;
    const { counts } = store.jobs;
    const wakeSignal = new WakeSignal(clock);
    const outage = new Outage(clock, random, 'service');
    const statusOutage = new EndpointOutage(clock, random, 'service');
    const linkOutage = new EndpointOutage(clock, random, 'links');
    const circuitBreaker = new SubmissionCircuitBreaker({
      transactions: store.transactions,
      notes,
      clock,
    });
    const limits = new RateLimits(store, clock);
    const quota = new QuotaTracker({ plan, ledger: store.ledger, notes, clock, limits });
    const disk = new DiskSpace(store.jobs, clock);
    const blockedServer = new BlockedServer(clock);
    const linkDelay = new LinkDelay(clock);
    const pauses = new TransferPauses(notes);
    const throttle = new TransferThrottle(options.transferLimits ?? DEFAULT_TRANSFER_LIMITS, clock);
    const flow = new FlowControl({
      transactions: store.transactions,
      reserve: store.reserve,
      notes,
      folder,
      counts,
      key,
      quota,
      outage,
      statusOutage,
      linkOutage,
      circuitBreaker,
      disk,
      clock,
    });
    const renderTimes = new RenderTimeTracker(notes, options.service.usualRenderMs);
    const transfers = new TransferProgress();
    const trace = options.logger?.trace;
    const common = { store, service, limits, flow, key, outage, wakeSignal, clock, trace };
    const onDefect = (error: unknown): void => this.#onDefect(error);
    const jobWaits = new JobWaits({
      ...{ flow, quota, disk, blockedServer, linkDelay, pauses, limits, clock },
      poller: { waitOf: (jobId) => this.#poller.waitOf(jobId) },
    });
    const forecasts = new Forecasts({
      ...{ store, flow, limits, quota, renderTimes, transfers, waits: jobWaits, clock },
      onMoved: (jobIds) => this.view.forecastsMoved(jobIds),
    });
    this.#parts = parts;
    this.#defaults = options;
    this.#throttle = throttle;
    this.#renamer = new Renamer({ store, clock });
    this.#wakeSignal = wakeSignal;
    this.#outage = outage;
    this.#forecasts = forecasts;
    this.#blockedServer = blockedServer;
    this.#linkDelay = linkDelay;
    this.#limits = limits;
    this.#quota = quota;
    this.flow = flow;
    this.#feed = new ChangeFeed(clock);
    this.#submitter = new Submitter({
      ...{ ...common, quota, circuitBreaker, folder },
      checkKey: () => this.checkKey(),
    });
    this.#poller = new Poller({
      ...{ ...common, renderTimes, onDefect },
      endpoint: statusOutage,
      onWait: (jobId) => this.#feed.job(jobId),
    });
    const downloadWaits = new DownloadWaits({
      ...{ store, disk, blockedServer, linkDelay, wakeSignal, clock, onDefect },
      disks: parts.disks,
      connections: parts.connections,
      onLook: (jobId) => this.#feed.job(jobId),
    });
    this.#downloadWaits = downloadWaits;
    this.#fetcher = new Fetcher({
      ...{ ...common, waits: downloadWaits, transfers, pauses, throttle, onDefect },
      ...{ blockedServer, linkDelay },
      links: new DownloadLinks({ ...common, waits: downloadWaits, endpoint: linkOutage }),
      endpoint: linkOutage,
      download: parts.download,
      onProgress: (jobId) => this.#feed.job(jobId),
      onHold: () => this.#feed.rows(),
    });
    const jobView = new JobView({
      ...{ forecasts, renderTimes, transfers, waits: jobWaits, flow, clock },
    });
    const summaryView = new SummaryView({
      ...{ store, key, flow, limits, quota, transfers, pauses, forecasts },
      defaultFolder: () => this.#defaults.defaultFolder,
      service: {
        name: options.service.name,
        origin: new URL(options.service.baseUrl).origin,
        isLocal: options.service.isLocal ?? false,
      },
    });
    this.view = new LiveView({
      ...{ store, forecasts, flow, limits, jobView, summaryView, clock },
      feed: this.#feed,
      stop: this.#stop.signal,
    });
    const posters = path.join(options.dataDir, 'posters');
    this.commands = createCommands({
      ...{ store, clock, key, rules, flow, circuitBreaker, quota, pauses, forecasts },
      downloadWaits,
      fetcher: this.#fetcher,
      view: this.view,
      posters: new PosterCache({
        folder: posters,
        make: options.makePoster ?? (() => Promise.resolve({ kind: 'impossible' })),
        hasRoom: async () => (await parts.disks.free(posters).catch(() => 0)) > 0,
        clock,
        stop: this.#stop.signal,
      }),
      renamer: this.#renamer,
      read: parts.read,
      runtime: this,
      defaults: () => this.#defaults,
      stop: this.#stop.signal,
      naming: new Serial(),
      renaming: this.#renaming,
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
      this.#keepRunning(() => this.#keepReserve()),
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
    await this.#renaming.idle();
    patience.abort();
  }

  /** A job changed, and it is on disk. */
  jobChanged(job: JobRow): void {
    this.#poller.track(job);
    if (job.state === 'ready') this.#linkDelay.becameReady(job.id);
    if (!isIn('accepted', job.state)) this.#linkDelay.forget(job.id);
    this.#forecasts.changed();
    this.#feed.job(job.id);
    this.#wakeSignal.notify();
  }

  /** Rows came or moved. */
  rowsChanged(): void {
    this.#forecasts.changed();
    this.#forecasts.keepFresh();
    this.#feed.rows();
    this.#wakeSignal.notify();
  }

  /** What the loops go by changed: a pause, the key, the quota. */
  flowChanged(): void {
    this.#forecasts.changed();
    this.#forecasts.keepFresh();
    this.view.waitsMoved();
    this.#feed.summary();
    this.#wakeSignal.notify();
  }

  /** The network may be back, or time has jumped: whoever waits looks again. */
  tryNow(): void {
    this.#outage.ended();
    this.#quota.tryNow();
    this.flow.wake();
    this.tryWaiting();
    this.flowChanged();
  }

  /** Retries now what waits because of an unusable answer. */
  tryWaiting(): void {
    this.flow.tryEndpointsNow();
    this.#linkDelay.tryNow();
    this.#poller.tryNow();
    this.#downloadWaits.end('service-error', 'not-found');
    this.#downloadWaits.lookUpNow();
  }

  /** Holds at once, for transfers under way as well. */
  applySettings(settings: RuntimeSettings): void {
    const { plan, transferLimits = DEFAULT_TRANSFER_LIMITS, allowVpnAddresses = false } = settings;
    this.#defaults = settings;
    this.#quota.plan = plan;
    this.#throttle.limits = transferLimits;
    this.#parts.connections.allowVpnAddresses = allowVpnAddresses;
    if (allowVpnAddresses) {
      this.#blockedServer.allow();
      this.#downloadWaits.end('address-blocked');
    }
    this.flowChanged();
  }

  /** Asks the service whether the key works, with the cheapest request there is (§5.7). */
  async checkKey(): Promise<void> {
    const { store, service, key } = this.#parts;
    const reportResult = key.beginUse();
    const charge = store.transactions.write(() => this.#limits.reserve('status'));
    const outcome = await service.checkKey(this.#stop.signal);
    store.transactions.write(() => this.#limits.settleRead('status', charge, outcome));
    if (outcome.kind === 'unreachable' || outcome.kind === 'unusable') {
      this.#outage.failed(outcome.failure);
    } else {
      this.#outage.ended();
      reportResult(outcome.kind);
    }
    this.flowChanged();
  }

  /** In the background; an error is told and not thrown. */
  backUp(): void {
    this.#parts.store.backUp().catch((error: unknown) => this.#onDefect(error));
  }

  /** What was on its way to another name gets there before any file is missed. */
  async #lookAtFiles(): Promise<void> {
    // Both begin at once: a command that follows waits for the renaming, and the records are beside
    // the names of before it.
    const stop = this.#stop.signal;
    const renamed = this.#renaming.run(() => this.#renamer.finish(stop));
    await Promise.all([this.#discardLeftRecords(), renamed]);
    await checkFiles(this.#parts.store, this.clock, stop);
  }

  /** The engine may have stopped between writing down that videos are saved and removing these. */
  async #discardLeftRecords(): Promise<void> {
    for (const { filePath, remoteId } of this.#parts.store.jobs.lastSaved(MAX_PARALLEL)) {
      if (filePath === null || remoteId === null) continue;
      // A record that cannot be removed does no harm.
      await discardLeftRecord(filePath, remoteId).catch(() => undefined);
    }
  }

  /** Refills the reserve once the disk has space, and reports when it was used. */
  async #keepReserve(): Promise<void> {
    const { store } = this.#parts;
    const { signal } = this.#stop;
    let wasWhole = store.reserve.isWhole;
    store.reserve.listen(() => this.#wakeSignal.notify());
    while (!signal.aborted) {
      const heard = this.#wakeSignal.version;
      store.reserve.refill();
      const { isWhole } = store.reserve;
      if (isWhole !== wasWhole) this.flowChanged();
      wasWhole = isWhole;
      await this.#wakeSignal.wait(heard, isWhole ? null : LOOK_AT_DISK_MS, signal);
    }
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
   * A key that is missing may be in a keychain that was unlocked since. The system may ask the user
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
