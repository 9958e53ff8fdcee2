import type { RateLimit } from './rate-window-state.ts';

/**
 * The IETF's `RateLimit` and `RateLimit-Policy` fields (draft-ietf-httpapi-ratelimit-headers), with
 * the three spellings of its drafts that servers send:
 *
 *     RateLimit: "burst";r=9;t=3600          RateLimit-Policy: "burst";q=10;w=3600    (from 08 on)
 *     RateLimit: limit=10, remaining=9, reset=3600             RateLimit-Policy: 10;w=3600    (07)
 *     RateLimit-Limit: 10   RateLimit-Remaining: 9   RateLimit-Reset: 3600    (up to 06)
 */
export interface IetfRateLimit {
  remaining: number | null;
  /** Seconds from the response. */
  resetSeconds: number | null;
  /** The limit that the service states. */
  policy: RateLimit | null;
}

/** Longer fields are ignored. */
const MAX_FIELD = 1024;

interface Item {
  /** Without quotes. */
  name: string;
  parameters: ReadonlyMap<string, string>;
}

/** @param header looks up a response header by lower-case name */
export function parseIetfRateLimit(
  header: (name: string) => string | null | undefined,
): IetfRateLimit {
  const limits = itemsOf(header('ratelimit'));
  const policies = itemsOf(header('ratelimit-policy'));
  const named = (text: string | undefined) => policies.find(({ name }) => name === text);
  const byKey = new Map(limits.map(({ name }) => keyAndValue(name)));
  if (byKey.has('remaining')) {
    const remaining = wholeNumber(byKey.get('remaining'));
    const limit = byKey.get('limit');
    return {
      remaining,
      resetSeconds: wholeNumber(byKey.get('reset')),
      policy: policyOf(named(limit), limit),
    };
  }
  const nearest = scarcest(limits);
  if (nearest !== null) {
    const policy = named(nearest.name);
    return { ...nearest, policy: policyOf(policy, policy?.parameters.get('q')) };
  }
  const limit = header('ratelimit-limit')?.trim();
  return {
    remaining: wholeNumber(header('ratelimit-remaining')),
    resetSeconds: wholeNumber(header('ratelimit-reset')),
    policy: policyOf(named(limit), limit),
  };
}

/** Of several limits, the one that is reached first: requests have to respect all of them. */
function scarcest(limits: readonly Item[]) {
  let found: { name: string; remaining: number; resetSeconds: number | null } | null = null;
  for (const { name, parameters } of limits) {
    const remaining = wholeNumber(parameters.get('r'));
    if (remaining === null) continue;
    const resetSeconds = wholeNumber(parameters.get('t'));
    const isScarcer =
      found === null ||
      remaining < found.remaining ||
      (remaining === found.remaining && (resetSeconds ?? 0) > (found.resetSeconds ?? 0));
    if (isScarcer) found = { name, remaining, resetSeconds };
  }
  return found;
}

/** `null` for a policy that does not count requests, or does not state its window. */
function policyOf(item: Item | undefined, limit: string | undefined): RateLimit | null {
  if (item === undefined) return null;
  const unit = item.parameters.get('qu');
  const requests = wholeNumber(limit);
  const seconds = wholeNumber(item.parameters.get('w'));
  if (!requests || !seconds) return null;
  return unit === undefined || unit === 'requests'
    ? { limit: requests, windowMs: seconds * 1000 }
    : null;
}

/**
 * The members of a list (RFC 9651 §3.1), as far as these fields need it: no nesting, no escapes.
 */
function itemsOf(text: string | null | undefined): Item[] {
  if (typeof text !== 'string' || text.length > MAX_FIELD) return [];
  const isUnbalanced = text.split('"').length % 2 === 0;
  if (isUnbalanced) return [];
  return text.split(',').map((member) => {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim());
    return { name: unquoted(name), parameters: new Map(parameters.map(keyAndValue)) };
  });
}

function keyAndValue(parameter: string): [string, string] {
  const at = parameter.indexOf('=');
  return at === -1 ? [parameter, ''] : [parameter.slice(0, at), unquoted(parameter.slice(at + 1))];
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, '$1');
}

function wholeNumber(text: string | null | undefined): number | null {
  const trimmed = text?.trim();
  return trimmed !== undefined && /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : null;
}
