import { isDiskBusy } from '../../test/rigs/virtual-clock.ts';

/** A queue of events in virtual time. */
export class VirtualTime {
  /** True time in epoch ms. */
  now: number;
  readonly #heap: Event[] = [];
  #order = 0;

  constructor(startAt: number) {
    this.now = startAt;
  }

  /**
   * @param run returns whether it settled promises whose callbacks must run before time advances
   */
  at(moment: number, run: () => boolean): Event {
    const event: Event = { at: Math.max(moment, this.now), order: this.#order++, run, off: false };
    this.#push(event);
    return event;
  }

  /** Rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = (): void => {
        event.off = true;
        reject(signal?.reason as Error);
      };
      const event = this.at(this.now + ms, () => {
        signal?.removeEventListener('abort', stop);
        resolve();
        return true;
      });
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /**
   * Advances time event by event until `done`.
   *
   * @throws {Error} when no event is left before that
   */
  async runUntil(done: () => boolean): Promise<void> {
    await settled();
    while (!done()) {
      const event = this.#pop();
      if (event === undefined) throw new Error('Nothing is left to happen, and work is left over.');
      if (event.off) continue;
      this.now = event.at;
      if (event.run()) await settled();
    }
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (isBefore(heap[parent]!, event)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = event;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || first === last) return first;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (isBefore(last, heap[child]!)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}

interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => boolean;
  off: boolean;
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

const realSetImmediate = setImmediate;

/**
 * Resolves when all promise callbacks have run, including those that they cause, and no disk access
 * is pending: otherwise virtual hours would pass while a busy disk answers.
 */
async function settled(): Promise<void> {
  do await new Promise<void>((resolve) => realSetImmediate(resolve));
  while (isDiskBusy());
}

/**
 * Replaces `Date.now`, `performance.now` and the timer functions by virtual time, so that a library
 * with timers runs unchanged. Returns a function that restores them.
 *
 * @param skewMs true time − local time
 */
export function installTimers(time: VirtualTime, skewMs: number): () => void {
  const real = { setTimeout, clearTimeout, setInterval, clearInterval };
  const realDateNow = Date.now;
  const realPerformanceNow = performance.now.bind(performance);
  const startAt = time.now;

  const handleOf = (event: { current: Event }): object => ({
    ...event,
    unref: () => undefined,
    ref: () => undefined,
    cancel: () => {
      event.current.off = true;
    },
  });
  const start = (run: () => void, ms = 0): object => {
    const event = {
      current: time.at(time.now + ms, () => {
        run();
        return true;
      }),
    };
    return handleOf(event);
  };
  const repeat = (run: () => void, ms = 0): object => {
    const again = (): Event =>
      time.at(time.now + ms, () => {
        event.current = again();
        run();
        return true;
      });
    const event = { current: again() };
    return handleOf(event);
  };
  const cancel = (handle?: { cancel?: () => void }): void => handle?.cancel?.();

  Object.assign(globalThis, {
    setTimeout: start,
    clearTimeout: cancel,
    setInterval: repeat,
    clearInterval: cancel,
  });
  Date.now = () => Math.round(time.now - skewMs);
  performance.now = () => time.now - startAt;
  return () => {
    Object.assign(globalThis, real);
    Date.now = realDateNow;
    performance.now = realPerformanceNow;
  };
}
