import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../../src/engine/clock.ts';

export type When = 'before' | 'after';

/**
 * The life of one process that has an engine. It can end at any moment, also right before or after
 * one of its commits. What is left of the dead engine in this process finds that no time passes and
 * nothing can be written any more.
 */
export class EngineRun implements Clock {
  readonly #world: Clock;
  readonly #bornAt: number;
  readonly #death = new AbortController();
  #database: DatabaseSync | null = null;
  #end: { commits: number; readonly when: When } | null = null;

  constructor(world: Clock) {
    this.#world = world;
    this.#bornAt = world.monotonic();
  }

  get isOver(): boolean {
    return this.#death.signal.aborted;
  }

  /** Lets it die at the nth commit from now on. */
  endAtCommit(commits: number, when: When): void {
    this.#end = { commits, when };
  }

  /** Takes that back. */
  goesOn(): void {
    this.#end = null;
  }

  end(): void {
    this.#death.abort();
    if (!this.#database?.isOpen) return;
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#database.close();
  }

  now(): number {
    return this.#world.now();
  }

  /** Begins anew with each process. */
  monotonic(): number {
    return this.#world.monotonic() - this.#bornAt + 1;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const death = this.#death.signal;
    try {
      await this.#world.sleep(ms, signal ? AbortSignal.any([signal, death]) : death);
    } catch (error) {
      if (!this.isOver) throw error;
    }
    if (this.isOver) await new Promise(() => undefined);
  }

  /**
   * Something is about to be done to its database, or was done. @returns true when it dies of it
   */
  passes(database: DatabaseSync, when: When): boolean {
    this.#database = database;
    if (this.#end?.when !== when) return false;
    this.#end.commits -= 1;
    if (this.#end.commits > 0) return false;
    this.end();
    return true;
  }
}

/**
 * Has a life hear of each commit of its store.
 * @returns takes the watch away
 */
export function watchCommits(life: () => EngineRun | undefined): () => void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this` below
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    const present = sql === 'COMMIT' ? life() : undefined;
    if (present?.passes(this, 'before')) throw new Error('The process died before a commit.');
    exec.call(this, sql);
    if (present?.passes(this, 'after')) throw new Error('The process died after a commit.');
  };
  return () => {
    DatabaseSync.prototype.exec = exec;
  };
}
