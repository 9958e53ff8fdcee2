import type { Client } from '../../contract/contract.ts';
import type { QuotaDays } from '../../contract/quota-days.ts';
import type { Summary } from '../../contract/summary.ts';

/** How many rows of the queue are asked when they leave; the forecast ends with the last of them. */
const ASKED = 1000;

/** What the queue will take of the present quota cycle. */
export interface PlannedSends {
  /** When each video leaves, in milliseconds since the epoch, the earliest first. */
  readonly at: readonly number[];
  /** Whether the queue has more rows than were asked, so that nothing is known after the last. */
  readonly isCut: boolean;
}

/** The quota's cycle day by day, and what the plan says of the rest of it. */
export class CycleState {
  /** `null` before it was read, and without a quota. */
  days = $state.raw<QuotaDays | null>(null);
  planned = $state.raw<PlannedSends>({ at: [], isCut: false });
  /** True while it could not be read and nothing older is there to show. */
  unreadable = $state(false);

  readonly #client: Client;
  /** What the figures were that stand here, or are being read. */
  #readAt: string | null = null;
  #turn = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Reads it, whatever stands here. */
  async open(summary: Summary | null): Promise<void> {
    this.#readAt = summary === null ? null : figuresOf(summary);
    const turn = ++this.#turn;
    try {
      const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
      const [days, planned] = await Promise.all([this.#client.quota.days({ zone }), this.#plan()]);
      if (turn !== this.#turn) return;
      this.days = days;
      this.planned = planned;
      this.unreadable = false;
    } catch {
      if (turn !== this.#turn) return;
      // It is tried again with the next change.
      this.#readAt = null;
      this.unreadable = this.days === null;
    }
  }

  /** Reads it again when something that it depends on changed. */
  onSummary(summary: Summary): void {
    if (figuresOf(summary) !== this.#readAt) void this.open(summary);
  }

  async #plan(): Promise<PlannedSends> {
    const { jobs, total } = await this.#client.jobs.list({ states: ['queued'], limit: ASKED });
    const at = jobs.flatMap(({ forecast }) => (forecast.sendAt === null ? [] : [forecast.sendAt]));
    // A row that does not fit this cycle has no moment: behind it, none has.
    return { at: at.toSorted((a, b) => a - b), isCut: total > jobs.length && at.length === ASKED };
  }
}

function figuresOf({ quota, counts }: Summary): string {
  const { limit, used, held, resetAt, refused } = quota ?? {};
  return [limit, used, held, resetAt, refused, counts.queued].join();
}
