import type {
  BatchField,
  FaultyRow,
  OwnTemplate,
  PlannedFile,
  SampleRow,
} from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';

/** One row of a batch, read, checked and turned into the request that will be sent. */
export interface IntakeRow {
  /** Which no other row of the batch has; with one file, `rowInFile`. */
  readonly row: number;
  /** As a spreadsheet numbers it: the header is row 1. */
  readonly rowInFile: number;
  /** Its place among the batch's rows that are not empty, faulty ones included, from 1 on. */
  readonly index: number;
  readonly title: string;
  /** Every cell by its column's name, for file names and the record. */
  readonly cells: Readonly<Record<string, string>>;
  /** The request body as it will go over the wire, byte for byte. */
  readonly body: string;
  /** SHA-256 of `body` in lower-case hex: two rows with the same one ask for the same video. */
  readonly bodySha256: string;
  /** What render times are learned by: rows with the same preset take about as long. */
  readonly preset: string;
}

/** A batch as it was read. Rows with faults are not in `rows`; nothing of it may be sent then. */
export interface BatchReading {
  readonly name: string;
  /** In the order of their rows. */
  readonly files: readonly PlannedFile[];
  /** Under the template's names where they are for one of its columns. */
  readonly columns: readonly string[];
  /** Under the file's own names. */
  readonly fileColumns: readonly string[];
  /** What a row can say, and from where it is taken. */
  readonly fields: readonly BatchField[];
  /** The first rows of the file, faulty ones among them, and the one that was to be shown. */
  readonly samples: readonly SampleRow[];
  /** What requests are made of. */
  readonly template: OwnTemplate;
  readonly rows: readonly IntakeRow[];
  /** How many of its rows are not empty. */
  readonly rowCount: number;
  readonly faults: readonly Failure[];
  /** Those rows of `faults` that say anything, by what they say. */
  readonly faultyRows: readonly FaultyRow[];
}
