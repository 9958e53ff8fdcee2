import { untrack } from 'svelte';

interface Layout {
  readonly total: number;
  /** Items side by side in one line. */
  readonly columns: number;
  /** In pixels. */
  readonly lineHeight: number;
  /** Height of the visible part, in pixels. */
  readonly height: number;
  /** Lines rendered beyond each edge of the visible part. */
  readonly overscan: number;
  /** Whether the left and right arrow keys move the cursor. */
  readonly sideways: boolean;
  /** Lines that stay visible after PageDown and PageUp. */
  readonly overlap: number;
  /** Space kept visible below a line that is scrolled to, in pixels. */
  readonly margin: number;
}

/** The rendered lines of a virtual list, all of one height, and its keyboard navigation. */
export class LineWindow {
  scroller = $state<HTMLElement>();
  scrollTop = $state(0);
  readonly #lines: () => Layout;

  readonly #lineCount: number = $derived.by(() => {
    const { total, columns } = this.#lines();
    return Math.ceil(total / columns);
  });
  /** Height of all lines, in pixels. */
  readonly fullHeight: number = $derived.by(() => this.#lineCount * this.#lines().lineHeight);
  /** How many lines are rendered. The number stays the same while the list is scrolled. */
  readonly count: number = $derived.by(() => {
    const { height, lineHeight, overscan } = this.#lines();
    return Math.min(this.#lineCount, Math.ceil(height / lineHeight) + 1 + 2 * overscan);
  });
  readonly firstLine: number = $derived.by(() => {
    const { lineHeight, overscan } = this.#lines();
    const line = Math.floor(this.scrollTop / lineHeight) - overscan;
    return Math.max(0, Math.min(this.#lineCount - this.count, line));
  });
  /** The first rendered item. */
  readonly first: number = $derived.by(() => this.firstLine * this.#lines().columns);
  /** The last rendered item; less than the first one when there is none. */
  readonly last: number = $derived.by(() => {
    const { total, columns } = this.#lines();
    return Math.min(total, (this.firstLine + this.count) * columns) - 1;
  });

  /**
   * @param lines reactive: read again whenever it changes
   * @param onvisible called with the rendered items whenever they change
   */
  constructor(lines: () => Layout, onvisible: (first: number, last: number) => void) {
    this.#lines = lines;
    $effect(() => {
      const [first, last] = [this.first, Math.max(this.first, this.last)];
      untrack(() => {
        onvisible(first, last);
      });
    });
  }

  isRendered(index: number): boolean {
    return index >= this.first && index <= this.last;
  }

  isVisible(index: number): boolean {
    const { lineHeight, height } = this.#lines();
    const top = this.topOf(index) - (this.scroller?.scrollTop ?? 0);
    return index >= 0 && top + lineHeight > 0 && top < height;
  }

  /** Scrolls just enough to show the whole item. */
  reveal(index: number): void {
    const { lineHeight, height, margin } = this.#lines();
    if (this.scroller === undefined || height === 0) return;
    const top = this.topOf(index);
    const bottom = top + lineHeight + margin - height;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    else if (bottom > this.scroller.scrollTop) this.scroller.scrollTop = bottom;
    else return;
    // Renders the item with the next update, before the browser's scroll event.
    this.scrollTop = this.scroller.scrollTop;
  }

  /** In pixels from the beginning of the list. */
  topOf(index: number): number {
    const { columns, lineHeight } = this.#lines();
    return Math.floor(index / columns) * lineHeight;
  }

  /** Scrolls to the item that a key moves the cursor to; `null` when the key does not move it. */
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
