import type { PlannedFile } from './batch.ts';

/**
 * The file that a batch's row is in, and its number there.
 * @param files as a plan has them, in the order of their rows
 */
export function placeOfRow<File extends Pick<PlannedFile, 'rowsBefore'>>(
  files: readonly File[],
  row: number,
): { readonly file: File | undefined; readonly rowInFile: number } {
  const file = files.findLast(({ rowsBefore }) => rowsBefore < row);
  return { file, rowInFile: row - (file?.rowsBefore ?? 0) };
}
