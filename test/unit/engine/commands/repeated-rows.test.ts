/** Rows of a turned table are named by their columns. */
import { expect, it } from 'vitest';
import { repeatedRows } from '../../../../src/engine/commands/repeated-rows.ts';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

it.each([
  ['title,One,One\nmessage,a,a\n', true, 'Column C, title: the same video as in column B.'],
  ['title,message\nOne,a\nOne,a\n', false, 'Row 3, title: the same video as in row 2.'],
])('names the first row with the same video: %j', (content, turn, message) => {
  const options = { reading: { turn } };
  const reading = readBatch({ name: 'a.csv', content }, storyboardProfile.request, options);
  const rows = [{ row: 3, title: 'One', earlier: 2, outcome: 'duplicate-skipped' as const }];
  expect(repeatedRows(rows, reading, {}).map((issue) => issue.message)).toEqual([
    `${message} It is rendered once.`,
  ]);
});
