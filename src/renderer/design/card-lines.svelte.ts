import { untrack } from 'svelte';

/** In pixels. */
interface CardLayout {
  /** How many cards each group has; a single group has no heading. */
  readonly groups: readonly number[];
  readonly hasHeadings: boolean;
  readonly headingHeight: number;
  /** Cards side by side. */
  readonly columns: number;
  readonly lineHeight: number;
  /** Of the visible part. */
  readonly height: number;
  /** Kept visible below a line that is scrolled to. */
  readonly margin: number;
}

/** A group, and where it is from the top of the list, in pixels. */
interface Block {
  readonly index: number;
  readonly top: number;
  readonly cardsTop: number;
  readonly end: number;
  /** Its first card. */
  readonly first: number;
  readonly cards: number;
}

/** The rendered cards of a virtual list in groups, and its keyboard navigation. */
export class CardLines {
  scroller = $state<HTMLElement>();
  scrollTop = $state(0);
  readonly #layout: () => CardLayout;
  readonly #blocks: readonly Block[] = $derived.by(() => this.#layOut());
  /** Of all lines, in pixels. */
  readonly fullHeight: number = $derived.by(() => this.#blocks.at(-1)?.end ?? 0);
  readonly total: number = $derived.by(() =>
    this.#layout().groups.reduce((sum, cards) => sum + cards, 0),
  );
  /** Headings in the rendered part: the group's index and its top. */
  readonly headings: readonly { readonly group: number; readonly top: number }[] = $derived.by(() =>
    this.#layout().hasHeadings
      ? this.#shownBlocks().map(({ index, top }) => ({ group: index, top }))
      : [],
  );
  /** The first and the last rendered card; the last is less than the first when there is none. */
  readonly range: { readonly first: number; readonly last: number } = $derived.by(() =>
    this.#renderedRange(),
  );

  /**
   * @param layout reactive: read again whenever it changes
   * @param onvisible called with the rendered cards whenever they change
   */
  constructor(layout: () => CardLayout, onvisible: (first: number, last: number) => void) {
    this.#layout = layout;
    $effect(() => {
      const { first, last } = this.range;
      untrack(() => {
        onvisible(first, Math.max(first, last));
      });
    });
  }

  isRendered(index: number): boolean {
    return index >= this.range.first && index <= this.range.last;
  }

  /** The column of a card, and the top of its line in pixels. */
  placeOf(index: number): { readonly column: number; readonly top: number } {
    const { columns, lineHeight } = this.#layout();
    const block = this.#blockOf(index);
    if (block === undefined) return { column: 0, top: 0 };
    const within = index - block.first;
    return {
      column: within % columns,
      top: block.cardsTop + Math.floor(within / columns) * lineHeight,
    };
  }

  /** Scrolls to the card that a key moves the cursor to; `null` when the key does not move it. */
  follow(event: KeyboardEvent, cursor: number): number | null {
    const target = event.altKey ? null : this.#target(event.key, cursor);
    if (target === null || this.total === 0) return null;
    event.preventDefault();
    const index = Math.min(this.total - 1, Math.max(0, target));
    this.#reveal(index);
    return index;
  }

  /** Scrolls to the first card. */
  toTop(): void {
    if (this.scroller === undefined || this.scrollTop === 0) return;
    this.scroller.scrollTop = 0;
    this.scrollTop = 0;
  }

  #reveal(index: number): void {
    const { lineHeight, height, margin, headingHeight, hasHeadings } = this.#layout();
    if (this.scroller === undefined || height === 0) return;
    const { top } = this.placeOf(index);
    const block = this.#blockOf(index);
    // The heading of the group is shown with its first line.
    const upper = hasHeadings && top === block?.cardsTop ? top - headingHeight : top;
    const lower = top + lineHeight + margin - height;
    if (upper < this.scroller.scrollTop) this.scroller.scrollTop = upper;
    else if (lower > this.scroller.scrollTop) this.scroller.scrollTop = lower;
    else return;
    // Renders the card with the next update, before the browser's scroll event.
    this.scrollTop = this.scroller.scrollTop;
  }

  #layOut(): readonly Block[] {
    const { groups, hasHeadings, headingHeight, columns, lineHeight } = this.#layout();
    const blocks: Block[] = [];
    let [top, first] = [0, 0];
    for (const [index, cards] of groups.entries()) {
      const cardsTop = top + (hasHeadings ? headingHeight : 0);
      const end = cardsTop + Math.ceil(cards / columns) * lineHeight;
      blocks.push({ index, top, cardsTop, end, first, cards });
      [top, first] = [end, first + cards];
    }
    return blocks;
  }

  /** The blocks that the rendered part shows: the visible one, and a line beyond each edge. */
  #shownBlocks(): readonly Block[] {
    const [from, to] = this.#renderedPart();
    return this.#blocks.filter(({ top, end }) => end > from && top < to);
  }

  #renderedPart(): [from: number, to: number] {
    const { lineHeight, height } = this.#layout();
    // In steps of a line, so that the same cards stay rendered while a line is scrolled.
    const from = Math.floor(this.scrollTop / lineHeight) * lineHeight;
    return [from - lineHeight, from + height + 2 * lineHeight];
  }

  #renderedRange(): { readonly first: number; readonly last: number } {
    const { columns, lineHeight } = this.#layout();
    const [from, to] = this.#renderedPart();
    let [first, last] = [Infinity, -1];
    for (const block of this.#shownBlocks()) {
      const lines = Math.ceil(block.cards / columns);
      const fromLine = Math.max(0, Math.floor((from - block.cardsTop) / lineHeight));
      const toLine = Math.min(lines, Math.ceil((to - block.cardsTop) / lineHeight));
      if (toLine <= fromLine) continue;
      first = Math.min(first, block.first + fromLine * columns);
      last = Math.max(last, block.first + Math.min(block.cards, toLine * columns) - 1);
    }
    return last < 0 ? { first: 0, last: -1 } : { first, last };
  }

  #target(key: string, cursor: number): number | null {
    const { lineHeight, height } = this.#layout();
    const page = Math.max(1, Math.floor(height / lineHeight));
    switch (key) {
      case 'ArrowRight':
        return cursor + 1;
      case 'ArrowLeft':
        return cursor - 1;
      case 'ArrowDown':
        return cursor < 0 ? 0 : this.#lineFrom(cursor, 1);
      case 'ArrowUp':
        return this.#lineFrom(cursor, -1);
      case 'PageDown':
        return this.#lineFrom(Math.max(0, cursor), page);
      case 'PageUp':
        return this.#lineFrom(cursor, -page);
      case 'Home':
        return 0;
      case 'End':
        return this.total - 1;
      default:
        return null;
    }
  }

  /** The card in the same column, lines further down, or the last one of that line. */
  #lineFrom(cursor: number, lines: number): number {
    const { columns } = this.#layout();
    let index = cursor;
    for (let moved = 0; moved < Math.abs(lines); moved += 1) {
      const block = this.#blockOf(index);
      if (block === undefined) return index;
      const column = (index - block.first) % columns;
      const start = index - column;
      const next = lines > 0 ? start + columns : start - columns;
      const blockEnd = block.first + block.cards;
      if (lines > 0) {
        const line = next < blockEnd ? next : blockEnd;
        const into = this.#blockOf(line);
        if (into === undefined) return index;
        index = Math.min(line + column, into.first + into.cards - 1);
      } else if (next >= block.first) index = next + column;
      else {
        const above = this.#blocks[block.index - 1];
        if (above === undefined) return index;
        const lastLine = above.first + Math.floor((above.cards - 1) / columns) * columns;
        index = Math.min(lastLine + column, above.first + above.cards - 1);
      }
    }
    return index;
  }

  #blockOf(index: number): Block | undefined {
    return this.#blocks.find(({ first, cards }) => index >= first && index < first + cards);
  }
}
