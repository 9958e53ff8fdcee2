import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import type { Logger } from '../engine/engine.ts';
import { redact } from './redact.ts';

/** A log that has grown to this becomes the old one; with three old ones that is 4 MB at most. */
const MAX_BYTES = 1_000_000;
const OLD_LOGS = 3;

/** What a log keeps: `trace` adds every request, answer and decision, `warn` keeps trouble alone. */
export const LOG_LEVELS = ['trace', 'info', 'warn'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** The level that `SPOOL_LOG` names; `info` when it names none. */
export function logLevelOf({ SPOOL_LOG }: NodeJS.ProcessEnv): LogLevel {
  return LOG_LEVELS.find((level) => level === SPOOL_LOG) ?? 'info';
}

export interface Log {
  readonly logger: Logger;
  /** Absolute path of the log that is being written. */
  readonly file: string;
  /** Writes down an error that nobody expected. */
  defect(error: unknown): void;
  /** The newest lines, oldest first. */
  recent(lines: number): readonly string[];
}

/**
 * The log of a data folder, as lines of JSON in `logs/spool.log`. Every line loses keys and signed
 * queries on its way to the disk, whoever wrote it. A disk that takes no log stops nothing.
 */
export function openLog(dataDir: string, level: LogLevel = 'info'): Log {
  const file = path.join(dataDir, 'logs', 'spool.log');
  const lines = new RotatingFile(file);
  const logger = pino({ base: null, level, timestamp: pino.stdTimeFunctions.isoTime }, lines);
  return {
    file,
    logger: {
      info: (fields, message) => logger.info(fields, message),
      warn: (fields, message) => logger.warn(fields, message),
      ...(level === 'trace' ? { trace: (fields, event) => logger.trace(fields, event) } : {}),
    },
    defect(error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      logger.error({ error: text }, 'Something unexpected happened.');
    },
    recent: (count) => lines.recent(count),
  };
}

/** For hosts whose output goes to a terminal. */
export const noLog: Pick<Log, 'recent'> = { recent: () => [] };

/** Written at once, so that the line before a crash is there to be read. */
class RotatingFile {
  readonly #file: string;
  #bytes: number;

  constructor(file: string) {
    this.#file = file;
    this.#bytes = sizeOf(file);
  }

  write(line: string): void {
    const safe = redact(line);
    try {
      if (this.#bytes > MAX_BYTES) this.#rotate();
      if (this.#bytes === 0) {
        mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      }
      appendFileSync(this.#file, safe, { mode: 0o600 });
      this.#bytes += Buffer.byteLength(safe);
    } catch {
      // There is nobody to tell: this is where it would have been told. Its folder may have gone.
      this.#bytes = 0;
    }
  }

  recent(count: number): readonly string[] {
    try {
      return readFileSync(this.#file, 'utf8').trimEnd().split('\n').slice(-count);
    } catch {
      return [];
    }
  }

  /** One that cannot be moved, as while somebody reads it on Windows, grows by as much again. */
  #rotate(): void {
    this.#bytes = 0;
    try {
      for (let age = OLD_LOGS - 1; age >= 0; age -= 1) {
        const from = age === 0 ? this.#file : `${this.#file}.${age}`;
        if (sizeOf(from) > 0) renameSync(from, `${this.#file}.${age + 1}`);
      }
    } catch {
      // Tried again then.
    }
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
