/** Watches tables that the user opened, to read them again when another program saves them. */
import { unwatchFile, watchFile } from 'node:fs';
import path from 'node:path';
import { TABLE_EXTENSIONS } from '../contract/table-extensions.ts';

/** How often a file is looked at, in milliseconds. */
const INTERVAL_MS = 1000;
/** The most files that are watched; the ones opened first are dropped. */
const MAX_WATCHED = 20;

const EXTENSIONS: ReadonlySet<string> = new Set(TABLE_EXTENSIONS);

export class WatchedTables {
  readonly #onChange: (file: string) => void;
  readonly #intervalMs: number;
  /** In the order in which they were opened. */
  readonly #watched = new Set<string>();

  /** @param onChange called with the path of a file that has changed, and is there */
  constructor(onChange: (file: string) => void, intervalMs = INTERVAL_MS) {
    this.#onChange = onChange;
    this.#intervalMs = intervalMs;
  }

  /** Does nothing for a folder of pictures. */
  add(file: string): void {
    if (!EXTENSIONS.has(path.extname(file).slice(1).toLowerCase())) return;
    this.#remove(file);
    this.#watched.add(file);
    watchFile(file, { interval: this.#intervalMs, persistent: false }, (now, before) => {
      const isThere = now.mtimeMs > 0 && now.isFile();
      if (isThere && (now.mtimeMs !== before.mtimeMs || now.size !== before.size))
        this.#onChange(file);
    });
    const [first] = this.#watched;
    if (this.#watched.size > MAX_WATCHED && first !== undefined) this.#remove(first);
  }

  close(): void {
    for (const file of [...this.#watched]) this.#remove(file);
  }

  #remove(file: string): void {
    if (this.#watched.delete(file)) unwatchFile(file);
  }
}
