import { JOB_SORTS, type JobOrder } from '../../contract/job-order.ts';

/** In pixels. */
const MIN_WIDTH = 40;
const MAX_WIDTH = 1200;

/** Columns of the queue that the user can hide. The title always stays. */
export const HIDEABLE_COLUMNS = [
  'picture',
  ...JOB_SORTS.filter((sort) => sort !== 'queue' && sort !== 'title'),
] as const;

/** What saved videos can be sorted by, beside their batches. */
export const SAVED_SORTS = ['when', 'title', 'length', 'size'] as const;

type Widths = Readonly<Record<string, number>>;

/** Which columns of a table are shown, how wide they are, and what it is sorted by; remembered by the browser. */
export class TableLayout {
  #hidden = $state.raw<readonly string[]>([]);
  #widths = $state.raw<Widths>({});
  /** `null` in sections. */
  #order = $state.raw<JobOrder | null>(null);
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly #key: string;

  /** @param name of the table */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>, name: string) {
    this.#storage = storage;
    this.#key = `spool.table.${name}`;
    const { hidden, widths, order } = readStored(storage.getItem(this.#key));
    if (Array.isArray(hidden)) this.#hidden = hidden.filter((key) => typeof key === 'string');
    if (isObject(widths)) this.#widths = readWidths(widths);
    if (isObject(order)) this.#order = readOrder(order);
  }

  get order(): JobOrder | null {
    return this.#order;
  }

  isHidden(column: string): boolean {
    return this.#hidden.includes(column);
  }

  /** In pixels; `null` for the column's own width. */
  widthOf(column: string): number | null {
    return this.#widths[column] ?? null;
  }

  /** Whether any column has another width than its own. */
  get isResized(): boolean {
    return Object.keys(this.#widths).length > 0;
  }

  toggle(column: string): void {
    this.#hidden = this.isHidden(column)
      ? this.#hidden.filter((key) => key !== column)
      : [...this.#hidden, column];
    this.#store();
  }

  /** @param width in pixels; `null` for the column's own */
  resize(column: string, width: number | null): void {
    const { [column]: _, ...others } = this.#widths;
    this.#widths = width === null ? others : { ...others, [column]: clamp(width) };
    this.#store();
  }

  /** Every column has its own width again. */
  resetWidths(): void {
    this.#widths = {};
    this.#store();
  }

  sortBy(order: JobOrder | null): void {
    this.#order = order;
    this.#store();
  }

  #store(): void {
    const { order } = this;
    this.#storage.setItem(
      this.#key,
      JSON.stringify({ hidden: this.#hidden, widths: this.#widths, order }),
    );
  }
}

function clamp(width: number): number {
  return Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Another version or page may have stored it: anything invalid reads as empty. */
function readStored(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function readWidths(stored: Readonly<Record<string, unknown>>): Widths {
  const widths = Object.entries(stored).flatMap(([key, width]) =>
    typeof width === 'number' && Number.isFinite(width) ? [[key, clamp(width)] as const] : [],
  );
  return Object.fromEntries(widths);
}

function readOrder({ by, descending }: Readonly<Record<string, unknown>>): JobOrder | null {
  const known = JOB_SORTS.find((sort) => sort === by);
  if (known === undefined) return null;
  return { by: known, descending: descending === true };
}
