/** What the reader of a table knows besides the file. */
import type { ReadingChoices } from '../../../contract/table-reading.ts';

/** The column that requests use and a cell's text names as a header; `undefined` for another text. */
export type ColumnOf = (cell: string) => string | undefined;

export interface TableOptions {
  readonly choices: ReadingChoices;
  readonly columnOf: ColumnOf;
  /** The same without the user's choices of columns, which are about one sheet and lead to no other. */
  readonly columnNamed: ColumnOf;
  /** Whether requests may have the column with this header. */
  readonly isSent: (header: string) => boolean;
  /** Whether the records have every row of the file, which takes memory. */
  readonly keepsGrid?: boolean;
  /** The language in which this computer shows numbers, such as `de-DE`. */
  readonly language: string;
}
