/**
 * Writes down a request, an answer or a decision, for whoever looks for the reason of something. It is
 * left out where nobody asked for it: `trace?.(…)` then evaluates nothing.
 *
 * What it is given has no key, no cookie and no query of a link.
 */
export type Trace = (fields: Readonly<Record<string, unknown>>, event: string) => void;

/** A wait in milliseconds as it is traced: JSON has no number for one without a known end. */
export function finiteMs(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null;
}
