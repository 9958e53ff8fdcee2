/** Log levels: `trace` adds every request, answer and decision; `warn` keeps only problems. */
export const LOG_LEVELS = ['trace', 'info', 'warn'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** The level that `SPOOL_LOG` names; `info` when it names none. */
export function logLevelOf({ SPOOL_LOG }: NodeJS.ProcessEnv): LogLevel {
  return LOG_LEVELS.find((level) => level === SPOOL_LOG) ?? 'info';
}
