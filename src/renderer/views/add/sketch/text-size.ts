/** Sizes are in hundredths of a picture's shorter side, as the pictures themselves are laid out. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** What a text may come to. */
export interface Setting extends Room {
  readonly largest: number;
  readonly smallest: number;
  /** A line's height, in its letters' size. */
  readonly leading: number;
}

/** The part of a letter's size that letters are wide, on the average: a little too much is right. */
const LETTER = 0.56;
/** What lines lose to words that do not fit any more. */
const RAGGED = 1.08;
const STEP = 0.96;

/** The largest size at which a text has about room enough, without any of its letters measured. */
export function textSize(
  text: string,
  { largest, smallest, leading, width, height }: Setting,
): number {
  const longestWord = Math.max(...text.split(/\s+/).map((word) => word.length));
  for (let size = largest; size > smallest; size *= STEP) {
    const lines = linesOf(text, width / (size * LETTER));
    if (lines * size * leading <= height && longestWord * size * LETTER <= width) return size;
  }
  return smallest;
}

/** Short titles stand larger than long ones. */
export function largestTitle(text: string, usual: number, short: number): number {
  return Math.max(usual, short - text.length * 0.3);
}

/** @param letters how many fit into a line */
function linesOf(text: string, letters: number): number {
  return text
    .split('\n')
    .reduce((lines, part) => lines + Math.max(1, Math.ceil((part.length * RAGGED) / letters)), 0);
}
