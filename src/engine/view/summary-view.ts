import type { Batch } from '../../contract/batch.ts';
import type { Summary } from '../../contract/summary.ts';
import type { FlowContext } from '../flow/flow-context.ts';
import type { Forecasts } from './forecasts.ts';

export interface SummaryViewContext extends Pick<
  FlowContext,
  'store' | 'key' | 'flow' | 'limits' | 'renders' | 'quota' | 'transfers' | 'pauses'
> {
  readonly serviceInfo: Summary['service'];
  readonly otherServices: () => Summary['others'];
  readonly defaultFolder: () => string;
  readonly forecasts: Forecasts;
}

const RATE_LIMITED = ['generate', 'status', 'download'] as const;

/** When each limit and the quota resets next; `null` where all is available, or there is no quota. */
export function resetTimes({
  limits,
  quota,
}: Pick<SummaryViewContext, 'limits' | 'quota'>): readonly (number | null)[] {
  const ofLimits = RATE_LIMITED.map((endpoint) => limits.view(endpoint).resetAt);
  return [...ofLimits, quota.view()?.resetAt ?? null];
}

/** Everything a UI shows that is not a row. */
export function showSummary(context: SummaryViewContext): Summary {
  const { store, key, flow, limits, renders, quota, transfers, pauses, forecasts } = context;
  return {
    service: context.serviceInfo,
    others: context.otherServices(),
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
      renders: renders.view(),
    },
    quota: quota.view(),
    transfers: {
      active: transfers.active,
      bytesPerSecond: transfers.bytesPerSecond,
      paused: pauses.all,
    },
    nextSendAt: forecasts.nextSendAt,
    defaultFolder: context.defaultFolder(),
  };
}
