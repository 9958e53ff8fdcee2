/**
 * When slots of a service that renders a limited number of videos at a time will be free: a heap of
 * the moments at which renders end. Each step costs the logarithm of that number.
 */
export class SlotForecast {
  readonly #limit: number;
  /** The earliest first. */
  readonly #endsAt: number[] = [];

  /**
   * @param limit videos at a time, at least 1
   * @param endsAt when those under way will end, in any order; there may be more than `limit`
   */
  constructor(limit: number, endsAt: Iterable<number>) {
    this.#limit = limit;
    for (const at of endsAt) this.#push(at);
    // Of more than the limit, a slot is free when as many as that are left.
    while (this.#endsAt.length > limit) this.#pop();
  }

  /** When the next video may be sent, at the earliest; `-Infinity` if a slot is free already. */
  opensAt(): number {
    return this.#endsAt.length < this.#limit ? -Infinity : (this.#endsAt[0] ?? -Infinity);
  }

  /** The next video is sent, into the slot that opens first, and will end then. */
  take(endsAt: number): void {
    if (this.#endsAt.length >= this.#limit) this.#pop();
    this.#push(endsAt);
  }

  #push(at: number): void {
    const heap = this.#endsAt;
    let index = heap.push(at) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent] ?? -Infinity;
      if (above <= at) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = at;
  }

  #pop(): number {
    const heap = this.#endsAt;
    const first = heap[0] ?? -Infinity;
    const last = heap.pop() ?? -Infinity;
    if (heap.length === 0) return first;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      if ((heap[child + 1] ?? Infinity) < (heap[child] ?? Infinity)) child += 1;
      const below = heap[child] ?? Infinity;
      if (last <= below) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}
