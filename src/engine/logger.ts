/** Where a log line goes; pino's methods fit. Never receives a key or a link's query. */
export interface Logger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  /** Every request, answer and decision; left out unless they are asked for. */
  readonly trace?: Trace | undefined;
}

/**
 * Writes down a request, an answer or a decision, to show the reason of something. It is
 * left out where no trace is wanted: `trace?.(…)` then evaluates nothing.
 *
 * What it is given has no key, no cookie and no query of a link. A wait without a known end is written
 * as `null`: JSON has no number for it.
 */
export type Trace = (fields: Readonly<Record<string, unknown>>, event: string) => void;
