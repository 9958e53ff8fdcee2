import type { LogNormal } from './render-times.ts';

/** A video whose render ends some time after `since`. Moments are epoch milliseconds. */
export interface OpenRender {
  readonly since: number;
  /** It is known to have taken longer than this; 0 before it begins. */
  readonly ageMs: number;
  readonly renderTime: LogNormal;
  /** From the end of its render until it is saved. */
  readonly afterMs: number;
}

/** Renders that end before this share of the others cannot be the last. */
const NEARLY_ALL = 0.999;
const WITHIN_MS = 500;

/**
 * The median time at which the last of them is saved; `-Infinity` without any. It is later than the
 * median of each: of ten videos sent together, one takes twice as long as most.
 */
export function medianOfLast(renders: readonly OpenRender[]): number {
  const latest = renders.map((each) => momentOf(each, NEARLY_ALL));
  let low = renders.reduce((most, each) => Math.max(most, momentOf(each, 0.5)), -Infinity);
  let high = latest.reduce((most, at) => Math.max(most, at), -Infinity);
  const open = renders.filter((_, index) => (latest[index] ?? 0) > low);
  while (high - low > WITHIN_MS) {
    const middle = (low + high) / 2;
    if (chanceOfAll(open, middle) < 0.5) low = middle;
    else high = middle;
  }
  return low;
}

function momentOf({ since, ageMs, renderTime, afterMs }: OpenRender, share: number): number {
  return since + renderTime.quantileBeyond(ageMs, share) + afterMs;
}

/** The probability that all have been saved by then. */
function chanceOfAll(renders: readonly OpenRender[], at: number): number {
  let chance = 1;
  for (const { since, ageMs, renderTime, afterMs } of renders) {
    const gone = renderTime.cdf(ageMs);
    const ended = renderTime.cdf(at - afterMs - since);
    chance *= gone >= 1 ? 1 : Math.max(0, (ended - gone) / (1 - gone));
  }
  return chance;
}
