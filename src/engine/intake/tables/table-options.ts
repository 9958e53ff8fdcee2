/** What the reader of a table knows besides the file. */
import type { ReadingChoices } from '../../../contract/table-reading.ts';

export interface TableOptions {
  readonly choices: ReadingChoices;
  /** Whether a header is the name of a column that requests use. */
  readonly isKnownHeader: (header: string) => boolean;
  /** The language in which this computer shows numbers, such as `de-DE`. */
  readonly language: string;
}
