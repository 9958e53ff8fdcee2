/** The longest piece of a cell that a message quotes, in characters. */
const QUOTED = 40;

/** A cell's text as a message quotes it: on one line, and shortened. */
export function quotable(text: string): string {
  // Cut first: a cell may be as large as its file.
  const line = text.slice(0, 4 * QUOTED).replace(/\s+/g, ' ');
  return line.length <= QUOTED ? line : `${line.slice(0, QUOTED).toWellFormed()}…`;
}
