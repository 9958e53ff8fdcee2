import { batchOfGroup } from '../../contract/job-order.ts';
import type { JobList } from './job-list.svelte.ts';

/** One line of a table: a row of the list by its index, or the heading of a group. */
export type TableLine =
  | { readonly kind: 'row'; readonly index: number }
  | { readonly kind: 'section'; readonly key: string; readonly total: number }
  /** The heading of all finished batches. */
  | { readonly kind: 'finished'; readonly batches: number; readonly total: number }
  | { readonly kind: 'batch'; readonly batchId: string; readonly total: number };

export type Heading = Exclude<TableLine, { readonly kind: 'row' }>;

/** A heading, and the rows that follow it. */
interface Segment {
  /** The line of the heading. */
  readonly line: number;
  readonly heading: Heading;
  /** The first row below it, by its index in the list. */
  readonly firstRow: number;
  readonly rows: number;
}

/** The lines of a table whose rows are in groups: a heading for each group, and its rows below. */
export class GroupedLines {
  readonly #list: JobList;
  readonly #isFinishedFolded: () => boolean;
  readonly #segments: readonly Segment[] = $derived.by(() => this.#layOut());
  /** How many lines there are. */
  readonly total: number = $derived.by(() => {
    const last = this.#segments.at(-1);
    return last === undefined ? (this.#list.total ?? 0) : last.line + 1 + last.rows;
  });

  /** @param isFinishedFolded whether only the heading of all finished batches is shown */
  constructor(list: JobList, isFinishedFolded: () => boolean = () => false) {
    this.#list = list;
    this.#isFinishedFolded = isFinishedFolded;
  }

  at(line: number): TableLine {
    const segment = this.#segmentBefore((each) => each.line <= line);
    if (segment === undefined) return { kind: 'row', index: line };
    if (segment.line === line) return segment.heading;
    return { kind: 'row', index: segment.firstRow + line - segment.line - 1 };
  }

  /** The line of a row; -1 for none. */
  lineOf(row: number): number {
    if (row < 0) return -1;
    const segment = this.#segmentBefore((each) => each.firstRow <= row && each.rows > 0);
    return segment === undefined ? row : segment.line + 1 + row - segment.firstRow;
  }

  /** The line of a heading, -1 if it is gone. */
  lineOfHeading(heading: Heading): number {
    const found = this.#segments.find((each) => isSame(each.heading, heading));
    return found?.line ?? -1;
  }

  /** The row of a line, or the first one below a heading; the number of rows if none follows. */
  rowFrom(line: number): number {
    const segment = this.#segmentBefore((each) => each.line <= line);
    return segment === undefined ? line : segment.firstRow + Math.max(0, line - segment.line - 1);
  }

  #layOut(): readonly Segment[] {
    const { groups, unfolded } = this.#list.shownGroups;
    const segments: Segment[] = [];
    let [line, firstRow] = [0, 0];
    const add = (heading: Heading, rows: number): void => {
      segments.push({ line, heading, firstRow, rows });
      line += 1 + rows;
      firstRow += rows;
    };
    const finished = groups.filter(({ key }) => batchOfGroup(key) !== null);
    const hasSections = unfolded !== null;
    for (const { key, total, lines } of groups) {
      const batchId = batchOfGroup(key);
      const rows = unfolded?.includes(key) === false ? 0 : lines;
      if (batchId === null) add({ kind: 'section', key, total }, rows);
      else {
        if (hasSections && key === finished[0]?.key) {
          const all = finished.reduce((sum, each) => sum + each.total, 0);
          add({ kind: 'finished', batches: finished.length, total: all }, 0);
        }
        if (hasSections && this.#isFinishedFolded()) continue;
        add({ kind: 'batch', batchId, total }, rows);
      }
    }
    return segments;
  }

  /** The last segment that satisfies a condition, which holds for all before it. */
  #segmentBefore(isBefore: (segment: Segment) => boolean): Segment | undefined {
    return this.#segments.findLast(isBefore);
  }
}

export function isSame(one: Heading, other: Heading): boolean {
  if (one.kind === 'section') return other.kind === 'section' && other.key === one.key;
  if (one.kind === 'batch') return other.kind === 'batch' && other.batchId === one.batchId;
  return other.kind === 'finished';
}
