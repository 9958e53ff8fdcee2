/** Workbooks by LibreOffice, made of `german.fods`, in which values are shown as in German. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReadingChoices } from '../../../../src/contract/table-reading.ts';
import { textsOf } from '../../../../src/engine/intake/cell.ts';
import { readBatch, type BatchReading } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', 'rigs', 'workbooks');

function read(name: string, reading: ReadingChoices = {}): BatchReading {
  const content = readFileSync(path.join(FOLDER, name));
  return readBatch({ name, content }, storyboardProfile.request, { reading, language: 'en' });
}

function textsIn({ rows }: BatchReading): unknown[] {
  return rows.map(({ row, values }) => [
    row,
    Object.fromEntries(Object.entries(textsOf(values)).filter(([, text]) => text !== '')),
  ]);
}

describe.each([
  // In an English LibreOffice, which the other format keeps no trace of.
  ['german.xlsx', 'WAHR', [{ name: 'Videos!Liste', isHidden: false }]],
  ['german.xls', 'WAHR', []],
  ['german.ods', 'TRUE', []],
])('the workbook %s', (name, yes, namedTables) => {
  it('is read as it is shown', () => {
    const reading = read(name);
    expect(textsIn(reading)).toEqual([
      [
        5,
        {
          title: 'Preis',
          message: '19,90 €',
          subtitle: '00123',
          quote: 'Für alle',
          aspect: '1:1',
          seconds: '7.5',
          accent: '#2a6f97',
          Notiz: 'intern',
        },
      ],
      [
        6,
        {
          title: 'Termin',
          message: '24.12.2026',
          subtitle: '00123',
          quote: 'Für alle',
          // Entered as 16:9, which became a time.
          aspect: '16:9',
          seconds: '4',
          accent: '#0000ff',
        },
      ],
      [
        7,
        {
          title: 'Anteil',
          message: '12,5 %',
          // The stored value of a formula.
          subtitle: 'Nr. 00123',
          quote: 'Für alle',
          aspect: '9:16',
          seconds: '7',
        },
      ],
      [8, { title: 'Verborgen', message: 'Nicht gezeigt' }],
      [10, { title: 'Ja', message: yes, subtitle: '1.234.567,50 €', quote: 'Leerraum' }],
    ]);
    expect(reading.errors.map(({ message }) => message)).toEqual([
      'Row 9, Untertitel: “#DIV/0!” is an error of the spreadsheet, not a text.',
    ]);
    expect(reading.warnings).toEqual([]);
  });

  it('says what is hidden and what is above the table', () => {
    expect(read(name).files[0]?.reading).toMatchObject({
      sheet: 'Videos',
      sheets: [
        { name: 'Videos', isHidden: false },
        { name: 'Geheim', isHidden: true },
        { name: 'Archiv', isHidden: false },
        ...namedTables,
      ],
      headerRow: 4,
      hiddenRows: 1,
      hiddenColumns: ['Notiz'],
      leftOut: [
        { row: 1, reason: 'above-header', text: 'Frühjahrskampagne' },
        { row: 2, reason: 'above-header', text: 'Stand · 27.11.2026' },
      ],
    });
  });

  it('leaves out what is hidden, and reads another sheet, by choice', () => {
    const shown = read(name, { leaveOutHidden: true });
    expect(shown.rows.map(({ row }) => row)).toEqual([5, 6, 7, 10]);
    expect(JSON.stringify(textsIn(shown))).not.toContain('intern');
    expect(textsIn(read(name, { sheet: 'Geheim' }))).toEqual([[2, { title: 'Auf Geheim' }]]);
  });
});
