import type { Clock } from '../clock.ts';

/** A bucket holds this much time's worth of bytes, so that a limit also holds over short spans. */
const BURST_MS = 250;
/** A transfer that made no progress for this time stalls. */
const STALLED_AFTER_MS = 30_000;
/** Fewer bytes are no progress, unless the user has limited the bandwidth. */
const MIN_PROGRESS_BYTES = 16 * 1024;
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

  readonly #onReceived: ((bytes: number) => void) | undefined;

  /** @param bytesPerSecond more than 0, or `null` for no limit. */
  constructor(clock: Clock, bytesPerSecond: number | null, onReceived?: (bytes: number) => void) {
    this.#clock = clock;
    this.#onReceived = onReceived;
    this.#rate = bytesPerSecond;
    this.#filledAt = clock.monotonic();
  }

  /** Changes the limit, for transfers in flight as well. */
  set bytesPerSecond(rate: number | null) {
    this.#fill();
    this.#rate = rate;
  }

  /** The most bytes worth taking at once under this limit. */
  get burstBytes(): number {
    return this.#rate === null ? Infinity : Math.max(1, Math.floor((this.#rate * BURST_MS) / 1000));
  }

  /**
   * Resolves once `bytes` may have been received. They are deducted at once, so that later callers
   * wait their turn; the bucket may become negative, which bounds the error to one batch.
   */
  async pay(bytes: number, signal: AbortSignal): Promise<void> {
    this.#onReceived?.(bytes);
    this.#fill();
    this.#paid += bytes;
    this.#tokens -= bytes;
    const turn = this.#paid;
    for (;;) {
      this.#fill();
      // Debt of later callers is not waited for.
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

/** The downloads of one service, which request slots. */
export interface SlotTaker {
  /** Called when a slot may be free for it. */
  readonly wake: () => void;
}

export interface TransferSlot {
  readonly limits: readonly BandwidthLimit[];
  /** The transfer is over. */
  release(): void;
}

interface HeldSlot {
  readonly taker: SlotTaker;
  readonly own: BandwidthLimit;
  /** When enough had arrived last, or when it was taken. */
  progressAt: number;
  received: number;
}

/**
 * The limits in force, which may change while transfers run, and the slots of the transfers.
 * Services share the slots: one that was refused a slot goes before one that has had a slot since.
 * A slot whose transfer stalls does not count for other services, since it uses no bandwidth; when
 * it continues, there is one transfer too many until one of them ends.
 */
export class TransferThrottle {
  readonly #clock: Clock;
  readonly #total: BandwidthLimit;
  readonly #held = new Set<HeldSlot>();
  /** Those that were refused a slot, longest ago first. */
  readonly #waiting = new Set<SlotTaker>();
  #limits: TransferLimits;

  constructor(limits: TransferLimits, clock: Clock) {
    this.#clock = clock;
    this.#limits = limits;
    this.#total = new BandwidthLimit(clock, limits.totalBytesPerSecond);
  }

  /** Applies to transfers in flight at once; if there is one too many, it may finish. */
  set limits(limits: TransferLimits) {
    this.#limits = limits;
    this.#total.bytesPerSecond = limits.totalBytesPerSecond;
    for (const { own } of this.#held) own.bytesPerSecond = limits.perTransferBytesPerSecond;
    this.#wakeNext();
  }

  /**
   * Milliseconds after which to ask again: 0 when there is a slot and no other service has waited
   * longer for one. The caller must then take it or call `stopWaiting`, because others wait for that.
   * Otherwise `taker` is woken if a slot becomes free earlier.
   */
  requestSlot(taker: SlotTaker): number {
    const next = [...this.#waiting].find((each) => this.#hasSlotFor(each)) ?? taker;
    if (next === taker && this.#hasSlotFor(taker)) return 0;
    this.#waiting.add(taker);
    const others = [...this.#held].filter((slot) => slot.taker !== taker);
    const untilStalled = others.map((slot) => STALLED_AFTER_MS - this.#idleMs(slot));
    return Math.min(...untilStalled.filter((ms) => ms > 0), Infinity);
  }

  /** Takes the slot that `requestSlot` found. */
  takeSlot(taker: SlotTaker): TransferSlot {
    this.#waiting.delete(taker);
    const own = new BandwidthLimit(this.#clock, this.#limits.perTransferBytesPerSecond, (bytes) =>
      this.#received(slot, bytes),
    );
    const slot = { taker, own, progressAt: this.#clock.monotonic(), received: 0 };
    this.#held.add(slot);
    this.#wakeNext();
    const release = (): void => {
      if (this.#held.delete(slot)) this.#wakeNext();
    };
    return { limits: [own, this.#total], release };
  }

  /** `taker` has nothing to transfer at the moment. */
  stopWaiting(taker: SlotTaker): void {
    if (this.#waiting.delete(taker)) this.#wakeNext();
  }

  #hasSlotFor(taker: SlotTaker): boolean {
    const counted = [...this.#held].filter(
      (slot) => slot.taker === taker || this.#idleMs(slot) < STALLED_AFTER_MS,
    );
    return counted.length < this.#limits.parallel;
  }

  #received(slot: HeldSlot, bytes: number): void {
    const { perTransferBytesPerSecond: each, totalBytesPerSecond: total } = this.#limits;
    slot.received += bytes;
    if (slot.received < MIN_PROGRESS_BYTES && each === null && total === null) return;
    slot.received = 0;
    slot.progressAt = this.#clock.monotonic();
  }

  #idleMs({ progressAt }: HeldSlot): number {
    return this.#clock.monotonic() - progressAt;
  }

  #wakeNext(): void {
    [...this.#waiting].find((each) => this.#hasSlotFor(each))?.wake();
  }
}
