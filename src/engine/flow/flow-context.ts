import type { Failure } from '../../contract/failure.ts';
import type { ServiceApi } from '../../contract/service-profile.ts';
import type { Clock, Random } from '../clock.ts';
import type { TransferThrottle } from '../downloads/bandwidth.ts';
import { FolderLostError } from '../engine-error.ts';
import type { DownloadConnections } from '../downloads/connections.ts';
import type { Disks } from '../downloads/disk.ts';
import type { DownloadOutcome, DownloadRequest } from '../downloads/request.ts';
import type { InstanceLock } from '../jobs/instance-lock.ts';
import type { Store } from '../jobs/store.ts';
import type { StoredValues } from '../jobs/stored-values.ts';
import type { FilePart } from '../service/upload.ts';
import type { Logger, Trace } from '../logger.ts';
import { limitsOf, withAccountLimits, type AccountLimits } from '../pacing/service-limits.ts';
import type { Service } from '../service/outcomes.ts';
import type { ApiKey } from './api-key.ts';
import { BalanceTracker } from './balance-tracker.ts';
import { BlockedServer } from './blocked-server.ts';
import { ConcurrentRenders } from './concurrent-renders.ts';
import { DiskSpace } from './disk-space.ts';
import { FlowControl } from './flow-control.ts';
import { KnownLinks } from './known-links.ts';
import { LinkDelay } from './link-delay.ts';
import { EndpointOutage, Outage } from './outage.ts';
import { QuotaTracker, type PlanOptions } from './quota-tracker.ts';
import { RateLimits } from './rate-limits.ts';
import { RefusedBatches } from './refused-batches.ts';
import { RenderTimeTracker } from './render-time-tracker.ts';
import { SubmissionCircuitBreaker } from './submission-circuit-breaker.ts';
import { TransferPauses } from './transfer-pauses.ts';
import { TransferProgress } from './transfer-progress.ts';
import { WakeSignal } from './wake-signal.ts';

/**
 * @param id of the video at the service
 * @param sha256 of the saved file, in hexadecimal
 */
export type DeleteSaved = (id: string, sha256: string) => Promise<void>;

/** A row's request with its pictures, or why it has none now. */
export type Attached =
  | { readonly kind: 'ready'; readonly body: string; readonly files: readonly FilePart[] }
  /** A picture changed, or the service does not take it: the row is held. */
  | { readonly kind: 'unusable'; readonly failure: Failure }
  /** A picture could not be uploaded now. */
  | { readonly kind: 'unavailable'; readonly failure: Failure }
  /** The same bytes cannot be sent again. */
  | { readonly kind: 'impossible' };

/**
 * Reads the pictures of a row and makes its request. Never rejects.
 * @param isRepeat whether the bytes must be those that were sent before
 * @returns `null` for a row without pictures
 */
export type AttachPictures = (
  row: { readonly template: string; readonly values: StoredValues },
  signal: AbortSignal,
  isRepeat?: boolean,
) => Promise<Attached | null>;

/** The dependencies of a session's loops. */
export interface FlowOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger?: Logger | undefined;
  readonly store: Store;
  readonly key: ApiKey;
  readonly lock: Pick<InstanceLock, 'assertOurs'>;
  readonly service: Service;
  /** The service's API, from its profile. */
  readonly api: ServiceApi;
  readonly plan: PlanOptions;
  readonly accountLimits?: AccountLimits | undefined;
  /** Nothing is sent while this engine is open: it has no keys. */
  readonly isStopped?: boolean | undefined;
  /** Why the service cannot be used, as long as this session is open. */
  readonly unavailable?: Failure | undefined;
  /**
   * Half of the service's renders take no longer than this, in milliseconds, as far as is known.
   */
  readonly usualRenderMs?: number | undefined;
  /** Left out for a service that keeps the videos whose files are saved. */
  readonly deleteSaved?: DeleteSaved | undefined;
  /** Left out where no row has pictures. */
  readonly attachPictures?: AttachPictures | undefined;
  readonly download: (request: DownloadRequest) => Promise<DownloadOutcome>;
  /** The disks that downloads are saved to. */
  readonly disks: Disks;
  readonly connections: DownloadConnections;
  /** Limits the downloads of all services. */
  readonly throttle: TransferThrottle;
  /** Notifies watchers of changes that are not on disk: of one job, or of many. */
  readonly feed: { job(id: number): void; rows(): void; summary(): void };
}

/**
 * Everything that the loops, the view and the commands of a session share, made once: its
 * dependencies, and what it has learned of the service, its limits, links and renders. Each class
 * names the parts that it takes.
 */
export interface FlowContext extends FlowOptions {
  /** Outage of the service as a whole. */
  readonly outage: Outage;
  readonly statusOutage: EndpointOutage;
  readonly linkOutage: EndpointOutage;
  readonly circuitBreaker: SubmissionCircuitBreaker;
  readonly refusedBatches: RefusedBatches;
  readonly limits: RateLimits;
  readonly renders: ConcurrentRenders;
  readonly quota: QuotaTracker;
  readonly diskSpace: DiskSpace;
  readonly blockedServer: BlockedServer;
  readonly linkDelay: LinkDelay;
  readonly knownLinks: KnownLinks;
  readonly pauses: TransferPauses;
  readonly transfers: TransferProgress;
  readonly renderTimes: RenderTimeTracker;
  readonly wakeSignal: WakeSignal;
  readonly onDefect: (error: unknown) => void;
  readonly trace: Trace | undefined;
  /** What currently prevents requests. */
  readonly flow: FlowControl;
  readonly balance: BalanceTracker;
}

export function createFlowContext(options: FlowOptions): FlowContext {
  const { store, clock, random, logger } = options;
  const serviceLimits = withAccountLimits(limitsOf(options.api), options.accountLimits);
  const limits = new RateLimits(store, clock, serviceLimits);
  const isByWork = (serviceLimits.rendersAtOnce ?? null) !== null;
  const renderTimes = new RenderTimeTracker(store.notes, options.usualRenderMs, isByWork);
  const state = {
    ...options,
    trace: logger?.trace,
    outage: new Outage(clock, random, 'service'),
    statusOutage: new EndpointOutage(clock, random, 'service'),
    linkOutage: new EndpointOutage(clock, random, 'links'),
    circuitBreaker: new SubmissionCircuitBreaker(store, clock),
    refusedBatches: new RefusedBatches(store),
    limits,
    renders: new ConcurrentRenders(serviceLimits, store, renderTimes, clock),
    quota: new QuotaTracker(options.plan, store, limits, clock, serviceLimits),
    diskSpace: new DiskSpace(store.jobs, clock),
    blockedServer: new BlockedServer(clock),
    linkDelay: new LinkDelay(clock, store.notes),
    knownLinks: new KnownLinks(),
    pauses: new TransferPauses(store.notes),
    transfers: new TransferProgress(),
    renderTimes,
    wakeSignal: new WakeSignal(clock),
    onDefect: (error: unknown): void => {
      // Ends every loop; the host reports it.
      if (error instanceof FolderLostError) return;
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      logger?.warn({ error: text }, 'Something unexpected happened.');
    },
  };
  const flow = new FlowControl(state);
  return { ...state, flow, balance: new BalanceTracker(state, flow) };
}
