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
import { LAST_SAVED_ROWS, orderBy } from './list-order.ts';
import type { Store } from './store.ts';

/** A group, and where its jobs are. */
interface Group extends JobGroup {
  readonly part: ListPart;
}

interface GroupedQuery extends JobQuery {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

/** The condition that a job has a line, and its values; `undefined`: every job has one. */
type HasLine = Pick<ListPart, 'where' | 'values'> | undefined;

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
    /** The jobs that a line stands for besides its own, by the id of that. */
    readonly folded: ReadonlyMap<number, readonly JobRow[]>;
    readonly groups: JobGroup[];
  } {
    const groups = this.#groups(query);
    const listed = unfoldedOf(groups, query);
    const { jobs } = this.#store;
    const ids = this.#idsIn(listed, query);
    const folded = this.#foldedInto(ids, query);
    return {
      total: listed.reduce((sum, { lines }) => sum + lines, 0),
      rows: jobs.inThisOrder(ids),
      folded: new Map(Array.from(folded, ([id, others]) => [id, jobs.inThisOrder(others)])),
      groups: groups.map(({ key, total, lines }) => ({ key, total, lines })),
    };
  }

  /** The ids of the jobs that the lines stand for; with `oneALine`, of the first of each line. */
  ids(query: GroupedQuery & { readonly oneALine?: boolean | undefined }): number[] {
    const ids = this.#idsIn(unfoldedOf(this.#groups(query), query), query);
    if (query.oneALine === true) return ids;
    const folded = this.#foldedInto(ids, query);
    return ids.flatMap((id) => [id, ...(folded.get(id) ?? [])]);
  }

  /** The jobs that each of these lines stands for besides its own. */
  #foldedInto(
    ids: readonly number[],
    { grouping, unfoldedRows }: GroupedQuery,
  ): ReadonlyMap<number, readonly number[]> {
    return grouping !== 'sections' || unfoldedRows === undefined
      ? new Map()
      : this.#store.jobs.foldedInto(ids, unfoldedRows);
  }

  #idsIn(groups: readonly Group[], { offset = 0, limit = Infinity }: GroupedQuery): number[] {
    const ids: number[] = [];
    let start = 0;
    for (const { part, lines } of groups) {
      const from = Math.max(0, offset - start);
      const missing = Math.min(lines - from, limit - ids.length);
      if (missing > 0) ids.push(...this.#store.jobs.idsIn(part, from, missing));
      start += lines;
    }
    return ids;
  }

  #groups(query: GroupedQuery): readonly Group[] {
    return query.grouping === 'batches' ? this.#batches(query) : this.#sections(query);
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
        const part = { where: sql, values, orderBy: LAST_SAVED_ROWS };
        const total = counts.get(id) ?? 0;
        return group(batchGroup(String(id)), { total, lines: total, part });
      });
  }

  #sections({ batchId, unfoldedRows }: JobQuery): Group[] {
    const { jobs, batches } = this.#store;
    const counts = batchId === undefined ? jobs.counts.total : jobs.counts.of(Number(batchId));
    const count = (states: readonly JobState[], of = counts): number =>
      states.reduce((sum, state) => sum + of[state], 0);
    const folded = unfoldedRows === undefined ? [] : jobs.countFolded(unfoldedRows, batchId);
    const countFolded = (states: readonly JobState[], of: number | null = null): number =>
      folded
        .filter((each) => states.includes(each.state) && (of === null || each.batchId === of))
        .reduce((sum, each) => sum + each.count, 0);
    const hasLine = unfoldedRows === undefined ? undefined : lineCondition(unfoldedRows);
    const unsent = count(SECTION_STATES.next);
    const beside = this.#besideLastInCycle(unsent);
    const next = beside.next === null ? 0 : this.#countUnsent(unsent, batchId, beside.next);
    const unsentLines = unsent - countFolded(SECTION_STATES.next);
    const nextLines =
      unsentLines === unsent || beside.next === null
        ? next
        : this.#countUnsent(unsentLines, batchId, beside.next, hasLine);
    const sizeOf = (states: readonly JobState[]) => {
      const total = count(states);
      return { total, lines: total - countFolded(states) };
    };
    const sizes: Readonly<Record<QueueSection, Size>> = {
      now: sizeOf(SECTION_STATES.now),
      attention: sizeOf(SECTION_STATES.attention),
      ...unsentSizes({ total: unsent, lines: unsentLines }, { total: next, lines: nextLines }),
    };
    const finished = batches
      .all()
      .filter(({ id }) => batchId === undefined || String(id) === batchId)
      .toReversed();
    return [
      ...QUEUE_SECTIONS.flatMap((section) => {
        const side = section === 'next' || section === 'later' ? beside[section] : undefined;
        const part = sectionPart(SECTION_STATES[section], batchId, side ?? undefined, hasLine);
        return group(section, { ...sizes[section], part });
      }),
      ...finished.flatMap(({ id }) => {
        const total = count(SECTION_STATES.finished, jobs.counts.of(id));
        const lines = total - countFolded(SECTION_STATES.finished, id);
        const part = sectionPart(SECTION_STATES.finished, String(id), undefined, hasLine);
        return group(batchGroup(String(id)), { total, lines, part });
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

  #countUnsent(
    all: number,
    batchId: string | undefined,
    beside: Beside | undefined,
    hasLine?: HasLine,
  ): number {
    if (beside === undefined) return all;
    return this.#store.jobs.countIn(sectionPart(SECTION_STATES.next, batchId, beside, hasLine));
  }
}

type Size = Pick<JobGroup, 'total' | 'lines'>;

/** A section in which no video has a line counts in the other one, which has their rows' lines. */
function unsentSizes(all: Size, next: Size): Readonly<Record<'next' | 'later', Size>> {
  const later = { total: all.total - next.total, lines: all.lines - next.lines };
  const none = { total: 0, lines: 0 };
  if (next.lines === 0) return { next: none, later: all };
  return later.lines === 0 ? { next: all, later: none } : { next, later };
}

/** @param unfoldedRows the rows whose videos have a line each */
function lineCondition(unfoldedRows: readonly string[]): HasLine {
  return {
    where: ' AND (folded_into IS NULL OR row_id IN (SELECT value FROM json_each(?)))',
    values: [JSON.stringify(unfoldedRows.map(Number))],
  };
}

function sectionPart(
  states: readonly JobState[],
  batchId: string | undefined,
  beside?: Beside,
  hasLine: HasLine = { where: '', values: [] },
): ListPart {
  const { sql, values: matching } = jobConditions({ batchId, archived: false });
  const where = sql + hasLine.where;
  const values = [...matching, ...hasLine.values];
  if (beside === undefined) return { where, values, states, orderBy: orderBy() };
  const { is, job } = beside;
  return {
    states,
    where: `${where} AND (-job.priority, job.position) ${is} (?, ?)`,
    values: [...values, -job.priority, job.position],
    orderBy: orderBy(),
  };
}

function group(key: string, of: Omit<Group, 'key'>): Group[] {
  return of.total === 0 ? [] : [{ key, ...of }];
}

function unfoldedOf(groups: readonly Group[], { unfolded }: JobQuery): readonly Group[] {
  return unfolded === undefined ? groups : groups.filter(({ key }) => unfolded.includes(key));
}
