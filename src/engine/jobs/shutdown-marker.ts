import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

/**
 * When the queue's file was last changed, written beside it as the queue is closed. A backup that
 * is copied over the file keeps its number and may bring its date of writing back, but never the
 * moment at which the file system saw that happen. (Windows sees less reason to keep that moment
 * from changing: programs that make backups may set it, so that there it says nothing.)
 */
export class ShutdownMarker {
  readonly #database: string;
  readonly #mark: string;

  constructor(database: string, mark: string) {
    this.#database = database;
    this.#mark = mark;
  }

  /** Once the database is closed. What cannot be written is no reason to fail: it then says nothing. */
  write(): void {
    if (process.platform === 'win32') return;
    try {
      writeFileSync(this.#mark, this.#changedAt(), { mode: 0o600 });
    } catch {
      this.#remove();
    }
  }

  /**
   * True when somebody changed the file since it was closed. Before the database is opened; the mark
   * is taken away, so that a queue that ends without being closed has none. One that a power cut left
   * without its content says nothing.
   */
  showsChange(): boolean {
    try {
      const mark = readFileSync(this.#mark, 'utf8');
      return /^\d+$/.test(mark) && mark !== this.#changedAt();
    } catch {
      return false;
    } finally {
      this.#remove();
    }
  }

  #changedAt(): string {
    return String(statSync(this.#database, { bigint: true }).ctimeNs);
  }

  #remove(): void {
    rmSync(this.#mark, { force: true });
  }
}
