import type {
  ActivityEntry,
  ActivityExport,
  ActivityFilter,
  ActivityKind,
  QuotaUnit,
} from '../../contract/activity.ts';
import type { Client } from '../../contract/contract.ts';
import type { PointerReleased } from '../connection/pointer-press.ts';
import { HistoryList } from './history-list.svelte.ts';
import type { CostGroup } from '../../contract/cost-groups.ts';
import type { CostSum } from '../../contract/costs.ts';
import { spanOf, type TimeRange } from './time-range.ts';

/** The tables of the activity view: all events, what each unit of quota was used for, or sums. */
export type ActivityTable = ActivityExport['what'];

const PAGE = 200;

/** The tables and filters of the activity view. */
export class ActivityState {
  table = $state<ActivityTable>('events');
  /** Empty shows every kind. */
  kinds = $state.raw<readonly ActivityKind[]>([]);
  batchId = $state<string | null>(null);
  search = $state('');
  range = $state.raw<TimeRange>({ kind: 'all' });

  /** What costs are summed by. */
  by = $state<CostGroup>('month');
  /** `null` until they are read. */
  costs = $state.raw<readonly CostSum[] | null>(null);
  areCostsUnreadable = $state(false);
  #costsGeneration = 0;

  readonly events: HistoryList<ActivityEntry>;
  readonly units: HistoryList<QuotaUnit>;
  readonly #client: Client;
  readonly #now: () => number;

  constructor(client: Client, now: () => number, pointerReleased: PointerReleased) {
    this.#client = client;
    this.#now = now;
    this.events = new HistoryList(async (after) => {
      const { entries, next } = await client.activity.list({
        ...this.#kinds(),
        ...this.#filter(),
        ...(after === null ? {} : { after }),
        limit: PAGE,
      });
      return { entries, next };
    }, pointerReleased);
    this.units = new HistoryList(async (after) => {
      const { units, next } = await client.activity.units({
        ...this.#filter(),
        ...(after === null ? {} : { after }),
        limit: PAGE,
      });
      return { entries: units, next };
    }, pointerReleased);
  }

  /** The list of the open table. */
  get list(): HistoryList<ActivityEntry> | HistoryList<QuotaUnit> {
    return this.table === 'events' ? this.events : this.units;
  }

  sumBy(by: CostGroup): void {
    this.by = by;
    this.costs = null;
    this.open();
  }

  get isFiltered(): boolean {
    return (
      (this.table === 'events' && this.kinds.length > 0) ||
      this.batchId !== null ||
      this.search.trim() !== '' ||
      this.range.kind !== 'all'
    );
  }

  /** Reads the open table again, newest entries first. */
  open(): void {
    if (this.table === 'costs') void this.#readCosts();
    else void this.list.reload();
  }

  /** After a change of the queue. */
  refresh(): void {
    if (this.table !== 'costs') this.list.refresh();
  }

  async #readCosts(): Promise<void> {
    const generation = ++this.#costsGeneration;
    this.areCostsUnreadable = false;
    try {
      const { by } = this;
      const period = spanOf(this.range, this.#now());
      const { sums } = await this.#client.activity.costs({ by, zone: localZone(), ...period });
      if (generation === this.#costsGeneration) this.costs = sums;
    } catch {
      if (generation === this.#costsGeneration) this.areCostsUnreadable = true;
    }
  }

  show(table: ActivityTable): void {
    this.list.stop();
    this.table = table;
    this.open();
  }

  toggle(kind: ActivityKind): void {
    this.kinds = this.kinds.includes(kind)
      ? this.kinds.filter((each) => each !== kind)
      : [...this.kinds, kind];
    this.open();
  }

  showAllKinds(): void {
    this.kinds = [];
    this.open();
  }

  showBatch(batchId: string | null): void {
    this.batchId = batchId;
    this.open();
  }

  showRange(range: TimeRange): void {
    this.range = range;
    this.open();
  }

  searchFor(search: string): void {
    this.search = search;
    this.open();
  }

  showAll(): void {
    this.kinds = [];
    this.batchId = null;
    this.search = '';
    this.range = { kind: 'all' };
    this.open();
  }

  /** A file of all entries that match the filter, in pieces of text. */
  async export(format: ActivityExport['format']): Promise<readonly string[]> {
    const pieces: string[] = [];
    const kinds = this.table === 'events' ? this.#kinds() : {};
    const sums = this.table === 'costs' ? { by: this.by, zone: localZone() } : {};
    const input = { ...kinds, ...this.#filter(), ...sums, what: this.table, format };
    for await (const { text } of await this.#client.activity.export(input)) pieces.push(text);
    return pieces;
  }

  #kinds(): Pick<ActivityFilter, 'kinds'> {
    return this.kinds.length > 0 ? { kinds: [...this.kinds] } : {};
  }

  #filter(): Omit<ActivityFilter, 'kinds'> {
    const search = this.search.trim();
    return {
      ...(this.batchId === null ? {} : { batchId: this.batchId }),
      ...(search === '' ? {} : { search }),
      ...spanOf(this.range, this.#now()),
    };
  }
}

function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
