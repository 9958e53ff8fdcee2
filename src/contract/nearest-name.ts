/** In more mistakes than one for each of so many letters, a text is another word. */
const LETTERS_PER_MISTAKE = 4;

/**
 * The one of `names` that was probably meant; `null` when none is close. It has the same first
 * letter, which people rarely mistake.
 */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const [nearest] = names
    .filter((name) => name.startsWith(typed.slice(0, 1)))
    .map((name) => ({
      name,
      distance: name.startsWith(typed) ? 0 : editDistance(typed, name),
    }))
    .sort((one, other) => one.distance - other.distance);
  if (nearest === undefined) return null;
  const allowed = Math.floor(typed.length / LETTERS_PER_MISTAKE);
  return nearest.distance <= allowed ? nearest.name : null;
}

/** Letters to insert, remove or replace (Levenshtein). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 0; index < one.length; index++) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at++) {
      const replaced = (row[at] ?? 0) + (one[index] === other[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
