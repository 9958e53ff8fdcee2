/**
 * The rows of a batch as they are kept until it is added: as bytes, which take a fifth of the memory
 * of objects, and which a thread can pass to another one.
 */
import type { CellValue } from './cell.ts';
import type { RowRequest, RowValues } from './row-values.ts';

/** Between the parts of a row's `variant`, of which a language is the last. */
export const VARIANT_SEPARATOR = ' · ';

/** A row that was read and checked. */
export interface ReadRow extends Pick<RowRequest, 'bodySha256' | 'preset'> {
  /** Unique in the batch; with one file, `rowInFile`. */
  readonly row: number;
  /** As a spreadsheet numbers it: the header is row 1. */
  readonly rowInFile: number;
  /**
   * Its position among the batch's rows that are not empty, including those with errors, from 1.
   */
  readonly index: number;
  /** What distinguishes it from other videos of its row: `9:16 · de`; `''` if there is no other. */
  readonly variant: string;
  /** The video's title, or the row's number where it has none. */
  readonly title: string;
  readonly values: RowValues;
}

/** Some rows of a batch, as plain data. */
export interface PackedRows {
  /** Of each row: the hash of its request, its title, and its values as JSON. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** `NUMBERS` of each row. */
  readonly numbers: Uint32Array<ArrayBuffer>;
  /** Variants and presets, which many rows have in common. */
  readonly shared: readonly string[];
  readonly columns: readonly (readonly string[])[];
}

/** Where a row's texts begin and end, its numbers, and the places of what it shares with others. */
const NUMBERS = [
  'start',
  'values',
  'end',
  'row',
  'rowInFile',
  'index',
  'variant',
  'preset',
  'columns',
] as const;

const HASH_LENGTH = 64;
const ROWS_IN_ONE = 1000;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Packs rows as they are read. */
export class RowPacker {
  readonly #packed: PackedRows[] = [];
  #rows: ReadRow[] = [];

  add(row: ReadRow): void {
    this.#rows.push(row);
    if (this.#rows.length === ROWS_IN_ONE) this.#pack();
  }

  /** All rows, in the order in which they were added. */
  packed(): readonly PackedRows[] {
    if (this.#rows.length > 0) this.#pack();
    return this.#packed;
  }

  #pack(): void {
    this.#packed.push(pack(this.#rows));
    this.#rows = [];
  }
}

function pack(rows: readonly ReadRow[]): PackedRows {
  const shared = new Places<string>();
  const columns = new Places<readonly string[]>();
  const numbers: number[] = [];
  const texts: Uint8Array[] = [];
  let start = 0;
  for (const { bodySha256, title, values, row, rowInFile, index, variant, preset } of rows) {
    const before = encoder.encode(bodySha256 + title);
    const json = encoder.encode(JSON.stringify(values.map(([, value]) => value)));
    texts.push(before, json);
    const names = values.map(([name]) => name);
    const end = start + before.length + json.length;
    numbers.push(start, start + before.length, end, row, rowInFile, index);
    numbers.push(shared.of(variant, variant), shared.of(preset, preset));
    numbers.push(columns.of(JSON.stringify(names), names));
    start = end;
  }
  const whole = new Uint8Array(start);
  let at = 0;
  for (const text of texts) {
    whole.set(text, at);
    at += text.length;
  }
  return {
    texts: whole,
    numbers: Uint32Array.from(numbers),
    shared: shared.all,
    columns: columns.all,
  };
}

/** Different items, each with its place among them. */
class Places<Item> {
  readonly all: Item[] = [];
  readonly #places = new Map<string, number>();

  of(key: string, item: Item): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.all.length);
    return this.all.push(item) - 1;
  }
}

interface RowsOfTemplate extends PackedRows {
  readonly makeRequest: (values: RowValues) => RowRequest;
}

/** @param makeRequest that of the rows' template, see `requestsOf` */
export function unpack(
  packed: readonly PackedRows[],
  makeRequest: RowsOfTemplate['makeRequest'],
): IntakeRow[] {
  return packed.flatMap((part) => {
    const rows = { ...part, makeRequest };
    const { length } = rows.numbers;
    return Array.from({ length: length / NUMBERS.length }, (_, at) => new IntakeRow(rows, at));
  });
}

/** A row of a batch. What it has is read from its bytes whenever it is asked for. */
export class IntakeRow implements ReadRow, Pick<RowRequest, 'body'> {
  readonly #rows: RowsOfTemplate;
  readonly #at: number;

  constructor(rows: RowsOfTemplate, at: number) {
    this.#rows = rows;
    this.#at = at;
  }

  get row(): number {
    return this.#number('row');
  }

  get rowInFile(): number {
    return this.#number('rowInFile');
  }

  get index(): number {
    return this.#number('index');
  }

  get variant(): string {
    return this.#rows.shared[this.#number('variant')] ?? '';
  }

  get preset(): string {
    return this.#rows.shared[this.#number('preset')] ?? '';
  }

  get bodySha256(): string {
    const start = this.#number('start');
    return this.#text(start, start + HASH_LENGTH);
  }

  get title(): string {
    return this.#text(this.#number('start') + HASH_LENGTH, this.#number('values'));
  }

  /** Of its values, in their order; the same list for many rows. */
  get columns(): readonly string[] {
    return this.#rows.columns[this.#number('columns')] ?? [];
  }

  get values(): RowValues {
    const json = this.#text(this.#number('values'), this.#number('end'));
    const values = JSON.parse(json) as CellValue[];
    return this.columns.map((name, at) => [name, values[at] ?? '']);
  }

  /** Made from the values. */
  get body(): string {
    return this.#rows.makeRequest(this.values).body;
  }

  /** How many its texts have. */
  get bytes(): number {
    return this.#number('end') - this.#number('start');
  }

  #number(name: (typeof NUMBERS)[number]): number {
    return this.#rows.numbers[this.#at * NUMBERS.length + NUMBERS.indexOf(name)] ?? 0;
  }

  #text(start: number, end: number): string {
    return decoder.decode(this.#rows.texts.subarray(start, end));
  }
}
