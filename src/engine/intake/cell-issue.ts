/** Makes the issues of cells that are found after a batch was read, named as their file names them. */
import type { BatchIssue } from '../../contract/batch-issue.ts';
import type { BatchField, PlannedFile } from '../../contract/batch.ts';
import { placeOfRow } from '../../contract/row-place.ts';
import type { UserMessage } from '../../contract/user-message.ts';
import { type ReadRow, VARIANT_SEPARATOR } from './intake-row.ts';
import type { errorOf } from './issues.ts';
import { inFile } from './join-files.ts';
import { fieldInLanguage } from './languages.ts';
import { cellError, type Records } from './records.ts';

/** What the cells of a batch are called. */
export interface HowItWasRead {
  /** In the order of their rows. */
  readonly files: readonly PlannedFile[];
  /** How errors name the rows of each file. */
  readonly units: readonly Records['unit'][];
  /** The fields of a row, and where each value comes from. */
  readonly fields: readonly BatchField[];
  /** Of its translated columns, in the order of the file; empty if none is translated. */
  readonly languages: readonly string[];
}

/** What is wrong with a cell. */
export interface CellFinding {
  /** The template's name of the column. */
  readonly column: string;
  /** The text of the cell. */
  readonly cell: string;
  readonly what: UserMessage;
}

/** @param make `errorOf` or `warningOf` */
export function cellIssue(
  make: typeof errorOf,
  { row, rowInFile, variant }: Pick<ReadRow, 'row' | 'rowInFile' | 'variant'>,
  { column, cell, what }: CellFinding,
  { fields, files, languages, units }: HowItWasRead,
): BatchIssue {
  const { file } = placeOfRow(files, row);
  const unit = units[file === undefined ? 0 : files.indexOf(file)] ?? 'Row';
  const language = languages.find((each) => variant.split(VARIANT_SEPARATOR).at(-1) === each) ?? '';
  const names = [fieldInLanguage(column, language), column];
  const { name, from } = fields.find((field) => names.includes(field.name)) ?? { name: column };
  const issue = make(cellError(unit, rowInFile, { name, header: from ?? name }, what), {
    text: cell,
  });
  return file === undefined || files.length === 1 ? issue : inFile(issue, file);
}
