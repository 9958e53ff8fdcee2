import { untrack } from 'svelte';

interface Lines {
  readonly total: number;
  /** Items side by side in one line. */
  readonly columns: number;
  /** Of a line, in pixels. */
  readonly lineHeight: number;
  /** Of the part in which lines are visible, in pixels. */
  readonly height: number;
  /** Lines that exist beyond each edge of the visible part. */
  readonly spare: number;
  /** Whether keys move from item to item of a line. */
  readonly sideways: boolean;
  /** Lines that stay visible after PageDown and PageUp. */
  readonly overlap: number;
  /** In pixels: what stays visible below a line that is scrolled to. */
  readonly margin: number;
}

/** The part of a scrolled list that exists, in lines of one height; and the keys that move through it. */
export class LineWindow {
  scroller = $state<HTMLElement>();
  scrolled = $state(0);
  readonly #lines: () => Lines;

  readonly #all: number = $derived.by(() => {
    const { total, columns } = this.#lines();
    return Math.ceil(total / columns);
  });
  /** Of all lines, in pixels. */
  readonly fullHeight: number = $derived.by(() => this.#all * this.#lines().lineHeight);
  /** How many lines exist. The number stays the same while the list is scrolled. */
  readonly count: number = $derived.by(() => {
    const { height, lineHeight, spare } = this.#lines();
    return Math.min(this.#all, Math.ceil(height / lineHeight) + 1 + 2 * spare);
  });
  readonly firstLine: number = $derived.by(() => {
    const { lineHeight, spare } = this.#lines();
    const line = Math.floor(this.scrolled / lineHeight) - spare;
    return Math.max(0, Math.min(this.#all - this.count, line));
  });
  /** The first item that exists. */
  readonly first: number = $derived.by(() => this.firstLine * this.#lines().columns);
  /** The last item that exists; less than the first one when there is none. */
  readonly last: number = $derived.by(() => {
    const { total, columns } = this.#lines();
    return Math.min(total, (this.firstLine + this.count) * columns) - 1;
  });

  /**
   * @param lines is read again whenever it changes
   * @param onvisible called with the items that exist, whenever that changes
   */
  constructor(lines: () => Lines, onvisible: (first: number, last: number) => void) {
    this.#lines = lines;
    $effect(() => {
      const [first, last] = [this.first, Math.max(this.first, this.last)];
      untrack(() => {
        onvisible(first, last);
      });
    });
  }

  has(index: number): boolean {
    return index >= this.first && index <= this.last;
  }

  isInSight(index: number): boolean {
    const { lineHeight, height } = this.#lines();
    const top = this.topOf(index) - (this.scroller?.scrollTop ?? 0);
    return index >= 0 && top + lineHeight > 0 && top < height;
  }

  /** Scrolls as little as makes the item visible as a whole. */
  reveal(index: number): void {
    const { lineHeight, height, margin } = this.#lines();
    if (this.scroller === undefined || height === 0) return;
    const top = this.topOf(index);
    const bottom = top + lineHeight + margin - height;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    else if (bottom > this.scroller.scrollTop) this.scroller.scrollTop = bottom;
    else return;
    // The item exists with the next update, before the browser says that it has scrolled.
    this.scrolled = this.scroller.scrollTop;
  }

  /** In pixels from the beginning of the list. */
  topOf(index: number): number {
    const { columns, lineHeight } = this.#lines();
    return Math.floor(index / columns) * lineHeight;
  }

  /** Where a key takes the cursor, made visible; `null` when the key does not move it. */
  follow(event: KeyboardEvent, cursor: number): number | null {
    const { total } = this.#lines();
    const target = event.altKey ? null : this.#target(event.key, cursor);
    if (target === null || total === 0) return null;
    event.preventDefault();
    const index = Math.min(total - 1, Math.max(0, target));
    this.reveal(index);
    return index;
  }

  #target(key: string, cursor: number): number | null {
    const { total, columns, lineHeight, height, sideways, overlap } = this.#lines();
    const page = Math.max(1, Math.floor(height / lineHeight) - overlap) * columns;
    switch (key) {
      case 'ArrowRight':
        return sideways ? cursor + 1 : null;
      case 'ArrowLeft':
        return sideways ? cursor - 1 : null;
      case 'ArrowDown':
        return cursor < 0 ? 0 : cursor + columns;
      case 'ArrowUp':
        return cursor - columns;
      case 'PageDown':
        return cursor + page;
      case 'PageUp':
        return cursor - page;
      case 'Home':
        return 0;
      case 'End':
        return total - 1;
      default:
        return null;
    }
  }
}
