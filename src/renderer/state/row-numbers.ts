/** Lists of row numbers, in ascending order. */

export function withRows(rows: readonly number[], added: readonly number[]): readonly number[] {
  return [...new Set([...rows, ...added])].sort((one, other) => one - other);
}

export function withoutRows(
  rows: readonly number[],
  removed: readonly number[],
): readonly number[] {
  const gone = new Set(removed);
  return rows.filter((row) => !gone.has(row));
}
