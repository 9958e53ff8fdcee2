import type { Clock } from '../clock.ts';
import { BandwidthLimit } from '../downloads/bandwidth.ts';

/** How much downloads may take at once. */
export interface TransferLimits {
  /** Files at the same time, 1 to 8. */
  readonly parallel: number;
  /** Of all transfers together, more than 0; `null` for no limit. */
  readonly totalBytesPerSecond: number | null;
  /** Of each transfer, more than 0; `null` for no limit. */
  readonly perTransferBytesPerSecond: number | null;
}

export const DEFAULT_TRANSFER_LIMITS: TransferLimits = {
  parallel: 2,
  totalBytesPerSecond: null,
  perTransferBytesPerSecond: null,
};

/** The limits in force, which may change while transfers run. */
export class TransferThrottle {
  readonly #clock: Clock;
  readonly #total: BandwidthLimit;
  readonly #each = new Set<BandwidthLimit>();
  #limits: TransferLimits;

  constructor(limits: TransferLimits, clock: Clock) {
    this.#clock = clock;
    this.#limits = limits;
    this.#total = new BandwidthLimit(clock, limits.totalBytesPerSecond);
  }

  get parallel(): number {
    return this.#limits.parallel;
  }

  /** Applies to transfers in flight at once; one too many is let finish. */
  set limits(limits: TransferLimits) {
    this.#limits = limits;
    this.#total.bytesPerSecond = limits.totalBytesPerSecond;
    for (const each of this.#each) each.bytesPerSecond = limits.perTransferBytesPerSecond;
  }

  /** The limits of one transfer more. Give them back when it is over. */
  begin(): readonly [own: BandwidthLimit, total: BandwidthLimit] {
    const own = new BandwidthLimit(this.#clock, this.#limits.perTransferBytesPerSecond);
    this.#each.add(own);
    return [own, this.#total];
  }

  end([own]: readonly [own: BandwidthLimit, total: BandwidthLimit]): void {
    this.#each.delete(own);
  }
}
