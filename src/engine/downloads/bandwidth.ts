import type { Clock } from '../clock.ts';

/** A bucket holds this much time's worth of bytes, so that a limit is also kept over short spans. */
const BURST_MS = 250;
/** A limit that changes while a transfer waits is noticed within this time. */
const LOOK_AGAIN_MS = 250;

/**
 * A limit on bytes a second, shared by all transfers that are given the same instance: one for
 * each transfer, one for all of them together.
 */
export class BandwidthLimit {
  readonly #clock: Clock;
  #rate: number | null;
  #tokens = 0;
  #paid = 0;
  #filledAt: number;

  /** @param bytesPerSecond more than 0, or `null` for no limit. */
  constructor(clock: Clock, bytesPerSecond: number | null) {
    this.#clock = clock;
    this.#rate = bytesPerSecond;
    this.#filledAt = clock.monotonic();
  }

  /** Changes the limit, for transfers in flight as well. */
  set bytesPerSecond(rate: number | null) {
    this.#fill();
    this.#rate = rate;
  }

  get bytesPerSecond(): number | null {
    return this.#rate;
  }

  /** The most bytes worth taking at once under this limit. */
  get burstBytes(): number {
    return this.#rate === null ? Infinity : Math.max(1, Math.floor((this.#rate * BURST_MS) / 1000));
  }

  /**
   * Resolves once `bytes` may have been received. They are paid for at once, so that those who
   * come later wait behind; the bucket may go into debt, which bounds the error to one batch.
   */
  async pay(bytes: number, signal: AbortSignal): Promise<void> {
    this.#fill();
    this.#paid += bytes;
    this.#tokens -= bytes;
    const turn = this.#paid;
    for (;;) {
      this.#fill();
      // What others owe who came later is not waited for.
      const debt = turn - this.#paid - this.#tokens;
      if (this.#rate === null || debt <= 0) return;
      await this.#clock.sleep(Math.min(LOOK_AGAIN_MS, (debt / this.#rate) * 1000), signal);
    }
  }

  #fill(): void {
    const now = this.#clock.monotonic();
    if (this.#rate === null) this.#tokens = 0;
    else {
      const earned = (this.#rate * (now - this.#filledAt)) / 1000;
      this.#tokens = Math.min(this.burstBytes, this.#tokens + earned);
    }
    this.#filledAt = now;
  }
}

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

/** The downloads of one service, which take slots. */
export interface SlotTaker {
  /** Called when a slot may be free for it. */
  readonly wake: () => void;
}

/**
 * The limits in force, which may change while transfers run, and the slots of the transfers. Services
 * share them: one that was refused a slot has its turn before one that had a slot since.
 */
export class TransferThrottle {
  readonly #clock: Clock;
  readonly #total: BandwidthLimit;
  readonly #each = new Set<BandwidthLimit>();
  /** Those that were refused a slot, longest ago first. */
  readonly #waiting = new Set<SlotTaker>();
  #taken = 0;
  #limits: TransferLimits;

  constructor(limits: TransferLimits, clock: Clock) {
    this.#clock = clock;
    this.#limits = limits;
    this.#total = new BandwidthLimit(clock, limits.totalBytesPerSecond);
  }

  /** Applies to transfers in flight at once; one too many is let finish. */
  set limits(limits: TransferLimits) {
    this.#limits = limits;
    this.#total.bytesPerSecond = limits.totalBytesPerSecond;
    for (const each of this.#each) each.bytesPerSecond = limits.perTransferBytesPerSecond;
    this.#wakeNext();
  }

  /**
   * Whether there is a slot and no other service waits longer for one. If not, `taker` is woken when
   * there is, and must then take the slot or withdraw: the others wait for that.
   */
  requestSlot(taker: SlotTaker): boolean {
    const [next = taker] = this.#waiting;
    if (this.#taken < this.#limits.parallel && next === taker) return true;
    this.#waiting.add(taker);
    return false;
  }

  /** Takes the slot that `requestSlot` found. Release it when the transfer is over. */
  takeSlot(taker: SlotTaker): void {
    this.#waiting.delete(taker);
    this.#taken += 1;
    this.#wakeNext();
  }

  releaseSlot(): void {
    this.#taken -= 1;
    this.#wakeNext();
  }

  /** It has nothing to transfer at the moment. */
  withdraw(taker: SlotTaker): void {
    if (this.#waiting.delete(taker)) this.#wakeNext();
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

  #wakeNext(): void {
    const [next] = this.#waiting;
    if (this.#taken < this.#limits.parallel) next?.wake();
  }
}
