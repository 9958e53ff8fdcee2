import type { Client } from '../../contract/contract.ts';
import type { QuotaDays } from '../../contract/quota-days.ts';
import type { Summary } from '../../contract/summary.ts';

/** Queued rows whose send times are read; the forecast ends with the last of them. */
const MAX_ROWS = 1000;

/** Sends that are planned in the current quota cycle. */
export interface PlannedSends {
  /** Their times in milliseconds since the epoch, earliest first. */
  readonly at: readonly number[];
  /** Whether the queue has more rows than were read, so that later sends are unknown. */
  readonly isCut: boolean;
}

/** The quota cycle's use by day, and the sends planned for the rest of it. */
export class CycleState {
  /** `null` before it was read, and without a quota. */
  days = $state.raw<QuotaDays | null>(null);
  planned = $state.raw<PlannedSends>({ at: [], isCut: false });
  /** True when reading failed and there is nothing older to show. */
  unreadable = $state(false);

  readonly #client: Client;
  /** The summary's figures that `days` was read for, or is being read for. */
  #readFor: string | null = null;
  #generation = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Reads the cycle, even if nothing has changed. */
  async open(summary: Summary | null): Promise<void> {
    this.#readFor = summary === null ? null : figuresOf(summary);
    const generation = ++this.#generation;
    try {
      const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
      const [days, planned] = await Promise.all([
        this.#client.quota.days({ zone }),
        this.#readPlanned(),
      ]);
      if (generation !== this.#generation) return;
      this.days = days;
      this.planned = planned;
      this.unreadable = false;
    } catch {
      if (generation !== this.#generation) return;
      // The next summary tries again.
      this.#readFor = null;
      this.unreadable = this.days === null;
    }
  }

  /** Reads the cycle again when the figures that it depends on have changed. */
  onSummary(summary: Summary): void {
    if (figuresOf(summary) !== this.#readFor) void this.open(summary);
  }

  async #readPlanned(): Promise<PlannedSends> {
    const { jobs, total } = await this.#client.jobs.list({
      states: ['queued'],
      archived: false,
      limit: MAX_ROWS,
    });
    const at = jobs.flatMap(({ forecast }) => (forecast.sendAt === null ? [] : [forecast.sendAt]));
    // A row that has no send time has none after it that has one.
    return {
      at: at.toSorted((a, b) => a - b),
      isCut: total > jobs.length && at.length === MAX_ROWS,
    };
  }
}

function figuresOf({ quota, counts }: Summary): string {
  const { limit, used, held, resetAt, refused } = quota ?? {};
  return [limit, used, held, resetAt, refused, counts.queued].join();
}
