import type { Wait } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-states.ts';
import type { Clock } from '../clock.ts';
import type { FlowControl } from '../flow/flow-control.ts';
import type { QuotaTracker } from '../flow/quota-tracker.ts';
import type { RateLimits } from '../flow/rate-limits.ts';
import type { TransferPauses } from '../flow/transfer-pauses.ts';
import type { Postponement, TransferWaits } from '../flow/transfer-waits.ts';

/** What the plan of the queue says of a job that has not been sent. */
export type PlanPlace =
  | { readonly kind: 'turn'; readonly sendAt: number | null }
  | { readonly kind: 'quota' | 'pause-point' | 'not-planned' };

export interface JobWaitsParts {
  readonly flow: FlowControl;
  readonly quota: QuotaTracker;
  readonly waits: TransferWaits;
  /** Videos whose status is not requested for a while. */
  readonly statusWaits: TransferWaits;
  readonly pauses: TransferPauses;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** Says why a job does not move. Of several reasons, the one that lasts longest. */
export class JobWaits {
  readonly #parts: JobWaitsParts;

  constructor(parts: JobWaitsParts) {
    this.#parts = parts;
  }

  /**
   * @param place of a job that has not been sent
   * @returns `null` where its state alone says what it waits for, or it waits for nothing
   */
  of(job: { readonly id: number; readonly state: JobState }, place: () => PlanPlace): Wait | null {
    switch (job.state) {
      case 'queued':
        return this.ofUnsent(place());
      case 'submitted':
      case 'rendering':
        return this.#parts.flow.readWait() ?? this.#ofUnusableStatus(job.id);
      case 'ready':
        return this.#ofReady(job.id);
      case 'downloading':
      case 'verifying':
        return this.#parts.pauses.has(job.id) ? DOWNLOAD_PAUSED : null;
      case 'draft':
      case 'held':
      case 'reserved':
      case 'sending':
      case 'uncertain':
      case 'done':
      case 'missing':
      case 'rejected':
      case 'failed':
      case 'cancelled':
      case 'abandoned':
        return null;
    }
  }

  /** For a job that has not been sent. A cycle without room for it outlasts every other reason. */
  ofUnsent(place: PlanPlace): Wait {
    const { flow, quota } = this.#parts;
    if (place.kind === 'quota') return { reason: 'quota', until: quota.view().resetAt };
    const everybodys = flow.sendWait();
    if (everybodys) return everybodys;
    return place.kind === 'turn'
      ? { reason: 'turn', until: place.sendAt }
      : { reason: place.kind, until: null };
  }

  #ofUnusableStatus(id: number): Wait | null {
    const { statusWaits } = this.#parts;
    const wait = statusWaits.of(id);
    return wait && statusWaits.left(id) > 0 ? waitOf(wait) : null;
  }

  #ofReady(id: number): Wait | null {
    const { flow, waits, pauses, limits, clock } = this.#parts;
    if (pauses.has(id)) return DOWNLOAD_PAUSED;
    const own = waits.of(id);
    const wait = own && (own.room || own.host !== null || waits.left(id) > 0) ? waitOf(own) : null;
    if (wait) return wait;
    const everybodys = flow.readWait();
    if (everybodys) return everybodys;
    const hold = waits.holdOn(id);
    if (hold) return { reason: 'address-blocked', until: hold.untilAt, host: hold.host };
    const linkWait = limits.wait('download');
    return linkWait > 0 ? { reason: 'link-limit', until: clock.now() + linkWait } : null;
  }
}

const DOWNLOAD_PAUSED: Wait = { reason: 'download-paused', until: null };

function waitOf({ reason, untilAt, room, host }: Postponement): Wait {
  switch (reason) {
    case 'no-space':
      return room
        ? { reason: 'disk-full', until: null, missingBytes: room.missing }
        : { reason: 'disk-full', until: untilAt, missingBytes: null };
    case 'cannot-write':
      return { reason: 'folder-unusable', until: untilAt };
    case 'not-ready':
    case 'no-link':
      return { reason: 'link-not-ready', until: untilAt };
    case 'service-error':
    case 'not-found':
      return { reason, until: untilAt };
    case 'link-limit':
      return { reason: 'link-limit', until: untilAt };
    case 'server-busy':
      return { reason: 'file-server-busy', until: untilAt };
    case 'unreachable':
      return { reason: 'file-server-unreachable', until: untilAt };
    case 'address-blocked':
      return { reason: 'address-blocked', until: untilAt, host: host ?? '' };
  }
}
