/** Warns of rows that are not rendered because the file has them already. */
import type { BatchIssue } from '../../contract/batch-issue.ts';
import type { BatchOptions, RowOutcome } from '../../contract/batch.ts';
import { placeOfRow } from '../../contract/row-place.ts';
import { userMessage } from '../../contract/user-message.ts';
import { warningOf } from '../intake/issues.ts';
import { inFile } from '../intake/join-files.ts';
import type { BatchReading } from '../intake/read-batch.ts';
import { cellError, rowName } from '../intake/records.ts';

export interface PerhapsRepeated {
  readonly row: number;
  readonly title: string;
  /** The first row of the file with the same request; `null` for none. */
  readonly earlier: number | null;
  readonly outcome: RowOutcome;
}

/** The most rows that are named. */
const MAX_NAMED = 1000;

/** One warning for each row that is skipped as the repetition of another, unless the user chose it. */
export function repeatedRows(
  rows: readonly PerhapsRepeated[],
  { files, units, fields, rowTemplate }: BatchReading,
  { duplicates = 'reuse', duplicateRows = {} }: BatchOptions,
): BatchIssue[] {
  const { title: name } = rowTemplate;
  const header = fields.find((field) => field.name === name)?.from ?? name;
  const named = rows.filter(
    ({ row, outcome, earlier }) =>
      earlier !== null &&
      outcome === 'duplicate-skipped' &&
      (duplicateRows[String(row)] ?? duplicates) !== 'skip',
  );
  return named.slice(0, MAX_NAMED).map(({ row, title, earlier }) => {
    const { file, rowInFile } = placeOfRow(files, row);
    const unit = units[file === undefined ? 0 : files.indexOf(file)] ?? 'Row';
    const first = placeOfRow(files, earlier ?? 0);
    const firstUnit = units[first.file === undefined ? 0 : files.indexOf(first.file)] ?? 'Row';
    const what = userMessage(firstUnit === 'Column' ? 'column-repeated' : 'row-repeated', {
      earlier: rowName(firstUnit, first.rowInFile),
    });
    const issue = warningOf(cellError(unit, rowInFile, { name, header }, what), { text: title });
    return file === undefined || files.length === 1 ? issue : inFile(issue, file);
  });
}
