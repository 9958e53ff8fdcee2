export interface RowDragActions {
  /** What dragging a row does: moves it within the table, hands it over elsewhere, or nothing. */
  readonly dragging?: ((index: number) => 'move' | 'hand-over' | null) | undefined;
  /** A row that can be moved is picked up. The table may change before it is dropped. */
  readonly onpickup?: ((index: number) => void) | undefined;
  /** What was picked up is dropped before the row at `to`, or behind the last one. */
  readonly onreorder?: ((to: number) => void) | undefined;
  readonly onhandover?: ((index: number, event: DragEvent) => void) | undefined;
}

/** Dragging of rows by mouse, within a table and out of it. */
export class RowDrag {
  /** Whether a row of this table is being moved. */
  isMoving = $state(false);
  /** The row before which it would fall now. */
  target = $state<number | null>(null);
  /** Whether a row of this table is being dragged, to wherever. */
  isUnderWay = false;
  readonly #total: () => number;
  readonly #placeOf: (event: MouseEvent) => number;
  readonly #actions: () => RowDragActions;
  #pressed = 0;

  /** @param placeOf where the pointer is among the rows, in rows: 2.5 is the middle of the third */
  constructor(
    total: () => number,
    placeOf: (event: MouseEvent) => number,
    actions: () => RowDragActions,
  ) {
    this.#total = total;
    this.#placeOf = placeOf;
    this.#actions = actions;
  }

  /** A drag begins later, when the pointer has moved; the table may have been scrolled by then. */
  press(event: MouseEvent): void {
    this.#pressed = Math.min(this.#total() - 1, Math.max(0, Math.floor(this.#placeOf(event))));
  }

  /** Of the row that was pressed. */
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
    this.isUnderWay = !event.defaultPrevented;
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
    this.isUnderWay = false;
    this.isMoving = false;
    this.target = null;
  }

  /** Before or behind the row under the pointer, whichever is nearer; behind the last one below. */
  #targetOf(event: DragEvent): number {
    return Math.min(this.#total(), Math.max(0, Math.round(this.#placeOf(event))));
  }
}
