import { isDocumentedService } from '../../contract/service-cost.ts';
import type { ServiceApi } from '../../contract/service-profile.ts';
import type { RateHeaderNames } from './rate-headers.ts';
import { DOCUMENTED_LIMITS, type Endpoint } from './rate-window-state.ts';

type ProfileLimits = ServiceApi['limits'];

/** What a service profile says about limits, as pacing needs it. */
export interface ServiceLimits extends Pick<ProfileLimits, 'concurrent' | 'headers'> {
  readonly windows: readonly ServiceWindow[];
  readonly quota: ServiceQuota;
  /** Whose windows are the account's own: each is applied as it is. */
  readonly ownEndpoints?: readonly ServiceWindow['endpoint'][];
  /** See {@link AccountLimits.rendersAtOnce}. */
  readonly rendersAtOnce?: AccountLimits['rendersAtOnce'];
}

/**
 * What limits the videos of a day or month: the user's plan, which only the documented API has
 * (service-api.md §8.3); a number of the profile; or nothing that Spool knows of (`null`).
 */
export type ServiceQuota = 'plan' | ProfileLimits['cap'];

export type ServiceWindow = Omit<ProfileLimits['windows'][number], 'known'>;

/** A link that comes with the status counts against no limit of links, documented or not. */
export function limitsOf(api: ServiceApi): ServiceLimits {
  const { limits, file } = api;
  const hasLinks = file.kind !== 'in-status' && file.kind !== 'content-in-status';
  return {
    ...limits,
    windows: limits.windows.filter(({ endpoint }) => hasLinks || endpoint !== 'download'),
    quota: limits.cap ?? (isDocumentedService(api) ? 'plan' : null),
  };
}

/** The limits of one account, as far as they differ from the service's (§8.5). */
export interface AccountLimits {
  /** In place of the service's windows of the same endpoints. */
  readonly windows: readonly ServiceWindow[];
  readonly hasQuota: boolean;
  /** Videos that may be at the service at a time; `null` as the service says. */
  readonly concurrent: number | null;
  /**
   * Of these, how many the service renders at a time now, in the order in which it accepted them;
   * `null` if it does not say.
   */
  readonly rendersAtOnce: (() => number) | null;
}

export function withAccountLimits(
  limits: ServiceLimits,
  own: AccountLimits | undefined,
): ServiceLimits {
  if (own === undefined) return limits;
  const kept = limits.windows.filter(
    ({ endpoint }) => !own.windows.some((window) => window.endpoint === endpoint),
  );
  return {
    ...limits,
    windows: [...kept, ...own.windows],
    quota: own.hasQuota ? limits.quota : null,
    concurrent: own.concurrent === null ? limits.concurrent : { count: own.concurrent },
    rendersAtOnce: own.rendersAtOnce,
    ownEndpoints: own.windows.map(({ endpoint }) => endpoint),
  };
}

/** Of a window with a higher limit, a shorter part is counted, because each request is stored. */
const MAX_COUNTED = 2000;

/** For an endpoint without a stated limit: it can still refuse requests. */
const CAREFUL = { count: 60, perMs: 60_000 };

function isCareful({ count, perMs }: ServiceWindow): boolean {
  return count / perMs <= CAREFUL.count / CAREFUL.perMs;
}

/**
 * The windows that count requests to an endpoint: its own before those of all endpoints, each in
 * the order of the profile. Headers describe the first one unless they say otherwise. Status is
 * requested all the time while videos are rendered, so never more often than the documented API
 * allows.
 */
export function windowsOf(
  { windows, ownEndpoints = [] }: ServiceLimits,
  endpoint: Endpoint,
): ServiceWindow[] {
  const own = windows.filter((window) => window.endpoint === endpoint);
  const shared = windows.filter((window) => window.endpoint === 'all');
  const found = [...own, ...shared].map((window) => {
    const share = Math.min(1, MAX_COUNTED / window.count);
    return { ...window, count: Math.min(window.count, MAX_COUNTED), perMs: window.perMs * share };
  });
  const isEnough =
    endpoint === 'status' && !ownEndpoints.includes(endpoint)
      ? found.some(isCareful)
      : found.length > 0;
  return isEnough ? found : [...found, { endpoint, ...CAREFUL }];
}

/** Whether requests to an endpoint are counted as the API documents it. */
export function isDocumented({ endpoint, count, perMs }: ServiceWindow): boolean {
  if (endpoint === 'all') return false;
  const { limit, windowMs } = DOCUMENTED_LIMITS[endpoint];
  return count === limit && perMs === windowMs;
}

/** The headers that describe limits in a refusal of an endpoint, whichever limit it is about. */
export function headerNamesOf(
  { headers }: Pick<ServiceLimits, 'headers'>,
  endpoint: Endpoint,
): RateHeaderNames {
  return namesIn(headers.filter((header) => [null, 'all', endpoint].includes(header.endpoint)));
}

/**
 * The headers that describe a window in responses from an endpoint; `null` when none does.
 * @param isFirst whether it is the first of those that count the request
 */
export function headersOf(
  { headers }: ServiceLimits,
  { endpoint }: ServiceWindow,
  isFirst: boolean,
): RateHeaderNames | null {
  const about = headers.filter((header) =>
    header.endpoint === null ? isFirst : header.endpoint === endpoint,
  );
  return about.length === 0 && !isFirst ? null : namesIn(about);
}

function namesIn(headers: ProfileLimits['headers']): RateHeaderNames {
  const named = (means: (typeof headers)[number]['means']): string[] =>
    headers.filter((header) => header.means === means).map(({ name }) => name.toLowerCase());
  return {
    limit: named('limit'),
    remaining: named('remaining'),
    reset: named('reset'),
    retryAfter: named('retry-after'),
  };
}
