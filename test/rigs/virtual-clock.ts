import type { Clock } from '../../src/engine/clock.ts';

/** Node's names of pending disk operations. */
const DISK_OPERATIONS: readonly string[] = ['FSReqPromise', 'FSReqCallback', 'CloseReq'];

/** Whether a disk operation of this process is pending; it takes no virtual time. */
export function isDiskBusy(): boolean {
  return process.getActiveResourcesInfo().some((kind) => DISK_OPERATIONS.includes(kind));
}

interface Sleeper {
  readonly dueAt: number;
  readonly order: number;
  wake(): void;
}

/**
 * A clock that advances only when a test says so. `advance` wakes sleepers in the order in which
 * they are due and lets all work that they start settle before it wakes the next one.
 */
export class VirtualClock implements Clock {
  #monotonic = 0;
  #wallOffset: number;
  #order = 0;
  readonly #sleepers = new Set<Sleeper>();
  readonly #isBusy: () => boolean;

  /**
   * @param startAt by the wall clock, milliseconds since the epoch
   * @param isBusy true while woken work has not settled, for reasons that Node itself does not
   *   report
   */
  constructor(startAt = Date.UTC(2026, 0, 5, 9), isBusy = () => false) {
    this.#wallOffset = startAt;
    this.#isBusy = isBusy;
  }

  now(): number {
    return this.#monotonic + this.#wallOffset;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  /** The number of sleepers; a test can wait for it to know that all work has settled. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** Monotonic milliseconds until the next sleeper is due, or `undefined` without sleepers. */
  get nextDueIn(): number | undefined {
    const next = this.#next();
    return next && next.dueAt - this.#monotonic;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const onAbort = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const sleeper: Sleeper = {
        dueAt: this.#monotonic + Math.max(0, ms),
        order: this.#order++,
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Advances time by `ms`, waking sleepers when they are due. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    await this.settle();
    for (let next = this.#next(); next && next.dueAt <= end; next = this.#next()) {
      this.#monotonic = Math.max(this.#monotonic, next.dueAt);
      next.wake();
      await this.settle();
    }
    this.#monotonic = end;
    await this.settle();
  }

  /**
   * Lets promise callbacks and turns of the event loop run until woken work has settled. Work that
   * waits for the disk has not settled: otherwise virtual hours would pass while a busy disk writes
   * a file.
   */
  async settle(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#isBusy() || isDiskBusy());
  }

  /** Sets the wall clock forward or back without any monotonic time passing. */
  jumpWall(ms: number): void {
    this.#wallOffset += ms;
  }

  #next(): Sleeper | undefined {
    let next: Sleeper | undefined;
    for (const sleeper of this.#sleepers) {
      if (
        !next ||
        sleeper.dueAt < next.dueAt ||
        (sleeper.dueAt === next.dueAt && sleeper.order < next.order)
      ) {
        next = sleeper;
      }
    }
    return next;
  }
}
