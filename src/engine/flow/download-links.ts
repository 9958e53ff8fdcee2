import type { LinkRenewal } from '../downloads/request.ts';
import type { Link } from '../link.ts';
import type { LinkOutcome } from '../service/outcomes.ts';
import type { SettledRequest } from './apply-effects.ts';
import type { DownloadWaits } from './download-waits.ts';
import type { FlowContext } from './flow-context.ts';
import { beginRead, type RequestTargets } from './requests.ts';

/** What it takes of a session. */
export type DownloadLinksContext = RequestTargets &
  Pick<FlowContext, 'service' | 'api' | 'linkOutage' | 'knownLinks' | 'wakeSignal'>;

/** The result of requesting a link. A link that was known has no response. */
export type LinkResult =
  | { readonly kind: 'link'; readonly link: Link }
  | Exclude<LinkOutcome, { kind: 'link' }>;

type JobOfLink = (
  outcome: LinkOutcome,
) => { readonly jobId: number; readonly isGivenUp: boolean } | null;

/**
 * Provides links to files. A link from the documented endpoint is valid for an hour and counts
 * against 30 an hour (service-api.md §8.1, §8.5). A link that comes with the status costs a status
 * request; a file that the service itself delivers costs only the request for the file.
 */
export class DownloadLinks {
  readonly #context: DownloadLinksContext;
  readonly #waits: Pick<DownloadWaits, 'end' | 'next'>;
  /**
   * Where links come from: an endpoint, the status, or nowhere if the service itself delivers the
   * file.
   */
  readonly #from: 'endpoint' | 'status' | 'content';

  constructor(context: DownloadLinksContext, waits: Pick<DownloadWaits, 'end' | 'next'>) {
    this.#context = context;
    this.#waits = waits;
    const { kind } = context.api.file;
    this.#from = kind === 'link-endpoint' ? 'endpoint' : kind === 'content' ? kind : 'status';
  }

  /**
   * Milliseconds until a job can have a link; 0 is now. A link that is known needs no request, so
   * outages of the endpoint do not delay it.
   */
  wait(jobId: number): number {
    const { store, limits, linkOutage } = this.#context;
    if (this.#from === 'content') return limits.wait('download');
    if (this.#from === 'status') {
      const { remoteId } = store.jobs.get(jobId);
      if (remoteId !== null && this.#known(remoteId)) return 0;
    }
    return Math.max(limits.wait(this.#limit), linkOutage.wait());
  }

  /** The job that can have a link first; `null` without jobs. */
  first(jobIds: readonly number[]): { readonly jobId: number; readonly ms: number } | null {
    let soonest: { readonly jobId: number; readonly ms: number } | null = null;
    // Otherwise all of them wait for the same.
    for (const jobId of this.#from === 'status' ? jobIds : jobIds.slice(0, 1)) {
      const ms = this.wait(jobId);
      if (ms === 0) return { jobId, ms };
      if (soonest === null || ms < soonest.ms) soonest = { jobId, ms };
    }
    return soonest;
  }

  /**
   * A link for a job, requested if none is known. The response is stored.
   * @param jobOf the job that the response is about, and whether this was its last try; `null` if it
   *   is not waiting for a link any more
   */
  async ask(remoteId: string, signal: AbortSignal, jobOf?: JobOfLink): Promise<LinkResult> {
    const { store, limits, service } = this.#context;
    const link = this.#known(remoteId) ?? service.knownLink(remoteId);
    if (link === null) return this.#request(remoteId, signal, jobOf);
    if (this.#from === 'content') {
      // The request for the file itself is the one that counts.
      store.transactions.write(() => {
        limits.settle('download', limits.reserve('download'), 'counted', null);
      });
    }
    return { kind: 'link', link };
  }

  async #request(
    remoteId: string,
    signal: AbortSignal,
    jobOf: JobOfLink = () => null,
  ): Promise<LinkOutcome> {
    const { service, linkOutage, knownLinks, wakeSignal } = this.#context;
    const about = { endpoint: linkOutage, remoteId };
    const waitOf: SettledRequest['waitOf'] = (id, wait) => this.#waits.next(id, wait);
    const settle = beginRead(this.#context, { limit: this.#limit, about, waitOf });
    const outcome = await service.link(remoteId, signal);
    const { jobId, isGivenUp = false } = jobOf(outcome) ?? {};
    const isForJob = jobId !== undefined;
    const answer = { to: 'link', outcome, isForJob, isGivenUp, isAborted: signal.aborted } as const;
    settle(answer, jobId, (endsOutage) => {
      if (endsOutage) this.#waits.end('service-error');
    });
    if (this.#from === 'status' && outcome.kind === 'link') {
      knownLinks.remember(remoteId, outcome.link);
    }
    wakeSignal.notify();
    return outcome;
  }

  /** A new link for a transfer whose link has expired or was refused. */
  async renew(remoteId: string, signal: AbortSignal): Promise<LinkRenewal> {
    const { limits, linkOutage, knownLinks, clock } = this.#context;
    knownLinks.forget(remoteId);
    const wait = Math.max(limits.wait(this.#limit), linkOutage.wait());
    if (wait > 0) return { kind: 'wait', reason: 'link-limit', until: clock.now() + wait };
    const outcome = await this.#request(remoteId, signal);
    switch (outcome.kind) {
      case 'link':
        return { kind: 'link', link: outcome.link };
      case 'rate-limited':
        return {
          kind: 'wait',
          reason: 'link-limit',
          until: clock.now() + limits.wait(this.#limit),
        };
      case 'not-ready':
      case 'no-link':
      case 'not-found':
      case 'refused':
      case 'expired':
      case 'key-refused':
      case 'unusable':
      case 'server-error':
      case 'unreachable':
        return { kind: 'wait', reason: 'no-link', until: null };
    }
  }

  /** Which limit a request for a link counts against. */
  get #limit(): 'status' | 'download' {
    return this.#from === 'endpoint' ? 'download' : 'status';
  }

  /** By the service's clock, as far as it is known. */
  #known(remoteId: string): Link | null {
    const { knownLinks, limits, clock } = this.#context;
    return knownLinks.find(remoteId, clock.now() + limits.serviceAheadMs);
  }
}
