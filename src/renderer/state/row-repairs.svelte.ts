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

  /** Takes back corrections of cells that have changed, with all steps that could be undone. */
  drop(unfit: readonly CellPlace[]): void {
    const isUnfit = (row: string, column: string): boolean =>
      unfit.some((place) => String(place.row) === row && place.column === column);
    const edits: CellEdits = {};
    for (const [row, texts] of Object.entries(this.#now.edits)) {
      for (const [column, text] of Object.entries(texts)) {
        if (!isUnfit(row, column)) edits[row] = { ...edits[row], [column]: text };
      }
    }
    this.#now = { ...this.#now, edits };
    this.#earlier = [];
    this.#typing = null;
  }

  get options(): Pick<BatchOptions, 'edits' | 'editsOf' | 'leaveOut'> {
    const { edits, leaveOut } = this.#now;
    const editsOf: CellEdits = {};
    for (const [row, texts] of Object.entries(edits)) {
      for (const column of Object.keys(texts)) {
        const text = this.#before.get(keyOf({ row: Number(row), column }));
        if (text !== undefined) editsOf[row] = { ...editsOf[row], [column]: text };
      }
    }
    return {
      ...(Object.keys(edits).length === 0 ? {} : { edits }),
      ...(Object.keys(editsOf).length === 0 ? {} : { editsOf }),
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
