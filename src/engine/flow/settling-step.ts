import type { ServiceApi } from '../../contract/service-profile.ts';
import { backoff } from '../backoff.ts';
import type { AttemptMark, Settling } from '../jobs/attempt-mark.ts';

/** How long a service is assumed to know an idempotency key, if its documentation does not say. */
export const ASSUMED_KEY_LIFE_MS = 3_600_000;

/**
 * A request may reach the service this much later than the decision to send it: a request may take
 * this long, and the clocks may run at different speeds. The service must know the key even then.
 */
const KEY_MARGIN_MS = 300_000;

/** The service may still be processing a request whose response was lost. */
const FIRST_REPEAT_MS = 30_000;
const FIRST_LOOK_MS = 30_000;

/**
 * Waits between readings of the list: services list videos late. Only after all of these readings,
 * after ten minutes or more, the job reports that the video is not there.
 */
const LOOK_GAPS_MS = [180_000, 420_000];

/** The wait after that, for a list that is even later, until the user has decided. */
const LATE_GAP_MS = 3_600_000;
const MAX_LATE_LOOKS = 24;

/** How many readings come before the job reports that the video is not there. */
export const LOOKS_BEFORE_REPORT = LOOK_GAPS_MS.length + 1;

/** What is known of an uncertain request. Moments are by the local clock. */
export interface UncertainRequest {
  readonly startedAt: number;
  readonly mark: AttemptMark;
  readonly settling: Settling;
  /** Hash of the request as it would be sent now. */
  readonly sha256: string;
  /** The current key was entered before the request was sent, so both belong to one account. */
  readonly hasItsKey: boolean;
  /** How long it has been uncertain or longer, by the monotonic clock. */
  readonly knownForMs: number;
}

/** The next step, and when, by the local clock. */
export type SettlingStep =
  | { readonly kind: 'repeat'; readonly at: number }
  | { readonly kind: 'look'; readonly at: number }
  /** No step is left: the user decides. */
  | { readonly kind: 'none' };

/**
 * How an uncertain request is settled next: by sending it again as long as the service knows its
 * idempotency key, and otherwise by looking for it in the service's list. A pure function.
 */
export function settlingStep(
  request: UncertainRequest,
  once: ServiceApi['once'],
  now: number,
): SettlingStep {
  if (!request.hasItsKey || request.settling.isOver) return { kind: 'none' };
  const repeatAt = nextRepeatAt(request, now);
  if (canRepeat(request, once, Math.max(repeatAt, now), now)) {
    return { kind: 'repeat', at: repeatAt };
  }
  const { mark, settling } = request;
  const isLookOver = settling.looks >= LOOKS_BEFORE_REPORT + MAX_LATE_LOOKS;
  if (once.list === null || mark.idField === null || isLookOver) return { kind: 'none' };
  return { kind: 'look', at: nextLookAt(request, now) };
}

/** Whether a request that leaves at `at` is certain to be recognised. */
function canRepeat(
  { mark, settling, startedAt, sha256, knownForMs }: UncertainRequest,
  { idempotencyHeader, keyLifeMs }: ServiceApi['once'],
  at: number,
  now: number,
): boolean {
  // A clock that shows a time before the request says nothing about the key's age.
  if (settling.isRepeatRefused || now < startedAt) return false;
  if (idempotencyHeader === null || mark.header !== idempotencyHeader) return false;
  const age = Math.max(at - startedAt, knownForMs + at - now);
  return mark.sha256 === sha256 && age + KEY_MARGIN_MS < (keyLifeMs ?? ASSUMED_KEY_LIFE_MS);
}

function nextRepeatAt({ startedAt, settling }: UncertainRequest, now: number): number {
  const { repeats, lastRepeatAt } = settling;
  return lastRepeatAt === null
    ? startedAt + FIRST_REPEAT_MS
    : within(lastRepeatAt, backoff('sending', Math.max(1, repeats)), now);
}

function nextLookAt({ startedAt, settling }: UncertainRequest, now: number): number {
  const { looks, lastLookAt } = settling;
  return lastLookAt === null
    ? within(startedAt, FIRST_LOOK_MS, now)
    : within(lastLookAt, LOOK_GAPS_MS[looks - 1] ?? LATE_GAP_MS, now);
}

/** A clock that was set back must not make a wait longer. */
function within(since: number, ms: number, now: number): number {
  return Math.min(since, now) + ms;
}
