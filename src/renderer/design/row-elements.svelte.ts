import { untrack } from 'svelte';
import type { LineWindow } from './line-window.svelte.ts';

/** Elements are put in order this many milliseconds after the last scroll. */
const REST_MS = 300;

/**
 * Which row each element of a scrolled table shows. An element that leaves on one side is reused on
 * the other for another row, because updating an element is far cheaper than creating one. Once
 * scrolling has stopped, elements are put in the order of the rows, as screen readers expect.
 */
export class RowElements {
  isScrolling = $state(false);
  /** The first row when elements were last put in order. */
  #orderedFrom = 0;
  /** Counts how often they were put in order because of time or another count. */
  #orders = $state(0);
  #first = 0;
  readonly #lines: Pick<LineWindow, 'first' | 'count'>;
  #restTimer: ReturnType<typeof setTimeout> | undefined;
  #isPressed = false;

  /** The row of each element, in the order of the elements. */
  readonly rows: readonly number[] = $derived.by(() => {
    void this.#orders;
    const { first, count } = this.#lines;
    // After a jump, no row stays that an element would have to be kept for.
    if (Math.abs(first - this.#first) >= count) this.#orderedFrom = first;
    this.#first = first;
    return Array.from({ length: count }, (_, place) => {
      const offset = (place - (first - this.#orderedFrom)) % count;
      return first + (offset < 0 ? offset + count : offset);
    });
  });

  constructor(lines: Pick<LineWindow, 'first' | 'count'>) {
    this.#lines = lines;
    $effect(() => {
      if (lines.first !== this.#orderedFrom) this.onScroll();
    });
    // Another count adds or removes elements anyway, so all of them are put in order.
    $effect(() => {
      void lines.count;
      untrack(() => {
        this.#putInOrder();
      });
    });
    $effect(() => () => {
      clearTimeout(this.#restTimer);
    });
  }

  /** Sets `isScrolling`. `REST_MS` after the last call, resets it and puts elements in order. */
  onScroll(): void {
    this.isScrolling = true;
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => {
      this.isScrolling = false;
      this.#putInOrder();
    }, REST_MS);
  }

  /** Until `release`, elements are not put in order: a click or drag must hit the pressed row. */
  press(): void {
    this.#isPressed = true;
  }

  release(): void {
    this.#isPressed = false;
    // Later, because the click event has yet to come.
    if (this.#orderedFrom !== this.#lines.first) this.onScroll();
  }

  #putInOrder(): void {
    if (this.#isPressed || this.#orderedFrom === this.#lines.first) return;
    this.#orderedFrom = this.#lines.first;
    this.#orders += 1;
  }
}
