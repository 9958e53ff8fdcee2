import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from '../../../../src/engine/activity/csv.ts';

// abuse.md 25
test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tcmd', '\rcmd'])(
  'a spreadsheet does not take the text %j for a formula',
  (text) => {
    const [[cell]] = parse(csvLine([text])) as [[string]];

    expect(cell).toBe(`'${text}`);
  },
);

test('numbers stay numbers and nothing is an empty cell', () => {
  expect(csvLine([12, 0, null, 'text'])).toBe('12,0,,text\r\n');
});

test('any text comes back as it was, but for the apostrophe', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 2, maxLength: 5 }), (cells) => {
      const [read] = parse(csvLine(cells)) as [string[]];
      expect(read.map((cell) => cell.replace(/^'(?=[=+\-@\t\r])/, ''))).toEqual(
        cells.map((cell) => cell.replace(/^'(?=[=+\-@\t\r])/, '')),
      );
    }),
  );
});
