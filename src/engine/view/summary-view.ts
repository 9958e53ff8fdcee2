import type { Batch } from '../../contract/batch.ts';
import type { Summary } from '../../contract/summary.ts';
import type { FlowControl } from '../flow/flow-control.ts';
import type { ApiKey } from '../flow/api-key.ts';
import type { QuotaTracker } from '../flow/quota-tracker.ts';
import type { RateLimits } from '../flow/rate-limits.ts';
import type { TransferProgress } from '../flow/transfer-progress.ts';
import type { TransferPauses } from '../flow/transfer-pauses.ts';
import type { Store } from '../jobs/store.ts';
import type { Forecasts } from './forecasts.ts';

export interface SummaryViewParts {
  readonly store: Store;
  readonly service: Summary['service'];
  readonly defaultFolder: () => string;
  readonly key: ApiKey;
  readonly flow: FlowControl;
  readonly limits: RateLimits;
  readonly quota: QuotaTracker;
  readonly transfers: TransferProgress;
  readonly pauses: TransferPauses;
  readonly forecasts: Forecasts;
}

const RATE_LIMITED = ['generate', 'status', 'download'] as const;

/** Everything a UI shows that is not a row. */
export class SummaryView {
  readonly #parts: SummaryViewParts;

  constructor(parts: SummaryViewParts) {
    this.#parts = parts;
  }

  /** When each limit and the quota resets next; `null` for a limit of which all is available. */
  resets(): readonly (number | null)[] {
    const { limits, quota } = this.#parts;
    const ofLimits = RATE_LIMITED.map((endpoint) => limits.view(endpoint).resetAt);
    return [...ofLimits, quota.view().resetAt];
  }

  show(): Summary {
    const {
      store,
      service,
      defaultFolder,
      key,
      flow,
      limits,
      quota,
      transfers,
      pauses,
      forecasts,
    } = this.#parts;
    return {
      service,
      key: key.status,
      flow: flow.view(),
      counts: { ...store.jobs.counts.total },
      batches: store.batches.all().map(({ id, ...batch }): Batch => ({
        ...batch,
        id: String(id),
        counts: { ...store.jobs.counts.of(id) },
        savedBy: forecasts.savedBy(id),
        wait: forecasts.waitOf(id),
      })),
      limits: {
        generate: limits.view('generate'),
        status: limits.view('status'),
        download: limits.view('download'),
      },
      quota: quota.view(),
      transfers: {
        active: transfers.active,
        bytesPerSecond: transfers.bytesPerSecond,
        paused: pauses.all,
      },
      nextSendAt: forecasts.nextSendAt,
      defaultFolder: defaultFolder(),
    };
  }
}
