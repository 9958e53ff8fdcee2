// Carries out what an outcome means (`effects.ts`): the one place where an outcome is stored.
import type { Clock } from '../clock.ts';
import type { JobChange, JobRow, JobWait } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import type { Charges } from '../pacing/endpoint-windows.ts';
import type { Endpoint } from '../pacing/rate-window-state.ts';
import type { HttpResponse } from '../service/outcomes.ts';
import type { ApiKey } from './api-key.ts';
import type { ConcurrentRenders } from './concurrent-renders.ts';
import type { Effects, JobMove } from './effects.ts';
import type { EndpointOutage, Outage } from './outage.ts';
import type { QuotaTracker } from './quota-tracker.ts';
import type { RateLimits } from './rate-limits.ts';
import type { RefusedBatches } from './refused-batches.ts';
import type { SubmissionCircuitBreaker } from './submission-circuit-breaker.ts';

/** A request that has its outcome. */
export interface SettledRequest {
  readonly limit: Endpoint;
  /** What it took of that limit. */
  readonly charges: Charges;
  readonly response: HttpResponse | null;
  readonly reportKey: ReturnType<ApiKey['beginUse']>;
  /** Of a request for a video. */
  readonly attempt?: { readonly id: number; readonly outcome: string };
  /** The job that it is about, if any. */
  readonly jobId?: number | undefined;
  /** The endpoint and the video, if it is about an existing video. */
  readonly about?: { readonly endpoint: EndpointOutage; readonly remoteId: string };
  /** The change of a job that is downloaded later. */
  readonly waitOf?: (jobId: number, wait: JobWait) => JobChange;
}

/** What learns from outcomes. */
export interface EffectTargets {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: RateLimits;
  readonly quota: QuotaTracker;
  readonly balance: { spent(): void; want(): void };
  readonly renders: ConcurrentRenders;
  readonly refusedBatches: RefusedBatches;
  readonly circuitBreaker: SubmissionCircuitBreaker;
  /** Of the service as a whole. */
  readonly outage: Outage;
}

/**
 * Stores all effects in one transaction, and reports those that are not stored once it is on disk.
 * @param also runs in the transaction, once the limits are settled; `endsOutage` is true when an
 *   outage of the endpoint has ended
 */
export function applyEffects(
  effects: Effects,
  request: SettledRequest,
  targets: EffectTargets,
  also: (endsOutage: boolean) => void = () => undefined,
): void {
  const { store, clock, limits } = targets;
  const { attempt, jobId, response } = request;
  const at = clock.now();
  const outageOfEndpoint = request.about?.endpoint.failure ?? null;
  const endsOutage = effects.endpoint === 'usable' && outageOfEndpoint !== null;
  store.transactions.write(() => {
    store.transactions.afterCommit(() => reportToService(effects, request, targets));
    if (attempt) store.jobs.endAttempt(attempt.id, attempt.outcome, at);
    limits.settle(request.limit, request.charges, effects.limits, response);
    if (jobId !== undefined && effects.storesResponse && response)
      store.jobs.storeResponse(jobId, response.body, at);
    also(endsOutage);
    if (jobId !== undefined) {
      const job = store.jobs.get(jobId);
      settleQuota(effects, job, response, targets);
      for (const move of effects.moves) moveJob(move, jobId, at, request, targets);
    }
    reportToBreaker(effects, targets);
  });
}

function settleQuota(
  { ledger, quota, balance, renders }: Effects,
  { id, preset }: JobRow,
  response: HttpResponse | null,
  targets: EffectTargets,
): void {
  // The response has just shown the service's clock.
  if (ledger === 'charge') targets.store.ledger.charge(id, targets.quota.serviceNow());
  else if (ledger !== null) targets.store.ledger[ledger](id);
  if (quota === 'accepted') targets.quota.accepted();
  else if (quota === 'refused' && response) targets.quota.refuse(response);
  if (balance === 'spent') targets.balance.spent();
  else if (balance === 'outdated') targets.balance.want();
  if (renders === 'accepted') targets.renders.accepted();
  else if (renders === 'refused' && response) targets.renders.refused(response, preset);
}

function moveJob(
  { name, change: known = {}, note, wait }: JobMove,
  jobId: number,
  at: number,
  { waitOf }: SettledRequest,
  { store, refusedBatches }: EffectTargets,
): void {
  const change = { ...known, ...(wait && waitOf?.(jobId, wait)) };
  if (name === null) {
    if (isNews(change, store.jobs.get(jobId))) store.jobs.change(jobId, change);
    return;
  }
  const job = store.jobs.move(jobId, name, at, change, note);
  if (name === 'reject' || name === 'refuse') refusedBatches.refused(job);
}

function isNews(change: JobChange, job: JobRow): boolean {
  return JSON.stringify({ ...job, ...change }) !== JSON.stringify(job);
}

function reportToBreaker({ breaker }: Effects, { circuitBreaker }: EffectTargets): void {
  switch (breaker?.kind) {
    case 'clear':
      circuitBreaker.clear();
      return;
    case 'unknown':
      circuitBreaker.unknown(breaker.failure);
      return;
    case 'refused':
      circuitBreaker.refused(breaker.status, breaker.failure);
      return;
    case undefined:
  }
}

function reportToService(
  { outage: said, endpoint, key }: Effects,
  { about, reportKey }: SettledRequest,
  { outage }: EffectTargets,
): void {
  if (said === 'ended') outage.ended();
  else if (said !== null) outage.failed(said);
  if (endpoint === 'usable') about?.endpoint.usable();
  else if (endpoint !== null) about?.endpoint.unusable(about.remoteId, endpoint);
  if (key !== null) reportKey(key);
}
