import path from 'node:path';
import type { Failure } from '../contract/failure.ts';
import { isIn, countIn, STATE_GROUPS } from '../contract/job-states.ts';
import { DOCUMENTED_API } from '../contract/service-profile.ts';
import type { OtherServiceStatus, Summary } from '../contract/summary.ts';
import { userMessage, joinMessages } from '../contract/user-message.ts';
import type { CommandContext, Runtime } from './commands/command-context.ts';
import { Serial } from './serial.ts';
import { createCommands } from './commands/commands.ts';
import type { Commands } from './commands/handlers.ts';
import { PosterCache } from './downloads/poster-cache.ts';
import { NotPossibleNowError } from './engine-error.ts';
import { Canceller } from './flow/canceller.ts';
import { DownloadWaits } from './flow/download-waits.ts';
import { Fetcher } from './flow/fetcher.ts';
import { hasOwnIds } from './flow/marked-request.ts';
import { createFlowContext, type FlowContext } from './flow/flow-context.ts';
import type { StartUp } from './flow/flow-control.ts';
import type { PlanOptions } from './flow/quota-tracker.ts';
import { Poller } from './flow/poller.ts';
import { finishRenames } from './flow/renamer.ts';
import { beginRead } from './flow/requests.ts';
import { checkFiles, discardLeftRecords } from './flow/saved-files.ts';
import { Settler } from './flow/settler.ts';
import { Submitter } from './flow/submitter.ts';
import { UserRules } from './flow/user-rules.ts';
import type { JobRow } from './jobs/job-row.ts';
import type { Store } from './jobs/store.ts';
import { storyboardProfile } from './profiles/storyboard.ts';
import type { OtherSessions, SessionOptions, SharedContext } from './shared-context.ts';
import { ChangeFeed } from './view/change-feed.ts';
import { Forecasts } from './view/forecasts.ts';
import { JobWaits } from './view/job-waits.ts';
import { LiveView } from './view/live-view.ts';

/** How long closing waits for the response to a running request, which is then left uncertain. */
const LAST_ANSWER_MS = 15_000;

/** A loop restarts this long after an unexpected error. */
const LOOP_RESTART_MS = 5000;

/** How often a disk that is too full for the queue is checked. */
const LOOK_AT_DISK_MS = 5000;

const COPIED: Failure = { code: 'store-copied', ...userMessage('queue-copied') };

/** Creates everything that processes the queue of one service, and runs its loops. */
export class EngineRuntime implements Runtime {
  readonly commands: Commands;
  readonly view: LiveView;
  readonly feed: ChangeFeed;
  readonly #shared: SharedContext;
  readonly #context: CommandContext;
  readonly #submitter: Submitter;
  readonly #others: OtherSessions;
  readonly #service: Summary['service'];
  /** Batches that were active when other sessions asked. */
  readonly #worked = new Set<number>();
  readonly #stop = new AbortController();
  readonly #giveUp = new AbortController();
  #ended: Promise<unknown> = Promise.resolve();

  /**
   * Awaits nothing, so that it uses the settings and plan of this moment.
   * @param closing gets what closes it again, also when this throws. It stops at a safe point:
   *   waits for a running request, keeps part files.
   * @throws {EngineError} `not-possible-now` for a profile of another service
   */
  constructor(shared: SharedContext, options: SessionOptions, closing: AsyncDisposableStack) {
    const { service, others } = options;
    const profile = service.profile ?? storyboardProfile;
    const stop = this.#stop.signal;
    const feed = new ChangeFeed(shared.clock);
    const { context, rules } = openContext(shared, options, closing, feed, (job) =>
      this.#jobChanged(job),
    );
    this.#shared = shared;
    this.#service = {
      // A profile of one service has the service's name; one that fits any address has none, so the
      // address's name is shown.
      name: context.api.origin === null ? service.name : profile.name,
      origin: new URL(service.baseUrl).origin,
      isLocal: service.isLocal ?? false,
    };
    this.feed = feed;
    this.#others = others;

    this.#submitter = new Submitter(context, () => this.checkKey());
    const poller = new Poller(context);
    const downloadWaits = new DownloadWaits(context);
    const settler = new Settler(context);
    const canceller = new Canceller(context);
    const waits = new JobWaits(context, poller, settler, canceller);
    const forecasts = new Forecasts(context, waits);
    this.view = new LiveView({
      ...context,
      waits,
      forecasts,
      feed,
      stop,
      serviceInfo: this.#service,
      otherServices: () => others.list(),
      defaultFolder: () => shared.settings.defaultFolder,
    });
    this.#context = {
      ...context,
      rules,
      profile,
      poller,
      settler,
      canceller,
      downloadWaits,
      forecasts,
      fetcher: new Fetcher(context, downloadWaits),
      view: this.view,
      runtime: this,
      posters: postersOf(shared, context, stop),
      defaults: () => shared.settings,
      stop,
      naming: shared.naming,
      renaming: new Serial(),
    };
    this.commands = createCommands(this.#context);
    closing.defer(() => this.#end());
  }

  /**
   * Starts the loops, unless the queue is opened only to be read.
   * @param startUp whether the pause of an earlier run is kept
   */
  start(startUp: StartUp): void {
    if (this.#shared.onlyRead === true) return;
    const { store, flow } = this.#context;
    const reason = reasonToSuspendSending(store);
    if (reason) flow.suspendSending(reason);
    store.rememberFile();
    flow.startUp(startUp);
    this.flowChanged();
    const { api, balance, poller, settler, canceller, fetcher, onDefect } = this.#context;
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
      () => this.#keepReserve(),
    ];
    this.#ended = Promise.all([
      ...loops.map((loop) => this.#keepRunning(loop)),
      this.#lookAtFiles().catch(onDefect),
    ]);
  }

  /** Waits for the response to a running request; stops everything else where it is. */
  async #end(): Promise<void> {
    this.#stop.abort();
    const patience = new AbortController();
    void this.#context.clock.sleep(LAST_ANSWER_MS, patience.signal).then(
      () => this.#giveUp.abort(),
      () => undefined,
    );
    await this.#ended;
    await this.#context.renaming.idle();
    patience.abort();
  }

  /** What other sessions show of this one. */
  get status(): OtherServiceStatus {
    const { store, flow } = this.#context;
    const { counts } = store.jobs;
    const all = store.batches.all();
    for (const { id } of all) if (countIn('active', counts.of(id)) > 0) this.#worked.add(id);
    const batches = all
      .filter(({ id }) => this.#worked.has(id))
      .map(({ id, name }) => ({ id: String(id), name, counts: { ...counts.of(id) } }));
    return { ...this.#service, counts: { ...counts.total }, flow: flow.view(), batches };
  }

  /** A job changed, and it is on disk. */
  #jobChanged(job: JobRow): void {
    const { poller, linkDelay, forecasts, wakeSignal } = this.#context;
    poller.track(job);
    if (job.state === 'ready') linkDelay.becameReady(job.id);
    if (!isIn('accepted', job.state)) linkDelay.forget(job.id);
    forecasts.changed();
    this.feed.job(job.id);
    this.#others.changed();
    wakeSignal.notify();
  }

  rowsChanged(): void {
    this.#context.forecasts.changed();
    this.#context.forecasts.keepFresh();
    this.feed.rows();
    this.#others.changed();
    this.#context.wakeSignal.notify();
  }

  flowChanged(): void {
    this.#context.forecasts.changed();
    this.#context.forecasts.keepFresh();
    this.view.waitsMoved();
    this.feed.summary();
    this.#others.changed();
    this.#context.wakeSignal.notify();
  }

  /** The settings or the plan changed: applies at once, also to running transfers. */
  applySettings(plan: PlanOptions): void {
    const { allowVpnAddresses = false } = this.#shared.settings;
    const { quota, connections, blockedServer } = this.#context;
    quota.plan = plan;
    connections.allowVpnAddresses = allowVpnAddresses;
    if (allowVpnAddresses) {
      blockedServer.allow();
      this.#context.downloadWaits.end('address-blocked');
    }
    this.flowChanged();
  }

  /** Asks the service whether the key works, with the cheapest request (§5.7). */
  async checkKey(): Promise<void> {
    const { service, outage } = this.#context;
    const { signal } = this.#stop;
    const settle = beginRead(this.#context, { limit: 'status', signal });
    const outcome = await service.checkKey(signal);
    settle(outcome);
    if (outcome.kind === 'unusable') outage.failed(outcome.failure);
    this.flowChanged();
  }

  backUp(): void {
    this.#context.store.backUp().catch(this.#context.onDefect);
  }

  /** Finishes interrupted renames before it looks for missing files. */
  async #lookAtFiles(): Promise<void> {
    // Both begin at once: a command that follows waits for the renaming, and the records are beside
    // the old names.
    const { store, clock } = this.#context;
    const stop = this.#stop.signal;
    const renamed = this.#context.renaming.run(() => finishRenames(store, clock, stop));
    await Promise.all([discardLeftRecords(store), renamed]);
    await checkFiles(store, clock, stop);
  }

  /** Refills the reserve once the disk has space, and reports when it was used. */
  async #keepReserve(): Promise<void> {
    const { store, wakeSignal } = this.#context;
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

  async #keepRunning(loop: () => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await loop();
      } catch (error) {
        this.#context.onDefect(error);
        await this.#context.clock.sleep(LOOP_RESTART_MS, signal).catch(() => undefined);
      }
    }
  }
}

/**
 * Creates what a session works with: its view of the database, and its connections to the service.
 */
function openContext(
  shared: SharedContext,
  { service, plan, key }: SessionOptions,
  closing: AsyncDisposableStack,
  feed: ChangeFeed,
  onChange: (job: JobRow) => void,
): { readonly context: FlowContext; readonly rules: UserRules } {
  const { origin } = new URL(service.baseUrl);
  const { api = DOCUMENTED_API, answers } = service.profile ?? storyboardProfile;
  const ofProfile = api.origin ?? origin;
  // Its rows and the key would be sent to another service.
  if (ofProfile !== origin) {
    throw new NotPossibleNowError(userMessage('profile-of-other-origin', { origin: ofProfile }));
  }
  const store = shared.database.storeOf(origin, shared.clock.now(), onChange);
  closing.defer(() => store.refuseWrites());
  const rules = new UserRules(answers, store.notes);
  const external = shared.connectTo(service, key, rules.rules, shared);
  closing.defer(() => external.close());
  const { usualRenderMs, unavailable } = service;
  const session = { store, key, api, plan, usualRenderMs, unavailable, feed };
  return { context: createFlowContext({ ...shared, ...external, ...session }), rules };
}

/** Why the database may list sent requests as unsent; `null` when it does not. */
function reasonToSuspendSending({ condition, setAside, jobs }: Store): Failure | null {
  if (condition === 'sound') return null;
  if (condition === 'copied') return jobs.counts.sum(STATE_GROUPS.unsent) > 0 ? COPIED : null;
  const what = userMessage(condition === 'restored' ? 'queue-restored' : 'queue-begins-anew');
  const kept =
    setAside === null ? [] : [userMessage('queue-kept-as', { name: path.basename(setAside) })];
  return {
    code: 'store-damaged',
    ...joinMessages(what, ...kept),
  };
}

function postersOf(
  { dataDir, makePoster }: SharedContext,
  { disks, clock }: FlowContext,
  stop: AbortSignal,
): PosterCache {
  const folder = path.join(dataDir, 'posters');
  return new PosterCache({
    folder,
    clock,
    stop,
    make: makePoster ?? (() => Promise.resolve({ kind: 'impossible' })),
    hasRoom: async () => (await disks.free(folder).catch(() => 0)) > 0,
  });
}
