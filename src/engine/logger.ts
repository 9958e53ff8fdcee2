/** Receives log lines; pino's methods fit. Never receives a key or a link's query. */
export interface Logger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  /** Every request, response and decision; left out unless requested. */
  readonly trace?: Trace | undefined;
}

/**
 * Logs a request, a response or a decision, with its reason. Left out if no trace is wanted:
 * `trace?.(…)` then evaluates nothing.
 *
 * The fields contain no key, no cookie and no query of a link. A wait without a known end is
 * written as `null`: JSON has no number for it.
 */
export type Trace = (fields: Readonly<Record<string, unknown>>, event: string) => void;
