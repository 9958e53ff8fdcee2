import type { PlannedFile } from './batch.ts';

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
