/** Makes the issues of a batch from messages. */
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { MAX_ISSUE_CELL } from '../../contract/batch-limits.ts';
import type { Failure } from '../../contract/failure.ts';
import { ROW_PLACES } from '../../contract/row-place.ts';

/** The cell that an issue is about, as its file has it, and what it should probably contain. */
export interface IssueCell {
  readonly text?: string | undefined;
  readonly fix?: string | undefined;
}

/** Messages that only say where an issue is. */
const PLACES: ReadonlySet<string> = new Set(['in-file', ...Object.values(ROW_PLACES)]);

/** An issue that prevents a row, or the whole batch, from being added. */
export function errorOf(failure: Failure, cell: IssueCell = {}): BatchIssue {
  return issueOf('error', failure, cell);
}

/** An issue that is possible and probably not meant. */
export function warningOf(failure: Failure, cell: IssueCell = {}): BatchIssue {
  return issueOf('warning', failure, cell);
}

/** Several videos of a row have the same issues of the cells that they share. */
export function withoutRepeats(issues: readonly BatchIssue[]): readonly BatchIssue[] {
  return [...new Map(issues.map((issue) => [issue.message, issue])).values()];
}

function issueOf(
  severity: BatchIssue['severity'],
  failure: Failure,
  { text, fix }: IssueCell,
): BatchIssue {
  const named = failure.says.find(({ sentence }) => !PLACES.has(sentence));
  return {
    ...failure,
    severity,
    kind: named?.sentence ?? failure.code,
    ...(text === undefined ? {} : { cell: text.slice(0, MAX_ISSUE_CELL).toWellFormed() }),
    ...(fix === undefined ? {} : { fix: { value: fix } }),
  };
}
