/** Watches tables that the user opened, to read them again when another program has saved them. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { TABLE_EXTENSIONS } from '../contract/table-extensions.ts';

/** How often a file is looked at, in milliseconds. */
const INTERVAL_MS = 1000;
/** The most files that are watched; the ones opened first are dropped. */
const MAX_WATCHED = 20;

const EXTENSIONS: ReadonlySet<string> = new Set(TABLE_EXTENSIONS);

/** What tells one version of a file from another; `null` for one that is not there. */
interface Versions {
  /** The one that was opened, or reported last. */
  known: string | null;
  /** The one at the last look. */
  last: string | null;
}

export class WatchedTables {
  readonly #onChange: (file: string) => void;
  readonly #intervalMs: number;
  /** In the order in which they were opened. */
  readonly #watched = new Map<string, Versions>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  /** @param onChange called with the path of a file that has changed, and is written completely */
  constructor(onChange: (file: string) => void, intervalMs = INTERVAL_MS) {
    this.#onChange = onChange;
    this.#intervalMs = intervalMs;
  }

  /** Does nothing for a folder of pictures. */
  async add(file: string): Promise<void> {
    if (!EXTENSIONS.has(path.extname(file).slice(1).toLowerCase())) return;
    const version = await versionOf(file);
    this.#watched.delete(file);
    this.#watched.set(file, { known: version, last: version });
    const [first] = this.#watched.keys();
    if (this.#watched.size > MAX_WATCHED && first !== undefined) this.#watched.delete(first);
    this.#timer ??= setInterval(() => void this.look(), this.#intervalMs).unref();
  }

  /**
   * Reports what has changed. While a file is written it has a part of its rows, so a change counts
   * once two looks find the same.
   */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const [file, versions] of this.#watched) {
      const now = await versionOf(file);
      const isWritten = now !== null && now === versions.last;
      versions.last = now;
      if (!isWritten || now === versions.known) continue;
      versions.known = now;
      this.#onChange(file);
    }
    this.#isLooking = false;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#watched.clear();
  }
}

async function versionOf(file: string): Promise<string | null> {
  try {
    const { mtimeMs, size } = await stat(file);
    return `${mtimeMs} ${size}`;
  } catch {
    return null;
  }
}
