import { untrack } from 'svelte';
import type { LineWindow } from './line-window.svelte.ts';

/** Milliseconds without a change of the visible rows after which rows are put in order again. */
const REST_MS = 300;

/**
 * Which row each element of a scrolled table shows. An element that leaves on one side comes back on
 * the other as another row, because updating an element is far cheaper than making one. At rest the
 * elements are in the order of the rows, as a screen reader that reads from the beginning expects.
 */
export class RowElements {
  /** Whether rows are on their way past. */
  moves = $state(false);
  /** The first row when the table last stood still: elements are in order from there. */
  #restedAt = $state(0);
  readonly #lines: Pick<LineWindow, 'first' | 'count'>;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #isPressed = false;

  /** The row of each element, in the order of the elements. */
  readonly rows: readonly number[] = $derived.by(() => {
    const { first, count } = this.#lines;
    return Array.from({ length: count }, (_, place) => {
      const offset = (place - (first - this.#restedAt)) % count;
      return first + (offset < 0 ? offset + count : offset);
    });
  });

  constructor(lines: Pick<LineWindow, 'first' | 'count'>) {
    this.#lines = lines;
    $effect(() => {
      if (lines.first !== untrack(() => this.#restedAt)) this.scrolled();
    });
    // Elements come or go, so all of them may as well be put in order.
    $effect(() => {
      void lines.count;
      untrack(() => {
        this.#putInOrder();
      });
    });
    $effect(() => () => {
      clearTimeout(this.#resting);
    });
  }

  /** Rows move, from the first time that others are visible until none have moved for a while. */
  scrolled(): void {
    this.moves = true;
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      this.moves = false;
      this.#putInOrder();
    }, REST_MS);
  }

  /** A click, and a drag, are of the element that was pressed: until `release`, it keeps its row. */
  press(): void {
    this.#isPressed = true;
  }

  release(): void {
    this.#isPressed = false;
    // Later, since the click comes first.
    if (this.#restedAt !== this.#lines.first) this.scrolled();
  }

  #putInOrder(): void {
    if (!this.#isPressed) this.#restedAt = this.#lines.first;
  }
}
