import type { PlannedFile } from './batch.ts';

/** The messages that name an issue's row and column, by what messages call a row. */
export const ROW_PLACES = {
  Row: 'at-row',
  Column: 'at-column',
  Entry: 'at-entry',
  Line: 'at-line',
} as const;

/** How spreadsheets call a column: `A` for 0, `AA` for 26. */
export function columnLetters(at: number): string {
  const last = String.fromCharCode(0x41 + (at % 26));
  return at < 26 ? last : `${columnLetters(Math.floor(at / 26) - 1)}${last}`;
}

/**
 * The file that contains a batch's row, and the row's number there.
 * @param files in the order of a plan
 */
export function placeOfRow<File extends Pick<PlannedFile, 'rowsBefore'>>(
  files: readonly File[],
  row: number,
): { readonly file: File | undefined; readonly rowInFile: number } {
  const file = files.findLast(({ rowsBefore }) => rowsBefore < row);
  return { file, rowInFile: row - (file?.rowsBefore ?? 0) };
}
