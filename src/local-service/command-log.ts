import { destination, type Logger, pino } from 'pino';

/** The log is written when this much has accumulated, and at least every second. */
const BUFFER_BYTES = 4096;

/** The log of a command that serves or renders. */
export interface CommandLog {
  readonly log: Logger;
  /** Resolves once all lines are written, or cannot be, because their reader is gone. */
  readonly flush: () => Promise<void>;
}

/** Logs to standard error. */
export function openCommandLog(level: string): CommandLog {
  const output = destination({
    dest: 2,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: 1000,
  });
  return {
    log: pino({ level }, output),
    // `flushSync` would retry forever once the reader of the log is gone.
    flush: () => new Promise((resolve) => output.flush(() => resolve())),
  };
}
