/**
 * The largest batch that is read. Real ones are far smaller. A larger table would take more memory
 * than a computer can spare, and more rows than a person can check.
 */
export const MAX_BATCH_BYTES = 64 * 1024 * 1024;
export const MAX_BATCH_ROWS = 100_000;
export const MAX_BATCH_COLUMNS = 1_000;
/** Cells of all rows together, empty ones included. */
export const MAX_BATCH_CELLS = 10_000_000;
/** Files that form one batch, or that wait to be checked one after another. */
export const MAX_BATCH_FILES = 100;

/** The last row that a spreadsheet can have. */
export const MAX_ROW = 1_048_576;

/** The longest text of a cell in an issue, in characters. */
export const MAX_ISSUE_CELL = 1000;
