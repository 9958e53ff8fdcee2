import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from '../../../../src/engine/csv-line.ts';

// abuse.md 25
test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tcmd', '\rcmd'])(
  'the text %j is not a formula in a spreadsheet',
  (text) => {
    const [[cell]] = parse(csvLine([text])) as [[string]];

    expect(cell).toBe(`'${text}`);
  },
);

// abuse.md 25
test.each([
  ['a;=1+1;b', "a;'=1+1;b"],
  ['a; "=1+1', 'a; "\'=1+1'],
  ['a|-1\t@x\n=y', "a|'-1\t'@x\n'=y"],
  ['a؛=1', "a؛'=1"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['−1', "'−1"],
  ['\u200b=1', "\u200b'=1"],
  ['a = 1 + 1, -5', 'a = 1 + 1, -5'],
])('the text %j is no formula in any language’s spreadsheet', (text, neutral) => {
  const [[cell]] = parse(csvLine([text])) as [[string]];

  expect(cell).toBe(neutral);
});

// abuse.md 25
test('no cell begins with a formula character, whatever the separator and with or without quotes', () => {
  const sign = fc.constantFrom(...Array.from('=+-@＝＋－＠﹦−'));
  const other = fc.constantFrom(...Array.from(';|\t\r\n"\', \u00a0\u200bab؛،\u2028'));
  const cell = fc.string({ unit: fc.oneof(sign, other, fc.string({ unit: 'grapheme' })) });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), (cells) => {
      const line = csvLine(cells).slice(0, -2);
      const asWritten: string[][] = parse(`${line}\r\n`, { relax_column_count: true });
      const withOther = line.split(/[;|\t\r\n\u2028؛،]/);
      for (const found of [...asWritten.flat(), ...withOther]) {
        expect(found.replace(/^[\s\p{Cf}"]+/u, '')).not.toMatch(/^[=+\-@＝＋－＠﹦﹢﹣﹫−]/);
      }
    }),
    { numRuns: 2000 },
  );
});

// abuse.md 25
test.each([
  ['/videos/Offer; -50 %; +1 (2).mp4', '/videos/Offer; -50 %; +1 (2).mp4'],
  ['C:\\Videos\\a;=1+1.mp4', 'C:\\Videos\\a;=1+1.mp4'],
  ['/videos/a;=WEBSERVICE(B2).mp4', "/videos/a;'=WEBSERVICE(B2).mp4"],
  ['/videos/a; =WEBSERVICE (B2).mp4', "/videos/a; '=WEBSERVICE (B2).mp4"],
  ['=1+1/a.mp4', "'=1+1/a.mp4"],
])('the path %j is written as it is unless it could call a function', (path, written) => {
  const [[cell]] = parse(csvLine([{ path }])) as [[string]];

  expect(cell).toBe(written);
});

// abuse.md 36
test('controls are replaced, tabs and line breaks are not', () => {
  expect(csvLine(['a\u001b[31mb\u0000\u009bc'])).toBe('a\ufffd[31mb\ufffd\ufffdc\r\n');
  expect(csvLine(['a\tb\nc'])).toBe('"a\tb\nc"\r\n');
});

test('numbers stay numbers and null is an empty cell', () => {
  expect(csvLine([12, 0, null, 'text'])).toBe('12,0,,text\r\n');
});

test('any text is read back unchanged, except for apostrophes', () => {
  const withoutApostrophes = (cells: string[]): string[] =>
    cells.map((cell) => cell.replaceAll("'", ''));
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 2, maxLength: 5 }), (cells) => {
      const [read] = parse(csvLine(cells)) as [string[]];
      expect(withoutApostrophes(read)).toEqual(withoutApostrophes(cells));
    }),
  );
});
