/** What spreadsheets leave in cells: understood where it is certain, otherwise named with a fix. */
import { describe, expect, test } from 'vitest';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import type { CellValue } from '../../../../src/engine/intake/cell.ts';

/** A quoted cell of a CSV file. */
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function read(column: string, text: string): ReturnType<typeof readBatch> {
  const content =
    column === 'title' ? `title\n${cell(text)}\n` : `title,${column}\nA,${cell(text)}\n`;
  return readBatch({ name: 'a.csv', content }, storyboardProfile.request);
}

function valueOf(column: string, text: string): CellValue | undefined {
  const { errors, rows } = read(column, text);
  expect(errors).toEqual([]);
  const field = column.startsWith('P') || column.startsWith('H') ? 'accent' : column;
  return new Map(rows[0]?.values).get(field);
}

const UNDERSTOOD: readonly (readonly [column: string, text: string, value: CellValue])[] = [
  ['aspect', '1:01', '1:1'],
  ['aspect', '4:05', '4:5'],
  ['aspect', '9:16:00', '9:16'],
  ['aspect', '16:09:00', '16:9'],
  ['aspect', '9:16:00 AM', '9:16'],
  ['aspect', '09:16 AM', '9:16'],
  ['aspect', '4:09 PM', '16:9'],
  ['aspect', '09.16', '9:16'],
  ['aspect', '16x9', '16:9'],
  ['aspect', '9/16', '9:16'],
  ['aspect', '16∶9', '16:9'],
  ['aspect', '16 : 9', '16:9'],
  ['aspect', '0.386111111111111', '9:16'],
  ['aspect', 'Square', '1:1'],
  ['aspect', '16:9 (landscape)', '16:9'],
  ['aspect', '9_16', '9:16'],
  ['seconds', '7,5', 7.5],
  ['seconds', '4,5', 4.5],
  ['seconds', '3s', 3],
  ['seconds', '4 sec', 4],
  ['seconds', '15 Sekunden', 15],
  ['seconds', '0:04', 4],
  ['seconds', '0:15', 15],
  ['seconds', '00:00:15', 15],
  ['seconds', '1:30', 90],
  ['seconds', '1 min', 60],
  ['seconds', '１５', 15],
  ['seconds', '7\u00a0', 7],
  ['seconds', '15.0', 15],
  ['seconds', '+7', 7],
  ['seconds', '="00012"', 12],
  ['resolution', '1,080', 1080],
  ['resolution', '1080.0', 1080],
  ['resolution', '4K', 2160],
  ['resolution', 'Full HD', 1080],
  ['resolution', '1080 px', 1080],
  ['accent', 'FFB020', '#ffb020'],
  ['accent', '0x00FF00', '#00ff00'],
  ['accent', 'rgb(255;176;32)', '#ffb020'],
  ['accent', '#ffb020ff', '#ffb020'],
  ['accent', '000000', '#000000'],
  ['accent', 'red', '#ff0000'],
  ['accent', 'Blau', '#0000ff'],
  ['accent', 'dunkel-grün', '#006400'],
  ['Primary color', '#123', '#112233'],
  ['Hauptfarbe', '#123', '#112233'],
  ['message', '="00123"', '00123'],
  ['message', '="say ""hi"""', 'say "hi"'],
  ['title', "'-20% today", '-20% today'],
  ['title', "'=Best", '=Best'],
  ['message', "'@home", '@home'],
  ['message', "'+1", '+1'],
  ['message', "'00123", '00123'],
  ['message', "'90s party", "'90s party"],
  ['message', "'24", "'24"],
  ['message', "'quoted'", "'quoted'"],
  ['message', 'One_x000D_\nTwo', 'One\nTwo'],
  ['message', 'One_x000a_Two', 'One\nTwo'],
  ['title', '-20% today', '-20% today'],
  ['title', '=Best', '=Best'],
  ['title', '+49 89 1234', '+49 89 1234'],
  ['title', '#WOW!', '#WOW!'],
  ['title', '#1', '#1'],
];

test.each(UNDERSTOOD)('%s: “%s” is understood', (column, text, value) => {
  expect(valueOf(column, text)).toEqual(value);
});

const NAMED: readonly (readonly [
  column: string,
  text: string,
  kind: string,
  fix: string | null,
])[] = [
  ['message', '#N/A', 'cell-is-error-value', null],
  ['title', '#REF!', 'cell-is-error-value', null],
  ['message', '#NAME?', 'cell-is-error-value', null],
  ['seconds', '#DIV/0!', 'cell-is-error-value', null],
  ['title', '#WERT!', 'cell-is-error-value', null],
  ['message', '#BEZUG!', 'cell-is-error-value', null],
  ['message', '#NV', 'cell-is-error-value', null],
  ['message', '#VALEUR!', 'cell-is-error-value', null],
  ['message', '#¿NOMBRE?', 'cell-is-error-value', null],
  ['message', 'Err:502', 'cell-is-error-value', null],
  ['message', '########', 'cell-too-narrow', null],
  ['title', '=CONCAT(A2;" sale")', 'cell-is-formula', null],
  ['message', '=B2&" today"', 'cell-is-formula', null],
  ['message', '=Tabelle1!A1', 'cell-is-formula', null],
  ['message', '=5', 'cell-is-formula', '5'],
  ['aspect', '4:05 PM', 'cell-not-one-of', '4:5'],
  ['aspect', '16-Sep', 'cell-not-one-of', '9:16'],
  ['aspect', '16. Sep', 'cell-not-one-of', '16:9'],
  ['aspect', '2:3', 'cell-not-one-of', null],
  ['aspect', '16:9 (film)', 'cell-not-one-of', '16:9'],
  ['aspect', '0.5625', 'cell-not-one-of', '9:16'],
  ['aspect', 'not 16:9, but 9:16', 'cell-not-one-of', null],
  ['aspect', '1080x1920', 'cell-not-one-of', '9:16'],
  ['aspect', '1.78', 'cell-not-one-of', '16:9'],
  ['seconds', '12:00:15 AM', 'cell-not-number', '15'],
  ['seconds', '12:15 AM', 'cell-not-number', '15'],
  ['seconds', '00:15:00', 'cell-not-number', '15'],
  ['seconds', '15:00', 'cell-not-between', '15'],
  ['seconds', '04. Mai', 'cell-not-number', '4.5'],
  ['seconds', '1E+1', 'cell-not-number', '10'],
  ['seconds', '1,500', 'cell-not-number', '1.5'],
  ['seconds', '1.500,5', 'cell-not-between', null],
  ['seconds', '1 500', 'cell-not-between', null],
  ['seconds', '1\u202f500,5', 'cell-not-between', null],
  ['seconds', '1’500.50', 'cell-not-between', null],
  ['seconds', '−5', 'cell-not-between', null],
  ['seconds', 'soon', 'cell-not-number', null],
  ['fps', '29.97', 'cell-not-whole', '30'],
  ['resolution', '1920x1080', 'cell-not-one-of', '1080'],
  ['resolution', '1920 × 1080 px', 'cell-not-one-of', '1080'],
  ['accent', '1E+05', 'cell-not-colour', null],
  ['accent', 'fff', 'cell-not-colour', '#ffffff'],
  ['accent', '12345', 'cell-not-colour', '#012345'],
  ['accent', '#ffb02080', 'cell-not-colour', '#ffb020'],
  ['accent', 'rgb(300,0,0)', 'cell-not-colour', null],
];

test.each(NAMED)('%s: “%s” is an error of its cell', (column, text, kind, fix) => {
  const { errors } = read(column, text);
  expect(errors).toEqual([
    expect.objectContaining({ severity: 'error', kind, row: 2, column, cell: text }),
  ]);
  expect(errors[0]?.fix?.value ?? null).toBe(fix);
});

test.each(NAMED.filter(([, , , fix]) => fix !== null))(
  '%s: the fix of “%s” ends the issue',
  (column, _text, _kind, fix) => {
    expect(read(column, fix ?? '').errors).toEqual([]);
  },
);

describe('JSON, which no spreadsheet writes,', () => {
  test.each(["'=Best", '#N/A', '=SUM(A1)'])('keeps “%s” as a text', (title) => {
    const content = JSON.stringify([{ title }]);
    const { errors, rows } = readBatch({ name: 'a.json', content }, storyboardProfile.request);
    expect(errors).toEqual([]);
    expect(rows[0]?.title).toBe(title);
  });
});
