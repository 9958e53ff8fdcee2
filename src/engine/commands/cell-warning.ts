/** Warns of a text in a cell of a table, named as its file names it. */
import type { BatchIssue } from '../../contract/batch-issue.ts';
import { placeOfRow } from '../../contract/row-place.ts';
import type { UserMessage } from '../../contract/user-message.ts';
import { warningOf } from '../intake/issues.ts';
import { inFile } from '../intake/join-files.ts';
import type { BatchReading } from '../intake/read-batch.ts';
import { cellError } from '../intake/records.ts';
import type { ReadRow } from '../intake/intake-row.ts';

export type HowItWasRead = Pick<BatchReading, 'fields' | 'files' | 'units' | 'rowTemplate'>;

export function cellWarning(
  row: Pick<ReadRow, 'row' | 'rowInFile'>,
  column: string,
  what: UserMessage,
  text: string,
  { fields, files, units }: HowItWasRead,
): BatchIssue {
  const { file } = placeOfRow(files, row.row);
  const unit = units[file === undefined ? 0 : files.indexOf(file)] ?? 'Row';
  const header = fields.find(({ name }) => name === column)?.from ?? column;
  const issue = warningOf(cellError(unit, row.rowInFile, { name: column, header }, what), { text });
  return file === undefined || files.length === 1 ? issue : inFile(issue, file);
}
