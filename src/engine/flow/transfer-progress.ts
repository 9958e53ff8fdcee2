import type { Transfer } from '../../contract/job.ts';

/** File size and speed that forecasts assume before any is known. */
const ASSUMED_BYTES = 8_000_000;
const ASSUMED_BYTES_PER_SECOND = 4_000_000;

/** The progress of downloads. In memory only: the bytes that matter are in their part files. */
export class TransferProgress {
  readonly #transfers = new Map<number, Transfer>();
  #typicalBytes = ASSUMED_BYTES;
  #typicalSpeed = ASSUMED_BYTES_PER_SECOND;

  get active(): number {
    return this.#transfers.size;
  }

  /** Sum over all transfers; `null` when none has a speed yet. */
  get bytesPerSecond(): number | null {
    const speeds = [...this.#transfers.values()].flatMap(
      ({ bytesPerSecond }) => bytesPerSecond ?? [],
    );
    return speeds.length === 0 ? null : speeds.reduce((sum, speed) => sum + speed, 0);
  }

  /** For forecasts: expected size of a file, in bytes. */
  get typicalBytes(): number {
    return this.#typicalBytes;
  }

  /** For forecasts: sum over all transfers. */
  get typicalSpeed(): number {
    return this.#typicalSpeed;
  }

  of(jobId: number): Transfer | null {
    return this.#transfers.get(jobId) ?? null;
  }

  show(jobId: number, transfer: Transfer): void {
    this.#transfers.set(jobId, transfer);
  }

  /** The transfer ended; `bytes` if its file was saved. */
  end(jobId: number, bytes: number | null): void {
    const speed = this.bytesPerSecond;
    this.#transfers.delete(jobId);
    if (bytes !== null) this.#typicalBytes += (bytes - this.#typicalBytes) / 4;
    if (speed !== null && speed > 0) this.#typicalSpeed += (speed - this.#typicalSpeed) / 4;
  }
}
