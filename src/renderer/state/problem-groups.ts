/** Errors of a batch's rows: one after the other, and equal ones together. */
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { errorsAmong } from '../../contract/errors-among.ts';
import type { BatchPlan } from '../../contract/batch.ts';

export type RowProblem = BatchIssue & { readonly row: number };

/** Where an error is: `column` is the name of its field. */
export interface ProblemPlace {
  readonly row: number;
  readonly column: string | undefined;
}

/** Errors with the same cell, column and kind: one correction can fix all of them. */
export interface ProblemGroup {
  readonly key: string;
  /** In the order of the file. */
  readonly rows: readonly number[];
  readonly first: RowProblem;
}

/** In the order of the file. */
export function rowProblems({ issues }: Pick<BatchPlan, 'issues'>): readonly RowProblem[] {
  return errorsAmong(issues).flatMap((issue) =>
    issue.row === undefined ? [] : [{ ...issue, row: issue.row }],
  );
}

/** The largest group first. */
export function problemGroups(problems: readonly RowProblem[]): readonly ProblemGroup[] {
  const groups = Map.groupBy(problems, keyOf);
  return [...groups]
    .flatMap(([key, group]): ProblemGroup[] => {
      const [first] = group;
      const rows = [...new Set(group.map(({ row }) => row))];
      return first === undefined ? [] : [{ key, first, rows }];
    })
    .sort((one, other) => other.rows.length - one.rows.length);
}

/** The error after one, from the last to the first; the first one after `null`. */
export function problemAfter(
  problems: readonly RowProblem[],
  place: ProblemPlace | null,
): RowProblem | undefined {
  if (place === null) return problems[0];
  // A cell may have several, such as two files that are missing.
  const here = problems.findLastIndex(
    ({ row, column }) => row === place.row && column === place.column,
  );
  const next =
    here === -1 ? problems.findIndex(({ row }) => row >= place.row) : (here + 1) % problems.length;
  return problems[Math.max(next, 0)];
}

function keyOf({ kind, column, cell, row, says }: RowProblem): string {
  // Without a cell, the message may be about this row alone.
  return JSON.stringify(
    cell === undefined && column === undefined ? [row, says] : [kind, column, cell],
  );
}
