import { z } from 'zod';
import type { QuotaDays } from '../../contract/quota-days.ts';
import type { Quota } from '../../contract/summary.ts';
import type { Clock } from '../clock.ts';
import type { Ledger } from '../jobs/ledger.ts';
import type { Notes } from '../jobs/notes.ts';
import type { PlanQuota } from '../pacing/planner.ts';
import { quotaDays } from '../pacing/quota-days.ts';
import {
  cycleOf,
  openLedger,
  PLAN_QUOTAS,
  quotaLeft,
  type CycleAnchor,
  type QuotaLedger,
} from '../pacing/quota.ts';

/** The account's plan (service-api.md §8.3). */
export interface PlanOptions {
  readonly name: string;
  /** Videos a month; the named plan's own number when left out. */
  readonly limit?: number;
  /** A day on which the quota resets (Free: the sign-up day), milliseconds since the epoch. */
  readonly anchor: number;
  /** IANA name of the time zone in which billing days begin; UTC when left out. */
  readonly zone?: string;
}

/** What the user or the service has said about one cycle; worth nothing in the next. */
const heardSchema = z.object({
  cycleStart: z.number(),
  /** Used elsewhere, according to the user; negative when less was used than was counted here. */
  correction: z.int(),
  refused: z.boolean(),
});

const NOTE = 'quota';

const planLimits: Readonly<Record<string, number>> = PLAN_QUOTAS;

/**
 * The quota of the present cycle: what the ledger counted, what the user corrected and what the
 * service refused, put together as pacing wants it.
 */
export class QuotaBook {
  #plan: PlanOptions;
  readonly #ledger: Ledger;
  readonly #notes: Notes;
  readonly #clock: Clock;

  constructor(plan: PlanOptions, ledger: Ledger, notes: Notes, clock: Clock) {
    this.#plan = plan;
    this.#ledger = ledger;
    this.#notes = notes;
    this.#clock = clock;
  }

  /** Holds from now on; the cycle that it makes this one to be is counted anew from the ledger. */
  set plan(plan: PlanOptions) {
    this.#plan = plan;
  }

  /** For the planner and the scheduler. */
  get quota(): PlanQuota {
    return { ledger: this.#current(), anchor: this.#anchor(), zone: this.#zone() };
  }

  /** Videos that can still be asked for in this cycle. */
  get left(): number {
    return quotaLeft(this.#current());
  }

  get resetAt(): number {
    return this.#current().cycleEnd;
  }

  view(): Quota {
    const { limit, used, held, correction, cycleEnd, refused } = this.#current();
    return {
      plan: this.#plan.name,
      limit,
      used: Math.max(0, used + correction),
      held,
      resetAt: cycleEnd,
      refused,
    };
  }

  /** The service said that nothing is left; it knows better than our count. */
  refuse(): void {
    if (!this.#current().refused) {
      this.#ledger.hear({ at: this.#clock.now(), used: null, difference: 0 });
    }
    this.#hear({ refused: true });
  }

  /** The user looked it up. Ends a refusal, if it leaves anything. */
  correct(used: number): void {
    const now = this.#current();
    const correction = used - now.used;
    this.#ledger.hear({ at: this.#clock.now(), used, difference: correction - now.correction });
    this.#hear({
      correction,
      refused: now.refused && used + now.held >= now.limit,
    });
  }

  /** The present cycle day by day. @param zone IANA name of the zone in which days are counted */
  days(zone: string): QuotaDays {
    const { limit, cycleStart: start, cycleEnd: end } = this.#current();
    const words = this.#ledger.heard(start, end);
    return {
      cycle: { start, end },
      limit,
      days: quotaDays(this.#ledger.spentUnits(start, end), start, this.#clock.now(), zone),
      corrections: words.flatMap(({ at, used, difference }) =>
        used === null ? [] : [{ at, used, difference }],
      ),
      refusedAt: words.find(({ used }) => used === null)?.at ?? null,
    };
  }

  #anchor(): CycleAnchor {
    return {
      kind: this.#plan.name === 'free' ? 'signup' : 'billing',
      date: new Date(this.#plan.anchor).toISOString().slice(0, 10),
    };
  }

  #zone(): string {
    return this.#plan.zone ?? 'UTC';
  }

  #current(): QuotaLedger {
    const cycle = cycleOf(this.#anchor(), this.#clock.now(), this.#zone());
    const limit = this.#plan.limit ?? planLimits[this.#plan.name] ?? PLAN_QUOTAS.free;
    const { charged, held } = this.#ledger.spent(cycle.start, cycle.end);
    const heard = this.#notes.read(NOTE, heardSchema);
    const ledger = { ...openLedger(limit, cycle), used: charged, held };
    if (heard?.cycleStart !== cycle.start) return ledger;
    return { ...ledger, correction: heard.correction, refused: heard.refused };
  }

  #hear(news: Partial<z.infer<typeof heardSchema>>): void {
    const { cycleStart, correction, refused } = this.#current();
    this.#notes.write(NOTE, { cycleStart, correction, refused, ...news });
  }
}
