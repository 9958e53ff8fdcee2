import { expect } from 'vitest';

/** An operation on the disk that a download has just made, or is about to make. */
export interface DiskEvent {
  /**
   * `written`: bytes up to here were written; `truncated`: the part has this length now; `syncing`
   * and `synced`: bytes up to here are being, or have been, synced to the disk; `recording`: a
   * record is about to state that they are on the disk; `moved`: a file was renamed, linked or
   * removed, or a placeholder was written.
   */
  readonly kind: 'written' | 'truncated' | 'syncing' | 'synced' | 'recording' | 'moved';
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
   * Bytes that a record in its final place states to be on the disk: a later run must not download
   * them again.
   */
  get promised(): number {
    return this.#promised;
  }

  check({ kind, bytes }: DiskEvent, run: string): void {
    switch (kind) {
      case 'written':
      case 'syncing':
        break;
      case 'truncated':
        this.#synced = Math.min(this.#synced, bytes);
        break;
      case 'synced':
        this.#synced = Math.max(this.#synced, bytes);
        break;
      case 'recording':
        expect(bytes, `${run}: no byte is promised that is not on the disk`).toBeLessThanOrEqual(
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
