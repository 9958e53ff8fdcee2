/** Tables of any texts in workbooks that LibreOffice writes. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { errorsInTexts, unaccounted } from '../../../rigs/account-for-rows.ts';
import { convert, libreOffice, LIBREOFFICE_MISSING } from '../../../rigs/libreoffice.ts';
import { AWKWARD_TEXTS, textRows, type TextRow } from '../../../rigs/table-texts.ts';
import { flatWorkbook, tableOf } from '../../../rigs/table-writers.ts';

/** Printed with a failure; another one finds others. */
const SEED = Number(process.env.SPOOL_FUZZ_SEED ?? 34);
const TABLES = 60;

const isMissing = libreOffice === undefined;

/** Separated by semicolons, in quotation marks where they are texts, as UTF-8. */
const GERMAN_CSV = 'csv:Text - txt - csv (StarCalc):59,34,76,1,,0,true';

const tables = [
  AWKWARD_TEXTS.map((text): TextRow => [text, `About ${text}`]),
  ...fc.sample(textRows, { numRuns: TABLES, seed: SEED }).map(withoutTabs),
];

const name = 'a workbook of texts by LibreOffice';

describe.skipIf(isMissing)(isMissing ? `${name}: ${LIBREOFFICE_MISSING}` : name, () => {
  it.each(['xlsx', 'xls', 'ods', 'fods'] as const)('as %s is read as it was', async (format) => {
    const [content = Buffer.of()] = await convert([flatWorkbook(tables.map(tableOf))], format);
    for (const [at, rows] of tables.entries()) expectRows(content, rows, String(at + 1));
  });

  it.each(['xlsx', 'xls', 'ods'] as const)(
    'as %s is read as the one that tests keep',
    async (format) => {
      const folder = path.join(import.meta.dirname, '..', '..', '..', 'rigs', 'workbooks');
      const document = readFileSync(path.join(folder, 'german.fods'), 'utf8');
      const [now, kept] = [
        ...(await convert([document], format)),
        readFileSync(path.join(folder, `german.${format}`)),
      ].map((content) => readBatch({ name: 'Videos', content }, storyboardProfile.request));
      expect(now).toEqual(kept);
    },
  );

  it('as CSV is read as it was', async () => {
    const some = tables.slice(0, 8);
    const files = await convert(
      some.map((rows) => flatWorkbook([tableOf(rows)])),
      GERMAN_CSV,
    );
    for (const [at, content] of files.entries()) expectRows(content, some[at] ?? []);
  });
});

function expectRows(content: Buffer, rows: readonly TextRow[], sheet?: string): void {
  const reading = readBatch({ name: 'Videos', content }, storyboardProfile.request, {
    language: 'en',
    reading: { sheet },
  });
  expect(errorsInTexts(reading)).toEqual([]);
  expect(unaccounted(rows, reading, (index) => index + 2)).toEqual([]);
}

/** LibreOffice has no tabs in cells. */
function withoutTabs(rows: readonly TextRow[]): readonly TextRow[] {
  return rows.map(([title, message]): TextRow => [
    title.replaceAll('\t', ' '),
    message.replaceAll('\t', ' '),
  ]);
}
