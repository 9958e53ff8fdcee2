import { expect } from 'vitest';

/** An operation on the disk that a download has just made, or is about to make. */
export interface DiskEvent {
  /**
   * `held`: bytes up to here were written; `cut`: the part has this length now; `syncing` and
   * `synced`: bytes up to here are being, or are, on the disk itself; `recording`: they are about
   * to be promised; `moved`: a file was renamed, linked or removed,
   * or a placeholder was written.
   */
  readonly kind: 'held' | 'cut' | 'syncing' | 'synced' | 'recording' | 'moved';
  readonly bytes: number;
}

/** Checks the order of one run's events, so that a power cut at any moment is safe. */
export class DiskOrder {
  #synced: number;
  #recording: number | null = null;
  #promised = 0;

  /** @param durable bytes that earlier runs have recorded */
  constructor(durable: number) {
    this.#synced = durable;
    this.#promised = durable;
  }

  /**
   * Bytes confirmed by a record that is certainly in place: a later run must not download them
   * again.
   */
  get promised(): number {
    return this.#promised;
  }

  see({ kind, bytes }: DiskEvent, life: string): void {
    switch (kind) {
      case 'held':
      case 'syncing':
        break;
      case 'cut':
        this.#synced = Math.min(this.#synced, bytes);
        break;
      case 'synced':
        this.#synced = Math.max(this.#synced, bytes);
        break;
      case 'recording':
        expect(bytes, `${life}: no byte is promised that is not on the disk`).toBeLessThanOrEqual(
          this.#synced,
        );
        this.#recording = bytes;
        break;
      case 'moved':
        // The next rename puts the record in place.
        if (this.#recording !== null) this.#promised = this.#recording;
        this.#recording = null;
    }
  }
}
