import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../../src/engine/clock.ts';

export type When = 'before' | 'after';

/**
 * One run of a process with an engine. It can be killed at any time, also right before or after one
 * of its commits. After that, the clock of the killed engine stands still and its writes fail.
 */
export class EngineRun implements Clock {
  readonly #world: Clock;
  readonly #startedAt: number;
  readonly #killed = new AbortController();
  #database: DatabaseSync | null = null;
  #plannedKill: { commits: number; readonly when: When } | null = null;

  constructor(world: Clock) {
    this.#world = world;
    this.#startedAt = world.monotonic();
  }

  get isKilled(): boolean {
    return this.#killed.signal.aborted;
  }

  /** Kills the run at its nth commit from now on. */
  killAtCommit(commits: number, when: When): void {
    this.#plannedKill = { commits, when };
  }

  cancelKill(): void {
    this.#plannedKill = null;
  }

  kill(): void {
    this.#killed.abort();
    if (!this.#database?.isOpen) return;
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#database.close();
  }

  now(): number {
    return this.#world.now();
  }

  /** Starts at zero in each process. */
  monotonic(): number {
    return this.#world.monotonic() - this.#startedAt + 1;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const killed = this.#killed.signal;
    try {
      await this.#world.sleep(ms, signal ? AbortSignal.any([signal, killed]) : killed);
    } catch (error) {
      if (!this.isKilled) throw error;
    }
    if (this.isKilled) await new Promise(() => undefined);
  }

  /**
   * Called before and after each commit.
   * @returns true when the run is killed there
   */
  isKilledAt(database: DatabaseSync, when: When): boolean {
    this.#database = database;
    if (this.#plannedKill?.when !== when) return false;
    this.#plannedKill.commits -= 1;
    if (this.#plannedKill.commits > 0) return false;
    this.kill();
    return true;
  }
}

/**
 * Reports each commit of a run's store to that run.
 * @returns a function that stops the reports
 */
export function watchCommits(engineRun: () => EngineRun | undefined): () => void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this` below
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    const present = sql === 'COMMIT' ? engineRun() : undefined;
    if (present?.isKilledAt(this, 'before')) throw new Error('The process died before a commit.');
    exec.call(this, sql);
    if (present?.isKilledAt(this, 'after')) throw new Error('The process died after a commit.');
  };
  return () => {
    DatabaseSync.prototype.exec = exec;
  };
}
