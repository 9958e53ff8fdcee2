import type { Wait } from '../../contract/job.ts';
import type { Canceller } from '../flow/canceller.ts';
import type { FlowContext } from '../flow/flow-context.ts';
import type { Poller } from '../flow/poller.ts';
import type { Settler } from '../flow/settler.ts';
import type { JobOutline } from '../jobs/job-row.ts';

/** What it takes of a session. */
type JobWaitsContext = Pick<
  FlowContext,
  | 'clock'
  | 'limits'
  | 'renders'
  | 'quota'
  | 'diskSpace'
  | 'blockedServer'
  | 'linkDelay'
  | 'pauses'
  | 'flow'
>;

/** The plan for a job that has not been sent. */
export type PlanPlace =
  | { readonly kind: 'turn'; readonly sendAt: number | null }
  /** `until` is when the quota has room for it, by the service's clock. */
  | { readonly kind: 'quota'; readonly until: number | null }
  | { readonly kind: 'pause-point' | 'not-planned' | 'years-away' };

/** The reason why a job waits. Of several reasons, the one that lasts longest. */
export class JobWaits {
  readonly #context: JobWaitsContext;
  readonly #poller: Poller;
  readonly #settler: Settler;
  readonly #canceller: Canceller;

  constructor(context: JobWaitsContext, poller: Poller, settler: Settler, canceller: Canceller) {
    this.#context = context;
    this.#poller = poller;
    this.#settler = settler;
    this.#canceller = canceller;
  }

  /**
   * @param place of a job that has not been sent
   * @returns `null` if its state alone shows what it waits for, or it waits for nothing
   */
  of(job: WaitingJob, place: () => PlanPlace): Wait | null {
    switch (job.state) {
      case 'queued':
        return this.ofUnsent(place());
      case 'submitted':
      case 'rendering':
        return this.#context.flow.readWait() ?? this.#poller.waitOf(job.id);
      case 'uncertain':
        return this.#settler.waitOf(job.id);
      case 'ready':
        return this.#ofReady(job);
      case 'downloading':
      case 'verifying':
        return this.#context.pauses.has(job.id) ? DOWNLOAD_PAUSED : null;
      case 'held':
      case 'reserved':
      case 'sending':
      case 'done':
      case 'missing':
      case 'rejected':
      case 'failed':
      case 'cancelled':
        return null;
      case 'abandoned':
        return this.#canceller.waitOf(job);
    }
  }

  /**
   * For a job that has not been sent. A cycle without room for it lasts longer than every other
   * reason.
   */
  ofUnsent(place: PlanPlace): Wait {
    const { flow, quota } = this.#context;
    if (place.kind === 'quota') {
      const reason = quota.per === 'day' ? 'daily-quota' : 'quota';
      return { reason, until: place.until };
    }
    if (place.kind === 'years-away') return { reason: place.kind, until: null };
    const ofAll = flow.sendWait();
    if (ofAll) return ofAll;
    return place.kind === 'turn' ? this.#ofTurn(place.sendAt) : { reason: place.kind, until: null };
  }

  /** Of the limit of requests and that of renders, the one with the longer wait now. */
  #ofTurn(until: number | null): Wait {
    const { limits, renders } = this.#context;
    const slotMs = renders.wait();
    // Called for each row, so the window is checked only if it matters.
    const isForWindow = slotMs === 0 || (slotMs < Infinity && slotMs <= limits.wait('generate'));
    if (isForWindow) return { reason: 'turn', until };
    return { reason: 'render-slot', until };
  }

  #ofReady(job: WaitingJob): Wait | null {
    const { flow, pauses, limits, clock, blockedServer, linkDelay } = this.#context;
    if (pauses.has(job.id)) return DOWNLOAD_PAUSED;
    const own = this.#ofDownload(job) ?? flow.readWait();
    if (own) return own;
    const now = clock.now();
    if (job.waitReason === null && blockedServer.host !== null) {
      const until = now + blockedServer.left();
      return { reason: 'address-blocked', until, host: blockedServer.host };
    }
    const earlyMs = job.waitReason === null ? linkDelay.left(job.id) : 0;
    if (earlyMs > 0) return { reason: 'link-not-ready', until: now + earlyMs };
    const linkMs = limits.wait('download');
    return linkMs > 0 ? { reason: 'link-limit', until: now + linkMs } : null;
  }

  /** Why only this job waits. */
  #ofDownload(job: WaitingJob): Wait | null {
    const { diskSpace, linkDelay, clock } = this.#context;
    const wait = job.waitReason;
    const until = job.nextTryAt ?? 0;
    const isOver = until <= clock.now();
    switch (wait?.kind) {
      case undefined:
      case 'cancel':
        return null;
      case 'no-space': {
        const missingBytes = diskSpace.missing(job);
        if (missingBytes > 0) return { reason: 'disk-full', until: null, missingBytes };
        return isOver ? null : { reason: 'disk-full', until, missingBytes: null };
      }
      case 'address-blocked': {
        const { host } = wait;
        return isOver && host === null ? null : { reason: wait.kind, until, host: host ?? '' };
      }
      case 'proxy-failed':
        return isOver ? null : { reason: wait.kind, until, proxy: wait.proxy };
      case 'not-ready': {
        const later = Math.max(until, clock.now() + linkDelay.left(job.id));
        return later <= clock.now() ? null : { reason: 'link-not-ready', until: later };
      }
      case 'cannot-write':
      case 'too-many-files':
      case 'link-limit':
      case 'no-link':
      case 'server-busy':
      case 'unreachable':
      case 'service-error':
      case 'not-found':
        return isOver ? null : { reason: SHOWN_AS[wait.kind], until };
    }
  }
}

const DOWNLOAD_PAUSED: Wait = { reason: 'download-paused', until: null };

const SHOWN_AS = {
  'cannot-write': 'folder-unusable',
  'too-many-files': 'too-many-files',
  'link-limit': 'link-limit',
  'no-link': 'link-not-ready',
  'server-busy': 'file-server-busy',
  unreachable: 'file-server-unreachable',
  'service-error': 'service-error',
  'not-found': 'not-found',
} as const;

type WaitingJob = Pick<JobOutline, 'id' | 'batchId' | 'state' | 'nextTryAt' | 'waitReason'>;
