/** The width of text in ems. */
export type Measure = (text: string) => number;

/** Splits a word where it may be hyphenated. */
export type Hyphenate = (word: string) => readonly string[];

/** Lines of text, and how well it is broken. */
export interface BrokenText {
  readonly lines: readonly string[];
  /** 0 for even lines; 1 is about one flaw, such as a word that stands alone. */
  readonly cost: number;
  /** The part of it that hyphens cost. */
  readonly hyphenCost: number;
}

/** Scripts written without spaces: a line may end after any character. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const segments = new Intl.Segmenter('und', { granularity: 'word' });

/** Between words. A no-break space (U+00A0, U+202F) belongs to its word. */
const SPACES = /(?:[^\S\u00a0\u202f\ufeff]|\u200b)+/u;
/** A line may end after these, if letters follow: in an address, and in any other word. */
const ADDRESS = /:\/\/|^www\.|^[\w-]+(?:\.[\w-]+)+\//u;
const IN_ADDRESS = /(?<=[/?&.])(?=[^/?&.])/u;
const AFTER_HYPHEN = /(?<=\p{L}[-–/])(?=\p{L})/u;
const SOFT_HYPHEN = '\u00ad';

const PENALTIES = { loneLast: 1, shortFirst: 0.8, looseWord: 0.7, hyphen: 0.6, joint: 0.2 };
/** Where the parts of many German compounds are joined. */
const JOINT = /(?:ungs|keits|heits|schafts|ions|täts)$/iu;
/** A first line shorter than this part of the mean is a flaw. */
const SHORT_FIRST = 0.4;
/**
 * A single word in the last line, and in the first of at least three, is one if it is shorter than
 * this part of the mean.
 */
const SHORT_WORD = 0.7;
/** Words that a line should not end with: they belong to the next one. */
const LOOSE = new Set(
  [
    'a an the of in on at to for with and or by from as is my your our this that no',
    'der die das den dem des ein eine einen einem einer im in am an auf zu zum zur mit und oder',
    'von vom für bei aus als ist dr. prof. st. mr. mrs. ms. herr frau nr. no. ab ca.',
  ].flatMap((words) => words.split(' ')),
);
const ENDS_WITH_NUMBER_OR_SIGN = /^(?:[\d.,]+|[&+–-]|[№#]\d+)$/u;

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
  /** Drawn if a line ends here, but not counted in `width`. */
  hyphen: boolean;
}

/** Breaks a text into lines. Measures its pieces once, for any number of widths. */
export class LineBreaker {
  readonly #paragraphs: Piece[][];
  readonly #measure: Measure;
  readonly #hyphenate: Hyphenate;
  readonly #space: number;
  readonly #hyphen: number;
  /** The width of the widest piece, in ems. */
  readonly widest: number;

  constructor(text: string, measure: Measure, hyphenate: Hyphenate = (word) => [word]) {
    this.#measure = measure;
    this.#hyphenate = hyphenate;
    this.#space = measure('n n') - measure('nn');
    this.#hyphen = measure('-');
    this.#paragraphs = text
      .split(/\r\n|[\n\r\u2028\u2029]/u)
      .map((paragraph) => piecesOf(paragraph, measure));
    this.widest = Math.max(0, ...this.#paragraphs.flat().map(({ width }) => width));
  }

  /**
   * Lines of at most `width` ems: as few as possible, and of their breaks those with the least
   * raggedness and fewest flaws. Wider pieces are hyphenated, or broken between characters.
   */
  broken(width: number): BrokenText {
    const paragraphs = this.#paragraphs.map((pieces) => this.#best(pieces, width));
    return {
      lines: paragraphs.flatMap(({ lines }) => lines),
      cost: paragraphs.reduce((sum, { cost }) => sum + cost, 0),
      hyphenCost: paragraphs.reduce((sum, { hyphenCost }) => sum + hyphenCost, 0),
    };
  }

  /** The number of lines of at most `width` ems. */
  count(width: number): number {
    return this.#paragraphs.reduce((sum, pieces) => sum + this.#fewest(pieces, width), 0);
  }

  /** Whether a word has to be broken between characters, where no syllable ends. */
  breaksSyllables(width: number): boolean {
    return this.#paragraphs
      .flat()
      .some(
        (piece) =>
          piece.width > width &&
          this.#syllables(piece).some((part) => part.width + this.#after(part) > width),
      );
  }

  #fewest(pieces: readonly Piece[], width: number): number {
    let lines = 1;
    let used = 0;
    let isEmpty = true;
    for (const piece of pieces.flatMap((whole) => this.#partsOf(whole, width))) {
      const gap = piece.spaced && !isEmpty ? this.#space : 0;
      if (!isEmpty && used + gap + piece.width + this.#after(piece) > width) {
        lines += 1;
        used = piece.width;
      } else used += gap + piece.width;
      isEmpty = false;
    }
    return lines;
  }

  /** Finds the breaks with the least cost, from the end of the paragraph to its beginning. */
  #best(whole: readonly Piece[], width: number): BrokenText {
    const pieces = whole.flatMap((piece) => this.#partsOf(piece, width));
    const count = this.#fewest(whole, width);
    if (count <= 1) return { lines: [textOf(pieces)], cost: 0, hyphenCost: 0 };
    const total = pieces.reduce(
      (sum, piece, at) => sum + piece.width + (piece.spaced && at > 0 ? this.#space : 0),
      0,
    );
    const mean = Math.min(width, total / count);
    // Best cost of `lines` lines from the piece `from` on, and where the first of them ends.
    const best = new Map<number, { cost: number; end: number }>();
    const key = (from: number, lines: number) => lines * (pieces.length + 1) + from;
    best.set(key(pieces.length, 0), { cost: 0, end: pieces.length });
    for (let lines = 1; lines <= count; lines++) {
      for (let from = pieces.length - 1; from >= 0; from--) {
        let used = 0;
        for (let end = from + 1; end <= pieces.length; end++) {
          const piece = pieces[end - 1];
          if (!piece) break;
          used += piece.width + (piece.spaced && end - 1 > from ? this.#space : 0);
          const drawn = used + (end < pieces.length ? this.#after(piece) : 0);
          if (drawn > width && end > from + 1) break;
          const rest = best.get(key(end, lines - 1));
          if (!rest) continue;
          const cost = rest.cost + lineCost(pieces, { from, end, drawn, width, mean, count });
          if (cost < (best.get(key(from, lines))?.cost ?? Infinity)) {
            best.set(key(from, lines), { cost, end });
          }
        }
      }
    }
    const lines: string[] = [];
    let [from, hyphenCost] = [0, 0];
    for (let left = count; left > 0; left--) {
      const end = best.get(key(from, left))?.end ?? pieces.length;
      hyphenCost += hyphenCostOf(pieces, from, end);
      lines.push(textOf(pieces.slice(from, end), end < pieces.length));
      from = end;
    }
    return { lines, cost: best.get(key(0, count))?.cost ?? 0, hyphenCost };
  }

  #after({ hyphen }: Piece): number {
    return hyphen ? this.#hyphen : 0;
  }

  /** The piece itself, or its parts if it is wider than a line. */
  #partsOf(piece: Piece, width: number): Piece[] {
    if (piece.width <= width) return [piece];
    return this.#syllables(piece).flatMap((syllable) =>
      syllable.width + this.#after(syllable) <= width
        ? [syllable]
        : this.#characters(syllable, width),
    );
  }

  #syllables(piece: Piece): Piece[] {
    const parts = piece.text.includes(SOFT_HYPHEN)
      ? piece.text.split(SOFT_HYPHEN)
      : this.#hyphenate(piece.text);
    return parts.map((text, at) => ({
      text,
      width: this.#measure(text),
      spaced: piece.spaced && at === 0,
      hyphen: at < parts.length - 1,
    }));
  }

  #characters(piece: Piece, width: number): Piece[] {
    const parts: Piece[] = [];
    for (const { segment } of graphemes.segment(piece.text)) {
      const last = parts.at(-1);
      const advance = this.#measure(segment);
      if (last && last.width + advance <= width) {
        last.text += segment;
        last.width += advance;
      } else {
        const spaced = piece.spaced && !last;
        parts.push({ text: segment, spaced, width: advance, hyphen: false });
      }
    }
    return parts;
  }
}

/** Of the line of the pieces from `from` until before `end`. */
function lineCost(
  pieces: readonly Piece[],
  line: { from: number; end: number; drawn: number; width: number; mean: number; count: number },
): number {
  const { from, end, drawn, width, mean, count } = line;
  const isLast = end === pieces.length;
  const last = pieces[end - 1];
  let cost = (1 - Math.min(1, drawn / width)) ** 2;
  const isShort = drawn < SHORT_WORD * mean;
  const isLoneFirst = from === 0 && isShort && count > 2 && isOneWord(pieces.slice(0, end), 0);
  if (isLast && isShort && from > 0 && isOneWord(pieces, from)) cost += PENALTIES.loneLast;
  if (isLoneFirst || (from === 0 && !isLast && drawn < SHORT_FIRST * mean))
    cost += PENALTIES.shortFirst;
  // A syllable such as “des” is no word.
  if (!isLast && last?.hyphen === false && isLoose(last.text)) cost += PENALTIES.looseWord;
  return cost + hyphenCostOf(pieces, from, end);
}

function hyphenCostOf(pieces: readonly Piece[], from: number, end: number): number {
  if (end === pieces.length || pieces[end - 1]?.hyphen !== true) return 0;
  return JOINT.test(textOf(pieces.slice(from, end))) ? PENALTIES.joint : PENALTIES.hyphen;
}

function isOneWord(pieces: readonly Piece[], from: number): boolean {
  return !pieces.slice(from + 1).some(({ spaced }) => spaced);
}

function isLoose(text: string): boolean {
  return LOOSE.has(text.toLowerCase()) || ENDS_WITH_NUMBER_OR_SIGN.test(text);
}

/** @param isBroken whether another line follows in the same paragraph */
function textOf(pieces: readonly Piece[], isBroken = false): string {
  const text = pieces
    .map((piece, at) => (piece.spaced && at > 0 ? ' ' : '') + piece.text)
    .join('')
    .replaceAll(SOFT_HYPHEN, '');
  return isBroken && pieces.at(-1)?.hyphen === true ? `${text}-` : text;
}

function piecesOf(paragraph: string, measure: Measure): Piece[] {
  const pieces: Piece[] = [];
  for (const word of paragraph.split(SPACES)) {
    if (word === '') continue;
    partsOfWord(word).forEach((text, at) => {
      const width = measure(text.replaceAll(SOFT_HYPHEN, ''));
      pieces.push({ text, spaced: at === 0, width, hyphen: false });
    });
  }
  return pieces;
}

function partsOfWord(word: string): readonly string[] {
  if (UNSPACED.test(word)) return Array.from(segments.segment(word), ({ segment }) => segment);
  return word.split(ADDRESS.test(word) ? IN_ADDRESS : AFTER_HYPHEN);
}
