/** An event at a future moment of true time. */
export interface WorldEvent {
  /** Cancels it; no effect if it has happened. */
  cancel(): void;
}

interface Entry {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/** True time, which no clock of the simulation shows exactly, and the scheduled events. */
export class WorldTime {
  /** Milliseconds since the epoch; whole. */
  now: number;
  readonly #heap: Entry[] = [];
  #order = 0;

  constructor(startAt: number) {
    this.now = startAt;
  }

  /** When the next event is due; `Infinity` when there is none. */
  get nextAt(): number {
    for (let first = this.#heap[0]; first; first = this.#heap[0]) {
      if (!first.isCancelled) return first.at;
      this.#pop();
    }
    return Infinity;
  }

  at(moment: number, run: () => void): WorldEvent {
    const at = Math.max(Math.round(moment), this.now);
    const entry: Entry = { at, order: this.#order++, run, isCancelled: false };
    this.#push(entry);
    return { cancel: () => void (entry.isCancelled = true) };
  }

  in(ms: number, run: () => void): WorldEvent {
    return this.at(this.now + ms, run);
  }

  /** Runs the next event, at its moment. */
  runNext(): void {
    const entry = this.#pop();
    if (!entry || entry.isCancelled) return;
    this.now = Math.max(this.now, entry.at);
    entry.run();
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let index = heap.push(entry) - 1;
    for (let parent = (index - 1) >> 1; index > 0; parent = (index - 1) >> 1) {
      const above = heap[parent];
      if (!above || isBefore(above, entry)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  #pop(): Entry | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last || first === last) return first;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      const [left, right] = [heap[child], heap[child + 1]];
      const lesser = left && right && isBefore(right, left) ? right : left;
      if (!lesser || isBefore(last, lesser)) break;
      heap[index] = lesser;
      index = lesser === right ? child + 1 : child;
    }
    heap[index] = last;
    return first;
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
