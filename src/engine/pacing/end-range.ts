/** The range in which a forecast end will be, from how uncertain the time until then is. */

/** Quantile of the standard normal distribution: a tenth of all ends are before and after a range. */
const TENTH = 1.2816;

/**
 * Between which moments eight of ten such ends are. Moments are epoch milliseconds.
 * @param at the median
 * @param deviation standard deviation of the logarithm of the time from `now` until then
 */
export function endRangeOf(
  at: number,
  deviation: number,
  now: number,
): { readonly from: number; readonly to: number } {
  const left = Math.max(0, at - now);
  const factor = Math.exp(TENTH * deviation);
  return { from: Math.round(now + left / factor), to: Math.round(now + left * factor) };
}
