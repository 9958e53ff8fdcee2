import type { Job } from '../../contract/job.ts';
import type { JobOrder } from '../../contract/job-order.ts';
import type { CursorMove } from '../design/cursor-move.ts';
import type { GroupedLines } from '../state/grouped-lines.svelte.ts';
import type { JobList } from '../state/job-list.svelte.ts';
import type { Selection } from '../state/selection.svelte.ts';
import type { TableLayout } from '../state/table-layout.svelte.ts';
import { nextOrder } from './arranged-columns.ts';
import { HeadingCursor } from './heading-cursor.svelte.ts';
import type { RowPicker } from './row-picker.svelte.ts';

/** A view that shows its list as rows below headings. */
interface TableView {
  readonly list: JobList;
  readonly lines: GroupedLines;
  readonly layout: TableLayout;
  readonly selection: Selection;
  sortBy(order: JobOrder | null): void;
}

/** A table of videos below headings: which video a line is, and what its keys and clicks do. */
export class TableRows {
  readonly #view: TableView;
  readonly #picker: RowPicker;
  readonly #cursor: HeadingCursor;

  constructor(view: TableView, picker: RowPicker) {
    this.#view = view;
    this.#picker = picker;
    this.#cursor = new HeadingCursor(view.lines, view.selection);
  }

  /** The line that the keyboard acts on; -1 for none. */
  get cursor(): number {
    return this.#cursor.line;
  }

  /** The video of a line; `undefined` for a heading, and while it is not read. */
  readonly jobAt = (line: number): Job | undefined => {
    const at = this.#view.lines.at(line);
    return at.kind === 'row' ? this.#view.list.at(at.index) : undefined;
  };

  /** Whether a line's video is not read yet, other than one that is about to be replaced. */
  readonly isUnread = (line: number): boolean => {
    if (this.#view.list.isNarrowing) return false;
    const at = this.#view.lines.at(line);
    return at.kind === 'row' && this.#view.list.at(at.index) === undefined;
  };

  /**
   * What a cell shows: the video of its line, and while that is not read, the one it showed before,
   * hidden if the line `isUnread`: changing a cell is far cheaper than removing it and making it again.
   */
  readonly forCell = (): ((line: number) => Job | undefined) => {
    let latest: Job | undefined;
    return (line) => (latest = this.jobAt(line) ?? latest);
  };

  /**
   * Whether a line stands for the videos of a row, is one of an unfolded row, or neither. Those may be
   * in several places, of which each has a first line.
   */
  readonly placeInRow = (line: number): 'folded' | 'first' | 'other' | null => {
    const job = this.jobAt(line);
    if (job?.videos !== undefined) return 'folded';
    const { unfoldedRows } = this.#view.list.shownGroups;
    if (typeof job?.rowId !== 'string' || !unfoldedRows.includes(job.rowId)) return null;
    return line > 0 && this.jobAt(line - 1)?.rowId === job.rowId ? 'other' : 'first';
  };

  readonly isSelected = (line: number): boolean => {
    const at = this.#view.lines.at(line);
    return at.kind === 'row' && this.#picker.isSelected(at.index);
  };

  readonly pick = (line: number, how: CursorMove): void => {
    const row = this.#cursor.moveTo(line, how);
    if (row !== null) this.#picker.pick(row, how);
  };

  readonly openMenu = (line: number, at: DOMRect): void => {
    const place = this.#view.lines.at(line);
    if (place.kind === 'row') this.#picker.openMenu(place.index, at);
  };

  /** A column's head is pressed. */
  readonly sort = (key: string): void => {
    this.#view.sortBy(nextOrder(key, this.#view.layout.order));
  };

  /** @param width in pixels; `null` for the column's own */
  readonly resize = (key: string, width: number | null): void => {
    this.#view.layout.resize(key, width);
  };
}
