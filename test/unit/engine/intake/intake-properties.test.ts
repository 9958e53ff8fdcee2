import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { canonicalJson } from '../../../../src/engine/intake/request-body.ts';
import { readBatch, type BatchReading } from '../../../../src/engine/intake/read-batch.ts';
import { findArtefact, spreadsheetText } from '../../../../src/engine/intake/spreadsheet-cell.ts';
import { isVisible } from '../../../../src/engine/intake/tables/cell-visibility.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { anyText } from '../../../rigs/any-text.ts';

const template = storyboardProfile.request;
const names = ['batch.csv', 'batch.tsv', 'batch.json', 'batch.jsonl', 'Pasted'];

/** Text that a cell can hold: no unpaired surrogates, no NUL, trimmed. */
const cell = fc
  .string({ unit: 'grapheme', maxLength: 60 })
  .map((text) => text.replaceAll('\0', '').trim())
  // What is left out are characters of a damaged text, and what a spreadsheet writes for a text.
  .filter((text) => text.isWellFormed() && !/[\ufffd\u0080-\u009f]/.test(text))
  .filter((text) => findArtefact(text) === null && spreadsheetText(text) === text);
const title = cell.filter(isVisible);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function messages(content: string): string[] {
  return readBatch({ name: 'batch.csv', content }, template).rows.map(({ body }) => {
    const { scenes } = JSON.parse(body) as { scenes: { text?: string }[] };
    return scenes[1]?.text ?? '';
  });
}

describe('any table', () => {
  test('no text makes reading throw, and every row that is read is a request in canonical JSON', () => {
    const text = fc.oneof(
      anyText({ maxLength: 400 }),
      fc
        .array(
          fc.constantFrom('title', ',', ';', '\t', '\n', '\r', '"', '{', '}', '[', ']', 'a', '|'),
        )
        .map((pieces) => pieces.join('')),
      fc.json().map((json) => `[${json}]`),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), text, (name, content) => {
        const { rows, errors } = readBatch({ name, content }, template);
        for (const { body } of rows) {
          const request = z.json().parse(JSON.parse(body));
          expect(request).toHaveProperty('title');
          expect(canonicalJson(request)).toBe(body);
        }
        expect(rows.length + errors.length).toBeGreaterThan(0);
      }),
      { numRuns: 400 },
    );
  });

  test.each([',', ';', '\t'])('cells separated by “%s” are read unchanged', (delimiter) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(title, cell), { minLength: 1, maxLength: 8 }), (rows) => {
        const lines = rows.map((row) => row.map(quoted).join(delimiter));
        const content = [`title${delimiter}message`, ...lines].join('\r\n');

        // A cell in which nothing can be seen is empty.
        expect(messages(content)).toEqual(
          rows.map(([, message]) => (isVisible(message) ? message : '')),
        );
      }),
      { numRuns: 150 },
    );
  });

  test('a table and the same rows in JSON give the same requests', () => {
    // A text does not contain the mark with which a file begins.
    const text = cell.filter((each) => !each.includes('\ufeff'));
    const row = fc.record({ title: text.filter(isVisible), message: text, by: text });
    const sameRequests = (rows: readonly { title: string; message: string; by: string }[]) => {
      const table = [
        'by,title,message',
        ...rows.map((it) => [it.by, it.title, it.message].map(quoted).join(',')),
      ].join('\n');
      const hashes = (reading: BatchReading, above: number): [row: number, hash: string][] =>
        reading.rows.map(({ rowInFile, bodySha256 }) => [rowInFile - above, bodySha256]);
      const inJson = hashes(
        readBatch({ name: 'a.json', content: JSON.stringify(rows) }, template),
        0,
      );
      const inTable = readBatch({ name: 'a.csv', content: table }, template);
      const leftOut = inTable.files[0]?.reading?.leftOut ?? [];

      // A table may have a row of units or a line that is drawn, which is named and can be kept.
      const isNamed = new Set(leftOut.map(({ row: number }) => number - 1));
      expect(hashes(inTable, 1)).toEqual(inJson.filter(([number]) => !isNamed.has(number)));
      if (leftOut.length === 0) return;
      const keepRows = leftOut.map(({ row: number }) => number);
      const kept = readBatch({ name: 'a.csv', content: table, reading: { keepRows } }, template);
      expect(hashes(kept, 1)).toEqual(inJson);
    };
    fc.assert(fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), sameRequests), {
      numRuns: 150,
      examples: [
        [[{ title: 'One', message: '\uffa0', by: '' }]],
        [
          [
            { title: '$', message: '', by: '' },
            { title: 'One', message: '', by: '' },
          ],
        ],
        [[{ title: '|\t+', message: '', by: '' }]],
      ],
    });
  });

  test('an error names a row and a column that exist', () => {
    const anything = fc.tuple(cell, cell, cell);
    fc.assert(
      fc.property(fc.array(anything, { minLength: 1, maxLength: 6 }), (rows) => {
        const content = [
          'title,seconds,accent',
          ...rows.map((cells) => cells.map(quoted).join(',')),
        ].join('\n');

        for (const error of readBatch({ name: 'a.csv', content }, template).errors) {
          if (error.code !== 'value-invalid') continue;
          expect(error.message.startsWith(`Row ${error.row}, ${error.column}: `)).toBe(true);
          expect(error.row).toBeLessThanOrEqual(rows.length + 1);
        }
      }),
      { numRuns: 150 },
    );
  });
});
