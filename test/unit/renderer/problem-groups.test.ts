import { expect, it } from 'vitest';
import type { BatchIssue } from '../../../src/contract/batch-issue.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import {
  problemAfter,
  problemGroups,
  rowProblems,
} from '../../../src/renderer/state/problem-groups.ts';

function issue(row: number | undefined, column?: string, cell?: string): BatchIssue {
  return {
    code: 'value-invalid',
    ...userMessage('cell-not-number', { text: cell ?? '' }),
    severity: 'error',
    kind: 'cell-not-number',
    ...(row === undefined ? {} : { row }),
    ...(column === undefined ? {} : { column }),
    ...(cell === undefined ? {} : { cell }),
  };
}

const problems = rowProblems({
  issues: [
    issue(undefined, 'title'),
    issue(2, 'accent', 'blau'),
    issue(3, 'seconds', 'long'),
    issue(3, 'accent', 'blau'),
    { ...issue(4, 'title', '?????'), severity: 'warning' },
    issue(5, 'accent', 'rot'),
    issue(7),
    issue(8),
  ],
});

it('counts equal errors of a column as one, the most frequent first', () => {
  expect(
    problemGroups(problems).map(({ first, rows }) => [first.column, first.cell, rows]),
  ).toEqual([
    ['accent', 'blau', [2, 3]],
    ['seconds', 'long', [3]],
    ['accent', 'rot', [5]],
    [undefined, undefined, [7]],
    [undefined, undefined, [8]],
  ]);
});

it.each([
  ['the first error', null, [2, 'accent']],
  ['the next error of the same row', { row: 3, column: 'seconds' }, [3, 'accent']],
  ['the error of a later row', { row: 3, column: 'accent' }, [5, 'accent']],
  ['another error of a row whose error was fixed', { row: 3, column: 'title' }, [3, 'seconds']],
  ['the next error after a row without one', { row: 4, column: undefined }, [5, 'accent']],
  ['the first error after the last one', { row: 8, column: undefined }, [2, 'accent']],
  ['the first error after the last row', { row: 90, column: undefined }, [2, 'accent']],
])('goes to %s', (_what, place, next) => {
  const found = problemAfter(problems, place);
  expect([found?.row, found?.column]).toEqual(next);
});

it('leaves a cell with several errors, and counts its row once', () => {
  const missing = rowProblems({
    issues: [
      issue(2, 'pictures', 'a | b'),
      issue(2, 'pictures', 'a | b'),
      issue(4, 'accent', 'rot'),
    ],
  });
  expect(problemAfter(missing, { row: 2, column: 'pictures' })?.row).toBe(4);
  expect(problemGroups(missing).map(({ rows }) => rows)).toEqual([[2], [4]]);
});

it('goes nowhere without errors', () => {
  expect(problemAfter([], { row: 3, column: undefined })).toBeUndefined();
});
