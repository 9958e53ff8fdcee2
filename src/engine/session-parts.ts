import path from 'node:path';
import { serviceIdOf } from '../contract/service-id.ts';
import { DOCUMENTED_API } from '../contract/service-profile.ts';
import type { Summary } from '../contract/summary.ts';
import { userMessage } from '../contract/user-message.ts';
import { attachPictures } from './attached-pictures.ts';
import type { CommandContext, Runtime } from './commands/command-context.ts';
import { PosterCache } from './downloads/poster-cache.ts';
import { NotPossibleNowError } from './engine-error.ts';
import { Canceller } from './flow/canceller.ts';
import { DownloadWaits } from './flow/download-waits.ts';
import { Fetcher } from './flow/fetcher.ts';
import { createFlowContext, type FlowContext } from './flow/flow-context.ts';
import { Poller } from './flow/poller.ts';
import { ResultsFiles } from './flow/results-files.ts';
import { Settler } from './flow/settler.ts';
import { UserRules } from './flow/user-rules.ts';
import type { JobRow } from './jobs/job-row.ts';
import type { Amount } from '../contract/amount.ts';
import { isDocumentedService } from '../contract/service-cost.ts';
import type { Store } from './jobs/store.ts';
import { estimateOne } from './profiles/cost.ts';
import type { Profile } from './profiles/profile.ts';
import { storyboardProfile } from './profiles/storyboard.ts';
import { Serial } from './serial.ts';
import type { SessionOptions, SharedContext } from './engine-options.ts';
import { ChangeFeed } from './view/change-feed.ts';
import { Forecasts } from './view/forecasts.ts';
import { JobWaits } from './view/job-waits.ts';
import { LiveView } from './view/live-view.ts';

/** The parts of a session: everything that processes and shows the queue of one service. */
export interface SessionParts extends CommandContext {
  readonly serviceInfo: Summary['service'];
  readonly feed: ChangeFeed;
}

/** What the parts notify, and when they end. */
interface SessionHooks {
  readonly runtime: Runtime;
  /** Called for every job that changed, once the change is on disk. */
  readonly onChange: (job: JobRow) => void;
  /** Ends the view's updates and the making of posters. */
  readonly stop: AbortSignal;
}

/**
 * Creates the parts. Awaits nothing, so that they use the settings and plan of this moment.
 * @param closing gets what closes them again, also when this throws
 * @throws {EngineError} `not-possible-now` for a profile of another service
 */
export function createSessionParts(
  shared: SharedContext,
  options: SessionOptions,
  closing: AsyncDisposableStack,
  { runtime, onChange, stop }: SessionHooks,
): SessionParts {
  const { service, others } = options;
  const feed = new ChangeFeed(shared.clock);
  const profile = service.profile ?? storyboardProfile;
  const { api = DOCUMENTED_API, answers } = profile;
  const origin = serviceIdOf(service.baseUrl);
  // Its rows and the key would be sent to another service.
  if (api.origin !== null && api.origin !== origin) {
    throw new NotPossibleNowError(userMessage('profile-of-other-origin', { origin: api.origin }));
  }
  const store = shared.database.storeOf(origin, shared.clock.now(), onChange);
  closing.defer(() => store.refuseWrites());
  const rules = new UserRules(answers, store.notes);
  const external = shared.connectTo(service, options.key, rules.rules, shared);
  closing.defer(() => external.close());
  const context = createFlowContext({
    ...shared,
    ...external,
    store,
    key: options.key,
    api,
    accountLimits: service.accountLimits,
    plan: options.plan,
    usualRenderMs: service.usualRenderMs,
    deleteSaved: service.deleteSaved,
    attachPictures: attachPictures({
      clock: shared.clock,
      store: service.storeFile,
      upload: external.upload ?? null,
      fit: shared.fitPicture,
    }),
    unavailable: service.unavailable,
    feed,
  });
  const serviceInfo = {
    // A profile of one service has the service's name; one that fits any address has none, so the
    // address's name is shown.
    name: api.origin === null ? service.name : profile.name,
    origin,
    isLocal: service.isLocal ?? false,
  };
  const poller = new Poller(context);
  const settler = new Settler(context);
  const canceller = new Canceller(context);
  const downloadWaits = new DownloadWaits(context);
  const waits = new JobWaits(context, poller, settler, canceller);
  const forecasts = new Forecasts(context, waits, poller);
  const results = new ResultsFiles({
    ...context,
    costOf: (job) => costText(job, context.store, profile, serviceInfo.isLocal),
    isWanted: () => shared.settings.resultsFiles !== false,
    onProblem: () => feed.summary(),
  });
  const view = new LiveView({
    ...context,
    waits,
    forecasts,
    results,
    feed,
    stop,
    serviceInfo,
    otherServices: () => others.list(),
    defaultFolder: () => shared.settings.defaultFolder,
  });
  return {
    ...context,
    serviceInfo,
    feed,
    results,
    rules,
    profile,
    poller,
    settler,
    canceller,
    downloadWaits,
    forecasts,
    fetcher: new Fetcher(context, downloadWaits),
    view,
    runtime,
    newKey: service.newKey,
    findUndrawable: service.findUndrawable,
    checkLayouts: service.checkLayouts,
    posters: postersOf(shared, context, stop),
    defaults: () => shared.settings,
    stop,
    naming: shared.naming,
    readings: shared.readings,
    renaming: new Serial(),
  };
}

/** As in {@link ResultsFiles}: what the service said, else the profile's estimate. */
function costText(
  { id, cost, submittedAt }: JobRow,
  { jobs }: Store,
  profile: Profile,
  isLocal: boolean,
): string | null {
  if (submittedAt === null) return null;
  if (cost !== null) return amountText(cost);
  const estimate = estimateOne(profile, jobs.row(id).values);
  if (estimate !== null) return `about ${amountText(estimate)}`;
  return isLocal || !isDocumentedService(profile.api ?? DOCUMENTED_API) ? null : '1 video';
}

function amountText({ amount, unit, currency }: Amount): string {
  const each = currency ?? unit;
  return `${amount} ${currency === null && amount !== 1 ? `${each}s` : each}`;
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
