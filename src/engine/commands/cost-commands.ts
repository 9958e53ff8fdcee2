/** What videos have cost: by week, month, batch and service. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Amount } from '../../contract/amount.ts';
import type { CostGroup } from '../../contract/cost-groups.ts';
import type { CostSum, SpentSum } from '../../contract/costs.ts';
import { isDocumentedService } from '../../contract/service-cost.ts';
import { DOCUMENTED_API } from '../../contract/service-profile.ts';
import type { ChargedUnit } from '../jobs/ledger.ts';
import { calendarOf, isoDate } from '../pacing/calendar.ts';
import { estimateOne } from '../profiles/cost.ts';
import type { Needs } from './command-context.ts';
import type { TableRow } from './exported-table.ts';
import type { Commands } from './handlers.ts';

/** Units that are read at a time, so that the queue is not blocked. */
const AT_A_TIME = 2000;

/** Moments of one quarter of an hour are on one day in every time zone. */
const QUARTER_MS = 900_000;

type CostContext = Needs<'store' | 'profile' | 'serviceInfo'>;

export function costCommands(context: CostContext): {
  readonly costs: Commands['activity']['costs'];
  readonly result: Commands['batches']['result'];
} {
  const { store, serviceInfo } = context;
  return {
    async costs({ by, zone = 'UTC', ...period }) {
      if (by === 'service') {
        const own = await sumsOf(context, period, () => serviceInfo.origin);
        return { sums: [...own, ...store.ledger.costsOfOthers(period)] };
      }
      const keyOf = by === 'batch' ? (unit: ChargedUnit) => String(unit.batchId) : dates(by, zone);
      const sums = await sumsOf(context, period, keyOf);
      if (by !== 'batch') return { sums: sums.toSorted((a, b) => (a.key < b.key ? -1 : 1)) };
      return {
        sums: sums.map((sum) => ({ ...sum, name: store.batches.get(Number(sum.key)).name })),
      };
    },

    async result({ batchId }) {
      const id = Number(batchId);
      store.batches.get(id);
      const [cost] = await sumsOf(context, { batchId: id }, () => batchId);
      const { videos, amounts }: SpentSum = cost ?? { videos: 0, amounts: [] };
      return { ...store.batches.result(id), cost: { videos, amounts } };
    },
  };
}

export function costColumns(by: CostGroup): readonly string[] {
  return [by, 'videos', 'amount', 'unit', 'estimated'];
}

/** The sums as rows of a table: one for each amount, or one where videos are counted. */
export function costRows(by: CostGroup, sums: readonly CostSum[]): TableRow[] {
  return sums.flatMap(({ key, name, videos, amounts }): TableRow[] => {
    const row = { [by]: name ?? key, videos };
    if (amounts.length === 0) return [{ ...row, amount: null, unit: null, estimated: null }];
    return amounts.map(({ amount, unit, currency, estimated }) => ({
      ...row,
      amount,
      unit: currency ?? unit,
      estimated: estimated ? 'yes' : 'no',
    }));
  });
}

interface Period {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly batchId?: number;
}

/** Sums by key, in the order in which the keys appear. */
async function sumsOf(
  { store, profile }: CostContext,
  period: Period,
  keyOf: (unit: ChargedUnit) => string,
): Promise<CostSum[]> {
  // The quota of the documented API counts videos: a rule for each row would say nothing.
  const hasRule = !isDocumentedService(profile.api ?? DOCUMENTED_API);
  const sums = new Map<string, Sum>();
  let after = 0;
  for (;;) {
    const units = store.ledger.charged({ ...period, after, limit: AT_A_TIME });
    for (const unit of units) {
      const key = keyOf(unit);
      const sum = sums.get(key) ?? new Sum();
      sums.set(key, sum);
      const estimate = (): Amount | null =>
        hasRule ? estimateOne(profile, store.jobs.row(unit.jobId).values) : null;
      sum.add(unit.cost, unit.cost === null ? estimate() : null);
    }
    if (units.length < AT_A_TIME) break;
    after = units.at(-1)?.id ?? after;
    await nextTurn();
  }
  return [...sums].map(([key, sum]) => ({ key, name: null, ...sum.spent }));
}

class Sum {
  #videos = 0;
  readonly #amounts = new Map<string, SpentSum['amounts'][number]>();

  get spent(): SpentSum {
    return { videos: this.#videos, amounts: [...this.#amounts.values()] };
  }

  /** @param actual what the service said, @param estimated what its profile says */
  add(actual: Amount | null, estimated: Amount | null): void {
    this.#videos += 1;
    const amount = actual ?? estimated;
    if (amount === null) return;
    const { unit, currency } = amount;
    const key = `${unit} ${currency ?? ''}`;
    const sum = this.#amounts.get(key) ?? { unit, currency, amount: 0, estimated: false };
    this.#amounts.set(key, {
      ...sum,
      amount: sum.amount + amount.amount,
      estimated: sum.estimated || actual === null,
    });
  }
}

/** The first day of the week or month of a unit, in a time zone. */
function dates(by: 'week' | 'month', zone: string): (unit: ChargedUnit) => string {
  const calendar = calendarOf(zone);
  const known = new Map<number, string>();
  return ({ at }) => {
    const quarter = Math.floor(at / QUARTER_MS);
    const found = known.get(quarter);
    if (found !== undefined) return found;
    const day = calendar.dayAt(at);
    const first =
      by === 'month' ? { ...day, day: 1 } : { ...day, day: day.day - daysSinceMonday(day) };
    const date = isoDate(first);
    known.set(quarter, date);
    return date;
  };
}

function daysSinceMonday({ year, month, day }: Parameters<typeof isoDate>[0]): number {
  return (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
}
