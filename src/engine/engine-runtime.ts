import { isIn, countIn } from '../contract/job-states.ts';
import type { EnteredKey, OtherServiceStatus } from '../contract/summary.ts';
import { archiveOldBatches } from './commands/archive-old.ts';
import type { Runtime } from './commands/command-context.ts';
import { createCommands } from './commands/commands.ts';
import type { Commands } from './commands/handlers.ts';
import type { StartUp } from './flow/flow-control.ts';
import { hasOwnIds } from './flow/marked-request.ts';
import type { PlanOptions } from './flow/quota-tracker.ts';
import { finishRenames } from './flow/renamer.ts';
import { beginRead } from './flow/requests.ts';
import { checkFiles, discardLeftFiles } from './flow/saved-files.ts';
import { Submitter } from './flow/submitter.ts';
import { enteredKey } from './service/outcomes.ts';
import { distrustOf } from './jobs/distrust.ts';
import type { JobRow } from './jobs/job-row.ts';
import { createSessionParts, type SessionParts } from './session-parts.ts';
import type { OtherSessions, SessionOptions, SharedContext } from './engine-options.ts';
import type { ChangeFeed } from './view/change-feed.ts';
import type { LiveView } from './view/live-view.ts';

/** How long closing waits for the response to a running request, which is then left uncertain. */
const LAST_RESPONSE_MS = 15_000;

/** A loop restarts this long after an unexpected error. */
const LOOP_RESTART_MS = 5000;

/** How often finished batches are looked at that may be archived. */
const ARCHIVE_MS = 3_600_000;

/** How often a disk that is too full for the queue is checked. */
const LOOK_AT_DISK_MS = 5000;

/** Runs the loops of one service's session, and notifies them and its watchers of changes. */
export class EngineRuntime implements Runtime {
  readonly commands: Commands;
  readonly #shared: SharedContext;
  readonly #parts: SessionParts;
  readonly #submitter: Submitter;
  readonly #others: OtherSessions;
  readonly #setPaused: SessionOptions['service']['setPaused'];
  /** Batches that were active when other sessions asked. */
  readonly #worked = new Set<number>();
  readonly #stop = new AbortController();
  /** Ends the wait until finished batches are looked at again. */
  #archiveNow = new AbortController();
  readonly #giveUp = new AbortController();
  #ended: Promise<unknown> = Promise.resolve();

  /**
   * Awaits nothing, so that it uses the settings and plan of this moment.
   * @param closing gets what closes it again, also when this throws. It stops at a safe point:
   *   waits for a running request, keeps part files.
   * @throws {EngineError} `not-possible-now` for a profile of another service
   */
  constructor(shared: SharedContext, options: SessionOptions, closing: AsyncDisposableStack) {
    this.#shared = shared;
    this.#others = options.others;
    this.#setPaused = options.service.setPaused;
    this.#parts = createSessionParts(shared, options, closing, {
      runtime: this,
      onChange: (job) => this.#jobChanged(job),
      stop: this.#stop.signal,
    });
    this.#submitter = new Submitter(this.#parts, async () => void (await this.checkKey()));
    this.commands = createCommands(this.#parts);
    closing.defer(() => this.#end());
  }

  get view(): LiveView {
    return this.#parts.view;
  }

  get feed(): ChangeFeed {
    return this.#parts.feed;
  }

  /**
   * Starts the loops, unless the queue is opened only to be read.
   * @param startUp whether the pause of an earlier run is kept
   */
  start(startUp: StartUp): void {
    if (this.#shared.onlyRead === true) return;
    const { store, flow } = this.#parts;
    const reason = distrustOf(store.found);
    if (reason) flow.suspendSending(reason);
    store.rememberFile();
    flow.startUp(startUp);
    this.flowChanged();
    const { api, balance, poller, settler, canceller, fetcher, results, onDefect } = this.#parts;
    const stop = this.#stop.signal;
    const giveUp = this.#giveUp.signal;
    const loops = [
      () => this.#submitter.run(stop, giveUp),
      () => poller.run(stop),
      // Without a way to find out about requests at the service, only the user settles them.
      ...(hasOwnIds(api) ? [() => settler.run(stop, giveUp)] : []),
      ...(api.cancel === null ? [] : [() => canceller.run(stop)]),
      ...(api.cost.balance === null ? [] : [() => balance.run(stop)]),
      () => fetcher.run(stop),
      () => this.view.run(),
      () => results.run(stop),
      () => this.#keepReserve(),
      () => this.#archiveOld(),
    ];
    this.#ended = Promise.all([
      ...loops.map((loop) => this.#keepRunning(loop)),
      this.#lookAtFiles().catch(onDefect),
    ]);
  }

  /** Waits for the response to a running request; stops everything else where it is. */
  async #end(): Promise<void> {
    this.#stop.abort();
    const deadline = new AbortController();
    // A response can no longer be stored.
    if (this.#shared.lock.lost.aborted) this.#giveUp.abort();
    void this.#parts.clock.sleep(LAST_RESPONSE_MS, deadline.signal).then(
      () => this.#giveUp.abort(),
      () => undefined,
    );
    await this.#ended;
    await this.#parts.renaming.idle();
    deadline.abort();
    if (this.#shared.onlyRead !== true && !this.#shared.lock.lost.aborted)
      await this.#parts.results.flush();
  }

  /** What other sessions show of this one. */
  get status(): OtherServiceStatus {
    const { store, flow, serviceInfo } = this.#parts;
    const { counts } = store.jobs;
    const all = store.batches.all();
    for (const { id } of all) if (countIn('active', counts.of(id)) > 0) this.#worked.add(id);
    const batches = all
      .filter(({ id }) => this.#worked.has(id))
      .map(({ id, name }) => ({ id: String(id), name, counts: { ...counts.of(id) } }));
    return { ...serviceInfo, counts: { ...counts.total }, flow: flow.view(), batches };
  }

  /** A job changed, and it is on disk. */
  #jobChanged(job: JobRow): void {
    const { poller, linkDelay, forecasts, wakeSignal } = this.#parts;
    poller.track(job);
    if (job.state === 'ready') linkDelay.becameReady(job.id);
    if (!isIn('accepted', job.state)) linkDelay.forget(job.id);
    this.#parts.results.changed(job.batchId);
    forecasts.changed();
    this.feed.job(job.id);
    this.#others.changed();
    wakeSignal.notify();
  }

  rowsChanged(): void {
    this.#parts.forecasts.changed();
    this.#parts.forecasts.keepFresh();
    this.feed.rows();
    this.#others.changed();
    this.#parts.wakeSignal.notify();
  }

  flowChanged(): void {
    this.#setPaused?.(this.#parts.flow.paused === 'everything');
    this.#parts.forecasts.changed();
    this.#parts.forecasts.keepFresh();
    this.view.waitsMoved();
    this.feed.summary();
    this.#others.changed();
    this.#parts.wakeSignal.notify();
  }

  /** The settings or the plan changed: applies at once, also to running transfers. */
  applySettings(plan: PlanOptions): void {
    const { allowVpnAddresses = false } = this.#shared.settings;
    const { quota, connections, blockedServer } = this.#parts;
    quota.plan = plan;
    this.#archiveNow.abort();
    connections.allowVpnAddresses = allowVpnAddresses;
    if (allowVpnAddresses) {
      blockedServer.allow();
      this.#parts.downloadWaits.end('address-blocked');
    }
    this.flowChanged();
  }

  /** Asks the service whether a key works, with the cheapest request (§5.7). */
  async checkKey(entered?: string): Promise<EnteredKey> {
    const { signal } = this.#stop;
    const settle = beginRead(this.#parts, { limit: 'status' });
    const outcome = await this.#parts.service.checkKey(signal, entered);
    const isInUse = entered === undefined;
    settle({ to: 'key', outcome, isAborted: signal.aborted, isInUse });
    this.flowChanged();
    return enteredKey(outcome);
  }

  backUp(): void {
    this.#parts.store.backUp().catch(this.#parts.onDefect);
  }

  /** Finishes interrupted renames before it looks for missing files. */
  async #lookAtFiles(): Promise<void> {
    // Both begin at once: a command that follows waits for the renaming, and the records are beside
    // the old names.
    const { store, clock } = this.#parts;
    const stop = this.#stop.signal;
    const renamed = this.#parts.renaming.run(() => finishRenames(store, clock, stop));
    await Promise.all([discardLeftFiles(store, this.#shared.locks, clock), renamed]);
    await checkFiles(store, clock, stop);
  }

  /** Refills the reserve once the disk has space, and reports when it was used. */
  async #keepReserve(): Promise<void> {
    const { store, wakeSignal } = this.#parts;
    const { signal } = this.#stop;
    let wasWhole = store.reserve.isWhole;
    const unsubscribe = store.reserve.listen(() => wakeSignal.notify());
    signal.addEventListener('abort', unsubscribe, { once: true });
    while (!signal.aborted) {
      const version = wakeSignal.version;
      store.reserve.refill();
      const { isWhole } = store.reserve;
      if (isWhole !== wasWhole) this.flowChanged();
      wasWhole = isWhole;
      await wakeSignal.wait(version, isWhole ? null : LOOK_AT_DISK_MS, signal);
    }
  }

  /** Archives finished batches by the user's setting, now and every hour. */
  async #archiveOld(): Promise<void> {
    const { store, clock } = this.#parts;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const { archiveAfterDays: days = null } = this.#shared.settings;
      if (days !== null && (await archiveOldBatches(store, days, clock.now()))) this.rowsChanged();
      this.#archiveNow = new AbortController();
      const woken = AbortSignal.any([signal, this.#archiveNow.signal]);
      await clock.sleep(ARCHIVE_MS, woken).catch(() => undefined);
    }
  }

  async #keepRunning(loop: () => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await loop();
      } catch (error) {
        this.#parts.onDefect(error);
        await this.#parts.clock.sleep(LOOP_RESTART_MS, signal).catch(() => undefined);
      }
    }
  }
}
