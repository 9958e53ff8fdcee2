/** The user's corrections of a batch: cells and rows that are left out. Each step can be undone. */
import { SvelteMap } from 'svelte/reactivity';
import type { BatchOptions, CellEdits } from '../../contract/batch.ts';
import { withoutRows, withRows } from './row-numbers.ts';

/** A cell of the batch, by row number and the file's name of the column. */
export interface CellPlace {
  readonly row: number;
  readonly column: string;
}

interface Repairs {
  readonly edits: CellEdits;
  readonly leaveOut: readonly number[];
}

/** Steps that can be undone. */
const MAX_STEPS = 200;

export class RowRepairs {
  #now = $state.raw<Repairs>({ edits: {}, leaveOut: [] });
  #earlier = $state.raw<readonly Repairs[]>([]);
  /** The texts of corrected cells before their first correction, by row and column. */
  readonly #before = new SvelteMap<string, string>();
  /** The cell that is being typed into: its changes are one step. */
  #typing: CellPlace | null = null;

  /** Whether anything is corrected or left out. */
  get isEmpty(): boolean {
    return Object.keys(this.options).length === 0;
  }

  get canUndo(): boolean {
    return this.#earlier.length > 0;
  }

  /** Rows with corrected cells. */
  get editedRows(): readonly number[] {
    return Object.keys(this.#now.edits).map(Number);
  }

  /** The corrected text of a cell; `undefined` if it is the file's. */
  textOf({ row, column }: CellPlace): string | undefined {
    return this.#now.edits[String(row)]?.[column];
  }

  /** The text that a corrected cell had when the user began to type into it. */
  before(place: CellPlace): string | undefined {
    return this.textOf(place) === undefined ? undefined : this.#before.get(keyOf(place));
  }

  /**
   * One change of a cell that the user types into.
   * @param before the cell's text until now
   */
  type(place: CellPlace, text: string, before: string): void {
    if (this.textOf(place) === undefined) this.#before.set(keyOf(place), before);
    const last = this.#typing;
    const isSameStep = last?.row === place.row && last.column === place.column;
    const edits = withText(this.#now.edits, [place.row], place.column, text);
    if (isSameStep) this.#now = { ...this.#now, edits };
    else this.#change({ edits });
    this.#typing = place;
  }

  /**
   * Sets the cells of one column in several rows, in one step.
   * @param before the text of all of these cells until now, if it is known
   */
  set(rows: readonly number[], column: string, text: string, before?: string): void {
    for (const row of rows) {
      const place = { row, column };
      if (before !== undefined && this.textOf(place) === undefined)
        this.#before.set(keyOf(place), before);
    }
    this.#change({ edits: withText(this.#now.edits, rows, column, text) });
  }

  leaveRowsOut(rows: readonly number[]): void {
    this.#change({ leaveOut: withRows(this.#now.leaveOut, rows) });
  }

  takeBackIn(rows: readonly number[]): void {
    this.#change({ leaveOut: withoutRows(this.#now.leaveOut, rows) });
  }

  undo(): void {
    const before = this.#earlier.at(-1);
    if (before === undefined) return;
    this.#now = before;
    this.#earlier = this.#earlier.slice(0, -1);
    this.#typing = null;
  }

  /** Names rows as another version of the file does. Steps that name those of the earlier one are gone. */
  move({ edits = {}, leaveOut = [] }: Pick<BatchOptions, 'edits' | 'leaveOut'>): void {
    this.#now = { edits, leaveOut };
    this.#earlier = [];
    this.#before.clear();
    this.#typing = null;
  }

  get options(): Pick<BatchOptions, 'edits' | 'leaveOut'> {
    const { edits, leaveOut } = this.#now;
    return {
      ...(Object.keys(edits).length === 0 ? {} : { edits }),
      ...(leaveOut.length === 0 ? {} : { leaveOut: [...leaveOut] }),
    };
  }

  #change(change: Partial<Repairs>): void {
    this.#earlier = [...this.#earlier, this.#now].slice(-MAX_STEPS);
    this.#now = { ...this.#now, ...change };
    this.#typing = null;
  }
}

function keyOf({ row, column }: CellPlace): string {
  return `${row} ${column}`;
}

function withText(
  edits: CellEdits,
  rows: readonly number[],
  column: string,
  text: string,
): CellEdits {
  const changed = rows.map(
    (row) => [String(row), { ...edits[String(row)], [column]: text }] as const,
  );
  return { ...edits, ...Object.fromEntries(changed) };
}
