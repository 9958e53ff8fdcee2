import type { BatchPlan, ColumnChoice } from '../../contract/batch.ts';

/** The choices with which a file was read. */
export interface RememberedReading {
  readonly columns: ColumnChoice;
  readonly templateText: string | null;
}

const KEY = 'spool.columns';
/** Entries that are kept, one for each set of columns. The least recently stored one goes first. */
const MAX_ENTRIES = 40;

/**
 * Remembers how files were read, by their column names in any order. Stored in the browser, because
 * it only helps to fill in the form and is not part of a batch.
 */
export class BatchMemory {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage;
  }

  recall(fileColumns: readonly string[]): RememberedReading | null {
    return this.#read().get(keyOf(fileColumns)) ?? null;
  }

  /** How an earlier file with these columns was read, if the service has all the fields it used. */
  recallFor({ fileColumns, fields }: BatchPlan): RememberedReading | null {
    const remembered = this.recall(fileColumns);
    const isField = (name: string): boolean => fields.some((field) => field.name === name);
    return remembered !== null && Object.keys(remembered.columns).every(isField)
      ? remembered
      : null;
  }

  /** `null` forgets. */
  keep(fileColumns: readonly string[], reading: RememberedReading | null): void {
    const all = this.#read();
    all.delete(keyOf(fileColumns));
    if (reading !== null) all.set(keyOf(fileColumns), reading);
    this.#storage.setItem(KEY, JSON.stringify([...all].slice(-MAX_ENTRIES)));
  }

  /** Another version or page may have stored the entries: invalid ones are left out. */
  #read(): Map<string, RememberedReading> {
    try {
      const stored: unknown = JSON.parse(this.#storage.getItem(KEY) ?? '[]');
      return new Map(Array.isArray(stored) ? stored.filter(isEntry) : []);
    } catch {
      return new Map();
    }
  }
}

function keyOf(fileColumns: readonly string[]): string {
  return JSON.stringify([...fileColumns].sort());
}

function isEntry(entry: unknown): entry is [string, RememberedReading] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return false;
  const [, reading] = entry as [string, unknown];
  if (typeof reading !== 'object' || reading === null) return false;
  const { columns, templateText } = reading as Partial<Record<keyof RememberedReading, unknown>>;
  if (templateText !== null && typeof templateText !== 'string') return false;
  if (typeof columns !== 'object' || columns === null) return false;
  return Object.values(columns).every((column) => column === null || typeof column === 'string');
}
