import { rowMenu } from '../actions/menu-items.ts';
import type { CursorMove } from '../design/cursor-move.ts';
import type { MenuItem } from '../design/menu-item.ts';
import { videosOfLine } from '../formatting/line-videos.ts';
import type { AppState } from '../state/app-state.svelte.ts';
import type { JobList } from '../state/job-list.svelte.ts';
import type { Selection } from '../state/selection.svelte.ts';

/** Selection, details and menu of the videos that a view lists, by their index in the list. */
export class RowPicker {
  /** Position of the open menu of the selected rows, in pixels of the window; `null` when closed. */
  menuAt = $state.raw<DOMRect | null>(null);
  readonly menu: readonly MenuItem[] = $derived.by(() =>
    this.menuAt === null ? [] : rowMenu(this.#app),
  );
  readonly #app: AppState;
  readonly #list: JobList;
  readonly #selection: Selection;

  constructor(app: AppState, view: { readonly list: JobList; readonly selection: Selection }) {
    this.#app = app;
    this.#list = view.list;
    this.#selection = view.selection;
  }

  isSelected(index: number): boolean {
    const job = this.#list.at(index);
    if (job === undefined) return false;
    const { ids } = this.#selection;
    return videosOfLine(job).some(({ id }) => ids.has(id)) || job.id === this.#app.details.id;
  }

  pick(index: number, how: CursorMove): void {
    const { commands, details, keys, narrow } = this.#app;
    if (how === 'extend') void keys.holdUntil(commands.run(() => this.#selection.extendTo(index)));
    else if (how === 'toggle') this.#selection.toggle(index);
    else this.#selection.choose(index);
    // Open details follow the cursor; closed ones stay closed.
    if (how === 'move' && details.id !== null && !narrow) this.open(index);
  }

  /** Opens the details. */
  open(index: number): void {
    const job = this.#list.at(index);
    if (job !== undefined) this.#app.details.open(job.id);
  }

  /** Opens the menu of the selection. A row outside the selection is selected first, alone. */
  openMenu(index: number, at: DOMRect): void {
    const job = this.#list.at(index);
    if (job === undefined) return;
    if (!this.#selection.ids.has(job.id)) this.#selection.choose(index);
    this.menuAt = at;
  }

  closeMenu(): void {
    this.menuAt = null;
  }
}
