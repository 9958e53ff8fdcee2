import type { CursorMove } from '../design/cursor-move.ts';
import { isSame, type GroupedLines, type Heading } from '../state/grouped-lines.svelte.ts';
import type { Selection } from '../state/selection.svelte.ts';

/** The line that the keyboard acts on, in a table with headings: a row, or a heading. */
export class HeadingCursor {
  readonly #lines: GroupedLines;
  readonly #selection: Pick<Selection, 'cursor' | 'reset'>;
  #heading = $state.raw<Heading | null>(null);

  /** -1 for none. */
  readonly line: number = $derived.by(() => {
    const { cursor } = this.#selection;
    if (cursor >= 0 || this.#heading === null) return this.#lines.lineOf(cursor);
    return this.#lines.lineOfHeading(this.#heading);
  });

  constructor(lines: GroupedLines, selection: Pick<Selection, 'cursor' | 'reset'>) {
    this.#lines = lines;
    this.#selection = selection;
  }

  /**
   * Moves to a line. A heading takes the selection with it, so that no key acts on rows elsewhere; a
   * selection that is extended passes it.
   *
   * @returns the row that is to be picked; `null` for a heading
   */
  moveTo(line: number, how: CursorMove): number | null {
    const at = this.#lines.at(line);
    if (at.kind === 'row') return at.index;
    if (how === 'extend') return this.#rowBeyond(line);
    if (
      how === 'toggle' ||
      (this.#heading !== null && isSame(at, this.#heading) && this.line === line)
    )
      return null;
    this.#selection.reset();
    this.#heading = at;
    return null;
  }

  /** The next row in the direction of the move, else the one before it; `null` without rows. */
  #rowBeyond(line: number): number | null {
    const step = line > this.line ? 1 : -1;
    return this.#rowFrom(line, step) ?? this.#rowFrom(line, -step);
  }

  #rowFrom(line: number, step: number): number | null {
    for (let next = line + step; next >= 0 && next < this.#lines.total; next += step) {
      const at = this.#lines.at(next);
      if (at.kind === 'row') return at.index;
    }
    return null;
  }
}
