export interface RowDragActions {
  /** What dragging a row does: moves it within the table, drags its file out, or nothing. */
  readonly dragging?: ((index: number) => 'move' | 'hand-over' | null) | undefined;
  /** A row that can be moved is picked up. The table may change before it is dropped. */
  readonly onpickup?: ((index: number) => void) | undefined;
  /** The picked-up row is dropped before the row at `to`, or after the last one. */
  readonly onreorder?: ((to: number) => void) | undefined;
  readonly onhandover?: ((index: number, event: DragEvent) => void) | undefined;
}

/** Dragging of rows by mouse, within a table and out of it. */
export class RowDrag {
  /** Whether a row of this table is being moved. */
  isMoving = $state(false);
  /** The row before which the moved one would be dropped now. */
  target = $state<number | null>(null);
  /** Whether a row of this table is being dragged, within the table or out of it. */
  isDragging = false;
  readonly #total: () => number;
  readonly #placeOf: (event: MouseEvent) => number;
  readonly #actions: () => RowDragActions;
  #pressed = 0;

  /** @param placeOf the pointer's position in rows: 2.5 is the middle of the third one */
  constructor(
    total: () => number,
    placeOf: (event: MouseEvent) => number,
    actions: () => RowDragActions,
  ) {
    this.#total = total;
    this.#placeOf = placeOf;
    this.#actions = actions;
  }

  /** Remembers the row: the drag begins after the pointer moves, perhaps in a scrolled table. */
  press(event: MouseEvent): void {
    this.#pressed = Math.min(this.#total() - 1, Math.max(0, Math.floor(this.#placeOf(event))));
  }

  /** Starts to drag the row that was pressed. */
  start(event: DragEvent): void {
    const index = this.#pressed;
    switch (this.#actions().dragging?.(index) ?? null) {
      case 'move':
        this.isMoving = true;
        this.#actions().onpickup?.(index);
        break;
      case 'hand-over':
        this.#actions().onhandover?.(index, event);
        break;
      case null:
        event.preventDefault();
    }
    this.isDragging = !event.defaultPrevented;
  }

  over(event: DragEvent): void {
    if (!this.isMoving) return;
    event.preventDefault();
    this.target = this.#targetOf(event);
  }

  drop(event: DragEvent): void {
    event.preventDefault();
    if (this.isMoving) this.#actions().onreorder?.(this.#targetOf(event));
    this.end();
  }

  end(): void {
    this.isDragging = false;
    this.isMoving = false;
    this.target = null;
  }

  /** Before or after the row under the pointer, whichever is nearer; below all rows, at the end. */
  #targetOf(event: DragEvent): number {
    return Math.min(this.#total(), Math.max(0, Math.round(this.#placeOf(event))));
  }
}
