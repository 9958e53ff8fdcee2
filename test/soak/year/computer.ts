import fs, { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../src/engine/clock.ts';
import { isDiskBusy } from '../../rigs/virtual-clock.ts';
import type { WorldTime } from './world-time.ts';

/** SQLite's code for a disk that is full. */
const SQLITE_FULL = 13;

/** The space that a transaction takes on a disk. */
const COMMIT_BYTES = 64 * 1024;

/** The interval in which timers fire while the system throttles a program. */
const THROTTLED_TIMER_MS = 10 * 60_000;

interface Sleeper {
  readonly dueAt: number;
  readonly wake: () => void;
}

/**
 * The computer that the engine runs on: its wall clock, which may be wrong, its timers, which stop
 * while it sleeps and fire late while the program is throttled, and the disk of the data folder.
 */
export class Computer {
  /** The wall clock minus the true time. Milliseconds. */
  clockErrorMs = 0;
  /**
   * How often it slept, or a program started, which cannot know about earlier changes of the clock.
   */
  gaps = 0;
  readonly #time: WorldTime;
  /** Whether the monotonic clock continues while the computer sleeps, as on Windows. */
  readonly #countsSleep: boolean;
  readonly #sleepers = new Set<Sleeper>();
  #state: 'awake' | 'throttled' | 'asleep' = 'awake';
  #monotonic = 0;
  #countedAt: number;
  #process: EngineProcess | null = null;
  readonly #restoreExec: () => void;
  readonly #restoreStatfs: () => void;
  /** Bytes that other programs left on the data folder's disk; `null` while there is enough. */
  #dataDisk: { left: number; reserve: number | null } | null = null;
  #reserveFile = '';

  constructor(time: WorldTime, countsSleep: boolean) {
    this.#time = time;
    this.#countsSleep = countsSleep;
    this.#countedAt = time.now;
    this.#restoreExec = this.#watchDatabases();
    this.#restoreStatfs = this.#watchDisk();
  }

  get isDataDiskFull(): boolean {
    return this.#dataDisk !== null;
  }

  /** Other programs take all free space, except for the queue's reserve. */
  set isDataDiskFull(isFull: boolean) {
    this.#dataDisk = isFull ? { left: 0, reserve: null } : null;
    this.#bytesLeft();
  }

  get state(): 'awake' | 'throttled' | 'asleep' {
    return this.#state;
  }

  set state(state: 'awake' | 'throttled' | 'asleep') {
    this.monotonic();
    if (state === 'asleep') this.gaps += 1;
    this.#state = state;
  }

  now(): number {
    return this.#time.now + this.clockErrorMs;
  }

  monotonic(): number {
    const { now } = this.#time;
    if (this.#state !== 'asleep' || this.#countsSleep) this.#monotonic += now - this.#countedAt;
    this.#countedAt = now;
    return this.#monotonic;
  }

  startProcess(): EngineProcess {
    this.gaps += 1;
    this.#process = new EngineProcess(this);
    return this.#process;
  }

  /** When the next timer fires, by true time; `Infinity` when none will. */
  get nextTimerAt(): number {
    if (this.#state === 'asleep') return Infinity;
    const now = this.monotonic();
    let next = Infinity;
    for (const { dueAt } of this.#sleepers) next = Math.min(next, dueAt);
    const at = this.#time.now + Math.max(0, next - now);
    return this.#state === 'throttled'
      ? Math.ceil(at / THROTTLED_TIMER_MS) * THROTTLED_TIMER_MS
      : at;
  }

  fireTimers(): void {
    const now = this.monotonic();
    for (const sleeper of this.#sleepers) {
      if (sleeper.dueAt > now) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }

  /** @returns removes the timer */
  addTimer(ms: number, wake: () => void): () => void {
    const sleeper = { dueAt: this.monotonic() + Math.max(0, Math.ceil(ms)), wake };
    this.#sleepers.add(sleeper);
    return () => void this.#sleepers.delete(sleeper);
  }

  /**
   * Lets promise callbacks and disk operations settle.
   * @param backup path of a file that exists while a thread of SQLite writes a backup; `null` for
   * none
   */
  async settle(backup: string | null): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (isDiskBusy() || (backup !== null && existsSync(backup)));
  }

  end(): void {
    this.#process?.kill();
    this.#restoreExec();
    this.#restoreStatfs();
  }

  /** Bytes; space released from the reserve counts as free. */
  #bytesLeft(): number {
    if (this.#dataDisk === null) return Infinity;
    const size = fs.statSync(this.#reserveFile, { throwIfNoEntry: false })?.size ?? 0;
    this.#dataDisk.left += (this.#dataDisk.reserve ?? size) - size;
    this.#dataDisk.reserve = size;
    return this.#dataDisk.left;
  }

  /** Reports a full disk as full, except for space that the queue releases from its reserve. */
  #watchDisk(): () => void {
    const { statfsSync } = fs;
    const use = (statfs: typeof statfsSync): void => {
      fs.statfsSync = statfs;
      syncBuiltinESMExports();
    };
    const show = (folder: string): fs.StatsFs => {
      const stats = statfsSync(folder);
      this.#reserveFile = path.join(folder, 'spool.reserve');
      if (!this.isDataDiskFull) return stats;
      const blocks = Math.floor(this.#bytesLeft() / stats.bsize);
      return Object.assign(stats, { type: 0, bavail: blocks, bfree: blocks });
    };
    use(show as typeof statfsSync);
    return () => use(statfsSync);
  }

  /** Intercepts each commit of the current process, to kill it there or to refuse the write. */
  #watchDatabases(): () => void {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this` below
    const { exec } = DatabaseSync.prototype;
    const run = (database: DatabaseSync, sql: string): void => exec.call(database, sql);
    const commit = (database: DatabaseSync): void => {
      if (this.#bytesLeft() < COMMIT_BYTES) {
        throw Object.assign(new Error('database or disk is full'), { errcode: SQLITE_FULL });
      }
      const killed = this.#process?.killAtThisCommit() ?? null;
      if (killed === 'before') this.#process?.kill();
      if (killed !== 'before') run(database, 'COMMIT');
      if (this.#dataDisk) this.#dataDisk.left -= COMMIT_BYTES;
      if (killed === 'after') this.#process?.kill();
      if (killed !== null) throw new Error('The process was killed.');
    };
    const process = (): EngineProcess | null => this.#process;
    DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
      if (sql === 'COMMIT') commit(this);
      else run(this, sql);
      if (sql.includes('journal_mode = WAL')) process()?.addDatabase(this);
    };
    return () => void (DatabaseSync.prototype.exec = exec);
  }
}

/**
 * One run of the program, and its engine's clock. It can be killed at any moment, also right before
 * or after a commit; code of a killed run that still executes gets no time and no database.
 */
export class EngineProcess implements Clock {
  readonly #computer: Computer;
  readonly #startedAt: number;
  readonly #timers = new Set<() => void>();
  readonly #databases: DatabaseSync[] = [];
  #isKilled = false;
  #kill: { commits: number; readonly when: 'before' | 'after' } | null = null;

  constructor(computer: Computer) {
    this.#computer = computer;
    this.#startedAt = computer.monotonic();
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  now(): number {
    return this.#computer.now();
  }

  monotonic(): number {
    return this.#computer.monotonic() - this.#startedAt + 1;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isKilled) return;
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const end = (): void => {
        this.#timers.delete(cancel);
        signal?.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        cancel();
        end();
        if (!this.#isKilled) reject(signal?.reason as Error);
      };
      const cancel = this.#computer.addTimer(ms, () => {
        end();
        resolve();
      });
      this.#timers.add(cancel);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Kills it at the nth commit from now on. */
  killAtCommit(commits: number, when: 'before' | 'after'): void {
    this.#kill = { commits, when };
  }

  /** Whether this commit kills the process, before or after it. */
  killAtThisCommit(): 'before' | 'after' | null {
    if (this.#isKilled) return 'before';
    if (this.#kill === null) return null;
    this.#kill.commits -= 1;
    return this.#kill.commits <= 0 ? this.#kill.when : null;
  }

  addDatabase(database: DatabaseSync): void {
    this.#databases.push(database);
  }

  kill(): void {
    this.#isKilled = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    for (const database of this.#databases) {
      if (!database.isOpen) continue;
      if (database.isTransaction) database.exec('ROLLBACK');
      database.close();
    }
  }
}
