/** Lists of jobs that are divided into groups, page by page. */
import {
  batchGroup,
  QUEUE_SECTIONS,
  SECTION_STATES,
  type QueueSection,
} from '../../contract/job-order.ts';
import type { JobGroup, JobQuery } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-states.ts';
import { jobConditions } from './job-conditions.ts';
import type { JobRow } from './job-row.ts';
import type { ListPart } from './job-reader.ts';
import { orderBy } from './list-order.ts';
import type { Store } from './store.ts';

/** A group, and where its jobs are. */
interface Group extends JobGroup {
  readonly part: ListPart;
}

interface GroupedQuery extends JobQuery {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

/** Of the queue's order, the part up to a job, or after it. */
interface Beside {
  readonly is: '<=' | '>';
  readonly job: Pick<JobRow, 'priority' | 'position'>;
}

/** Reads lists with groups. */
export class JobGroups {
  readonly #store: Pick<Store, 'jobs' | 'batches'>;
  readonly #lastInCycle: () => number | null | undefined;

  /** @param lastInCycle the last job before the section `later`, see `Forecasts.lastInCycle` */
  constructor(
    store: Pick<Store, 'jobs' | 'batches'>,
    lastInCycle: () => number | null | undefined,
  ) {
    this.#store = store;
    this.#lastInCycle = lastInCycle;
  }

  page(query: GroupedQuery): {
    readonly total: number;
    readonly rows: readonly JobRow[];
    readonly groups: JobGroup[];
  } {
    const groups = this.#groups(query);
    const listed = unfoldedOf(groups, query);
    return {
      total: listed.reduce((sum, { total }) => sum + total, 0),
      rows: this.#store.jobs.inThisOrder(this.#idsIn(listed, query)),
      groups: groups.map(({ key, total }) => ({ key, total })),
    };
  }

  ids(query: GroupedQuery): number[] {
    return this.#idsIn(unfoldedOf(this.#groups(query), query), query);
  }

  #idsIn(groups: readonly Group[], { offset = 0, limit = Infinity }: GroupedQuery): number[] {
    const ids: number[] = [];
    let start = 0;
    for (const { part, total } of groups) {
      const from = Math.max(0, offset - start);
      const missing = Math.min(total - from, limit - ids.length);
      if (missing > 0) ids.push(...this.#store.jobs.idsIn(part, from, missing));
      start += total;
    }
    return ids;
  }

  #groups(query: GroupedQuery): readonly Group[] {
    return query.grouping === 'batches' ? this.#batches(query) : this.#sections(query.batchId);
  }

  #batches({ batchId, states, alsoDownloadingAgain, archived, search }: JobQuery): Group[] {
    const { jobs, batches } = this.#store;
    const filter = { batchId, states, alsoDownloadingAgain, archived, search };
    const counts = jobs.countByBatch(filter);
    return batches
      .all()
      .toReversed()
      .flatMap(({ id }) => {
        const { sql, values } = jobConditions({ ...filter, batchId: String(id) });
        const part = { where: sql, values, orderBy: orderBy({ by: 'when', descending: true }) };
        return group(batchGroup(String(id)), counts.get(id) ?? 0, part);
      });
  }

  #sections(batchId: string | undefined): Group[] {
    const { jobs, batches } = this.#store;
    const counts = batchId === undefined ? jobs.counts.total : jobs.counts.of(Number(batchId));
    const count = (states: readonly JobState[], of = counts): number =>
      states.reduce((sum, state) => sum + of[state], 0);
    const unsent = count(SECTION_STATES.next);
    const beside = this.#besideLastInCycle(unsent);
    const next = beside.next === null ? 0 : this.#countUnsent(unsent, batchId, beside.next);
    const totals: Readonly<Record<QueueSection, number>> = {
      now: count(SECTION_STATES.now),
      attention: count(SECTION_STATES.attention),
      next,
      later: unsent - next,
    };
    const finished = batches
      .all()
      .filter(({ id }) => batchId === undefined || String(id) === batchId)
      .toReversed();
    return [
      ...QUEUE_SECTIONS.flatMap((section) => {
        const side = section === 'next' || section === 'later' ? beside[section] : undefined;
        const part = sectionPart(SECTION_STATES[section], batchId, side ?? undefined);
        return group(section, totals[section], part);
      }),
      ...finished.flatMap(({ id }) => {
        const total = count(SECTION_STATES.finished, jobs.counts.of(id));
        return group(
          batchGroup(String(id)),
          total,
          sectionPart(SECTION_STATES.finished, String(id)),
        );
      }),
    ];
  }

  /** Where the unsent jobs are divided; `null` for a side that has none, `undefined` for all. */
  #besideLastInCycle(unsent: number): Record<'next' | 'later', Beside | null | undefined> {
    const last = unsent === 0 ? undefined : this.#lastInCycle();
    if (last === undefined) return { next: undefined, later: null };
    const job = last === null ? null : this.#store.jobs.find(last);
    if (job === null) return { next: null, later: undefined };
    return { next: { is: '<=', job }, later: { is: '>', job } };
  }

  #countUnsent(all: number, batchId: string | undefined, beside: Beside | undefined): number {
    if (beside === undefined) return all;
    return this.#store.jobs.countIn(sectionPart(SECTION_STATES.next, batchId, beside));
  }
}

function sectionPart(
  states: readonly JobState[],
  batchId: string | undefined,
  beside?: Beside,
): ListPart {
  const { sql, values } = jobConditions({ batchId, states, archived: false });
  if (beside === undefined) return { where: sql, values, orderBy: orderBy() };
  const { is, job } = beside;
  return {
    where: `${sql} AND (-job.priority, job.position) ${is} (?, ?)`,
    values: [...values, -job.priority, job.position],
    orderBy: orderBy(),
  };
}

function group(key: string, total: number, part: ListPart): Group[] {
  return total === 0 ? [] : [{ key, total, part }];
}

function unfoldedOf(groups: readonly Group[], { unfolded }: JobQuery): readonly Group[] {
  return unfolded === undefined ? groups : groups.filter(({ key }) => unfolded.includes(key));
}
