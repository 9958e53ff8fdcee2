/** The width of text in ems. */
export type Measure = (text: string) => number;

/** Scripts written without spaces: a line may end after any character. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const segments = new Intl.Segmenter('und', { granularity: 'word' });

/** The number of words to read, also in scripts that are written without spaces. */
export function countWords(text: string): number {
  return (text.match(/\S+/gu) ?? []).reduce((count, word) => {
    if (!UNSPACED.test(word)) return count + 1;
    return count + Array.from(segments.segment(word)).filter(({ isWordLike }) => isWordLike).length;
  }, 0);
}

/** Text that is broken only if it is wider than a line. */
interface Piece {
  text: string;
  /** Whether a space separates it from the previous piece. */
  spaced: boolean;
  width: number;
}

/** Breaks a text into lines. Measures its pieces once, for any number of widths. */
export class LineBreaker {
  readonly #paragraphs: Piece[][];
  readonly #measure: Measure;
  readonly #space: number;
  /** The width of the widest piece, in ems. */
  readonly widest: number;

  constructor(text: string, measure: Measure) {
    this.#measure = measure;
    this.#space = measure('n n') - measure('nn');
    this.#paragraphs = text
      .split(/\r\n|[\n\r\u2028\u2029]/u)
      .map((paragraph) => piecesOf(paragraph, measure));
    this.widest = Math.max(0, ...this.#paragraphs.flat().map(({ width }) => width));
  }

  /**
   * Lines of at most `width` ems: as few as possible, and then as even as possible. Wider pieces
   * are broken between characters.
   */
  balanced(width: number): string[] {
    const lines = this.#greedy(width);
    let low = width / 2;
    let high = width;
    for (let i = 0; i < 7; i++) {
      const middle = (low + high) / 2;
      if (middle >= this.widest && this.#greedy(middle).length === lines.length) high = middle;
      else low = middle;
    }
    return high === width ? lines : this.#greedy(high);
  }

  /** The number of lines of at most `width` ems. */
  count(width: number): number {
    return this.#greedy(width).length;
  }

  #greedy(width: number): string[] {
    return this.#paragraphs.flatMap((pieces) => {
      const lines: string[] = [];
      let line = '';
      let used = 0;
      for (const piece of pieces.flatMap((whole) => this.#broken(whole, width))) {
        const gap = piece.spaced && line !== '' ? this.#space : 0;
        if (line !== '' && used + gap + piece.width > width) {
          lines.push(line);
          line = piece.text;
          used = piece.width;
        } else {
          line += (gap > 0 ? ' ' : '') + piece.text;
          used += gap + piece.width;
        }
      }
      lines.push(line);
      return lines;
    });
  }

  /** The piece itself, or its parts if it is wider than a line. */
  #broken(piece: Piece, width: number): Piece[] {
    if (piece.width <= width) return [piece];
    const parts: Piece[] = [];
    for (const { segment } of graphemes.segment(piece.text)) {
      const last = parts.at(-1);
      const advance = this.#measure(segment);
      if (last && last.width + advance <= width) {
        last.text += segment;
        last.width += advance;
      } else {
        parts.push({ text: segment, spaced: piece.spaced && !last, width: advance });
      }
    }
    return parts;
  }
}

function piecesOf(paragraph: string, measure: Measure): Piece[] {
  const pieces: Piece[] = [];
  for (const word of paragraph.split(/[\s\u200b]+/u)) {
    if (word === '') continue;
    const parts = UNSPACED.test(word)
      ? Array.from(segments.segment(word), ({ segment }) => segment)
      : [word];
    parts.forEach((text, i) => pieces.push({ text, spaced: i === 0, width: measure(text) }));
  }
  return pieces;
}
