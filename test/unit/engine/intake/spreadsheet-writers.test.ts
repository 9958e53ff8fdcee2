/** Tables as spreadsheets write them, read again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { errorsInTexts, unaccounted } from '../../../rigs/account-for-rows.ts';
import { SPREADSHEET_WRITERS, tableOf } from '../../../rigs/table-writers.ts';
import { textRows, type TextRow } from '../../../rigs/table-texts.ts';

const template = storyboardProfile.request;
const RUNS = process.env.SPOOL_SOAK === '1' ? 2000 : 100;

/** Printed with a failure; another one finds others. */
const SEED = Number(process.env.SPOOL_FUZZ_SEED ?? 34);

/** These write the quotation marks of a text as they are, as if they enclosed it. */
const LITERAL: ReadonlySet<string> = new Set([
  'Google Sheets, TSV',
  'clipboard of Excel',
  'clipboard of Google Sheets',
]);
/** Those that only a person can tell from enclosed texts are not among these. */
const BEGINNING_WITH_A_MARK = ['"Wow"', '"I love it" they said'];

describe('a table of any texts', () => {
  it.each(Object.entries(SPREADSHEET_WRITERS))('written by %s is read as it was', (name, write) => {
    fc.assert(
      fc.property(textRows, (given) => {
        const rows = LITERAL.has(name) ? withoutDoubt(given) : given;
        fc.pre(rows.length > 0);
        const written =
          name === 'Google Sheets, TSV'
            ? rows.map(([title, message]) => [oneLine(title), oneLine(message)] as const)
            : rows;
        const source = { name: 'Videos', content: write(tableOf(written)) };
        const above = name.includes('names of tables') ? 3 : 2;
        const reading = readBatch(source, template, { language: 'en' });
        expect(errorsInTexts(reading)).toEqual([]);
        expect(unaccounted(written, reading, (index) => index + above)).toEqual([]);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});

/** A row without quotation marks shows that the writer does not enclose every text. */
function withoutDoubt(rows: readonly TextRow[]): readonly TextRow[] {
  const clear = rows.filter((row) =>
    row.every((text) => !text.startsWith('"') || BEGINNING_WITH_A_MARK.includes(text)),
  );
  return clear.some((row) => row.every((text) => !text.includes('"'))) ? clear : [];
}

function oneLine(text: string): string {
  return text.replace(/[\t\n]/g, ' ').trim();
}
