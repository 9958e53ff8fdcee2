/** A civil date; months count from 1. */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export interface BillingCycle {
  /** Milliseconds since the epoch, by the service's clock. `end` is the next cycle's start. */
  readonly start: number;
  readonly end: number;
}

/** In every zone, clocks are changed at quarters of an hour. */
const QUARTER_MS = 15 * 60_000;

/**
 * When a service's billing cycles begin (service-api.md §8.3): on the billing date of each month at
 * midnight in the service's time zone, or on the month's last day if the month is too short.
 */
export class BillingCalendar {
  readonly #day: number;
  readonly #format: Intl.DateTimeFormat;
  readonly #starts = new Map<number, number>();

  /** @param zone IANA name */
  constructor(billingDate: CivilDate, zone: string) {
    this.#day = billingDate.day;
    this.#format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
  }

  cycleAt(at: number): BillingCycle {
    const date = new Date(at);
    const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
    // A zone may be in another month than UTC, and a billing date may be the month's last day.
    for (let last = month + 1; ; last -= 1) {
      const start = this.#startIn(last);
      if (start <= at) return { start, end: this.#startIn(last + 1) };
    }
  }

  /** @param index months since the year 0 */
  #startIn(index: number): number {
    const known = this.#starts.get(index);
    if (known !== undefined) return known;
    const year = Math.floor(index / 12);
    const month = (index % 12) + 1;
    const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
    const start = this.#beginningOf({ year, month, day: Math.min(this.#day, length) });
    this.#starts.set(index, start);
    return start;
  }

  /** The first moment of a day, which is not midnight if the clocks skip it. */
  #beginningOf({ year, month, day }: CivilDate): number {
    const date = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
    let at = Date.UTC(year, month - 1, day) - 14 * 3_600_000;
    while (this.#dateAt(at) < date) at += QUARTER_MS;
    return at;
  }

  #dateAt(at: number): string {
    return this.#format.format(at).slice(0, 10);
  }
}
