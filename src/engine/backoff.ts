import type { Random } from './clock.ts';

/** How long to wait before each retry, in milliseconds. */
interface Policy {
  readonly firstMs: number;
  /** Each wait is this many times as long as the previous one. */
  readonly factor: number;
  readonly longestMs: number;
  /** The random share of a wait, so that many clients do not retry at the same time. */
  readonly jitter: number;
}

const POLICIES = {
  /** One video's status or link, of which the service gave no usable response. */
  video: { firstMs: 5000, factor: 2, longestMs: 600_000, jitter: 0 },
  /** The service cannot be reached, or the status of no video can be read. */
  service: { firstMs: 1000, factor: 2, longestMs: 60_000, jitter: 0.5 },
  /** No video gets a link, and each request is one of 30 an hour (service-api.md §8.1). */
  links: { firstMs: 1000, factor: 2, longestMs: 600_000, jitter: 0.5 },
  /** Requests for videos: 1, 4, 16, then 60 minutes. */
  sending: { firstMs: 60_000, factor: 4, longestMs: 3_600_000, jitter: 0 },
  /** The quota is used up and the service says no time: 1, 4, 16 … minutes, at most a day. */
  quota: { firstMs: 60_000, factor: 4, longestMs: 86_400_000, jitter: 0 },
  /** A transfer that broke off. */
  transfer: { firstMs: 500, factor: 2, longestMs: 30_000, jitter: 0.5 },
} as const satisfies Record<string, Policy>;

export type BackoffPolicy = keyof typeof POLICIES;

/**
 * Milliseconds to wait after this many failures in a row.
 * @param failures 1 or more
 * @param random needed for policies with jitter; the longest wait without it
 */
export function backoff(policy: BackoffPolicy, failures: number, random: Random = () => 1): number {
  const { firstMs, factor, longestMs, jitter } = POLICIES[policy];
  const full = Math.min(longestMs, firstMs * factor ** (failures - 1));
  return full * (1 - jitter + jitter * random());
}
