/** Tells errors from warnings. No imports at run time, so that a page loads no schema library. */
import type { BatchIssue } from './batch-issue.ts';

/** The issues that prevent a batch, or their rows, from being added. */
export function errorsAmong(issues: readonly BatchIssue[]): BatchIssue[] {
  return issues.filter(({ severity }) => severity === 'error');
}
