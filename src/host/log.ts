import { closeSync, constants, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { openRegularSync, readRegularSync } from '../engine/files/regular-file.ts';
import type { Logger } from '../engine/logger.ts';
import type { LogLevel } from './log-level.ts';
import { Redaction } from './redact.ts';

/** Size at which a log file is rotated; with three old files, 4 MB at most. */
const MAX_BYTES = 1_000_000;
const OLD_LOGS = 3;

export interface Log {
  readonly logger: Logger;
  /** Absolute path of the current log file. */
  readonly file: string;
  /** Logs an unexpected error. */
  defect(error: unknown): void;
  /** Removes this secret from lines that are written or read from now on. */
  hide(secret: string): void;
  /** The newest lines, oldest first. */
  recent(lines: number): readonly string[];
}

/**
 * The log of a data folder, as lines of JSON in `logs/spool.log`. Keys and signed queries are
 * removed from every line before it is written; a key of another form than the documented one once
 * `hide` was called with it. A write error never stops the app.
 */
export function openLog(dataDir: string, level: LogLevel = 'info'): Log {
  const file = path.join(dataDir, 'logs', 'spool.log');
  const redaction = new Redaction();
  const lines = new RotatingFile(file, redaction);
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
    hide: (secret) => {
      redaction.hide(secret);
    },
    recent: (count) => lines.recent(count),
  };
}

/** For hosts whose output goes to a terminal. */
export const noLog: Pick<Log, 'recent'> = { recent: () => [] };

/** Writes synchronously, so that the line before a crash is on disk. */
class RotatingFile {
  readonly #file: string;
  readonly #redaction: Redaction;
  #bytes: number;

  constructor(file: string, redaction: Redaction) {
    this.#file = file;
    this.#redaction = redaction;
    this.#bytes = sizeOf(file);
  }

  write(line: string): void {
    const safe = this.#redaction.redact(line);
    try {
      if (this.#bytes > MAX_BYTES) this.#rotate();
      if (this.#bytes === 0) {
        mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      }
      append(this.#file, safe);
      this.#bytes += Buffer.byteLength(safe);
    } catch {
      // Errors are reported in this very log, so this one is dropped. The folder may have been
      // deleted.
      this.#bytes = 0;
    }
  }

  recent(count: number): readonly string[] {
    try {
      const lines = readRegularSync(this.#file).trimEnd().split('\n').slice(-count);
      // An older line may contain a key that was unknown when it was written.
      return lines.map((line) => this.#redaction.redact(line));
    } catch {
      return [];
    }
  }

  /**
   * A file that cannot be renamed (Windows: open in another program) grows by the same size again.
   */
  #rotate(): void {
    this.#bytes = 0;
    try {
      for (let age = OLD_LOGS - 1; age >= 0; age -= 1) {
        const from = age === 0 ? this.#file : `${this.#file}.${age}`;
        if (sizeOf(from) > 0) renameSync(from, `${this.#file}.${age + 1}`);
      }
    } catch {
      // The next rotation tries again.
    }
  }
}

function append(file: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_APPEND } = constants;
  const opened = openRegularSync(file, O_WRONLY | O_CREAT | O_APPEND);
  try {
    writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
