import { untrack } from 'svelte';

/** Lines rendered beyond each edge of the visible part. */
const OVERSCAN = 4;

interface Layout {
  readonly total: number;
  /** In pixels. */
  readonly lineHeight: number;
  /** Height of the visible part, in pixels. */
  readonly height: number;
}

/** The rendered lines of a virtual list, all of one height, and its keyboard navigation. */
export class LineWindow {
  scroller = $state<HTMLElement>();
  scrollTop = $state(0);
  readonly #lines: () => Layout;

  /** Height of all lines, in pixels. */
  readonly fullHeight: number = $derived.by(() => this.#lines().total * this.#lines().lineHeight);
  /** How many lines are rendered. The number stays the same while the list is scrolled. */
  readonly count: number = $derived.by(() => {
    const { total, height, lineHeight } = this.#lines();
    return Math.min(total, Math.ceil(height / lineHeight) + 1 + 2 * OVERSCAN);
  });
  /** The first rendered line. */
  readonly first: number = $derived.by(() => {
    const { total, lineHeight } = this.#lines();
    const line = Math.floor(this.scrollTop / lineHeight) - OVERSCAN;
    return Math.max(0, Math.min(total - this.count, line));
  });
  /** The last rendered line; less than the first one when there is none. */
  readonly last: number = $derived.by(() => this.first + this.count - 1);

  /**
   * @param lines reactive: read again whenever it changes
   * @param onvisible called with the rendered lines whenever they change
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
    // Not the scroller's own, which would have the page laid out before all rows are drawn.
    const top = this.topOf(index) - this.scrollTop;
    return index >= 0 && top + lineHeight > 0 && top < height;
  }

  /** Scrolls to the first line. */
  toTop(): void {
    if (this.scroller === undefined || this.scrollTop === 0) return;
    this.scroller.scrollTop = 0;
    this.scrollTop = 0;
  }

  /** Scrolls just enough to show the whole line. */
  reveal(index: number): void {
    const { lineHeight, height } = this.#lines();
    if (this.scroller === undefined || height === 0) return;
    const top = this.topOf(index);
    const bottom = top + lineHeight - height;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    else if (bottom > this.scroller.scrollTop) this.scroller.scrollTop = bottom;
    else return;
    // Renders the line with the next update, before the browser's scroll event.
    this.scrollTop = this.scroller.scrollTop;
  }

  /** In pixels from the beginning of the list. */
  topOf(index: number): number {
    return index * this.#lines().lineHeight;
  }

  /** Scrolls to the line that a key moves the cursor to; `null` when the key does not move it. */
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
    const { total, lineHeight, height } = this.#lines();
    // One line stays visible.
    const page = Math.max(1, Math.floor(height / lineHeight) - 1);
    switch (key) {
      case 'ArrowDown':
        return cursor < 0 ? 0 : cursor + 1;
      case 'ArrowUp':
        return cursor - 1;
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
