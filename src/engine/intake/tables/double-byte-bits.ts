/** How unlikely a text is in the encodings of East Asia, which write most characters in two bytes. */
import type { Encoding } from '../../../contract/text-reading.ts';

/** Characters whose first byte is in a range, with the bits that one of them takes. */
type Range = readonly [first: number, last: number, bits: number];

interface DoubleByte {
  readonly ranges: readonly Range[];
  /** The bytes that can be the second one. */
  readonly isSecond: (byte: number) => boolean;
  /** Characters of one byte. */
  readonly single?: Range;
}

/** Bits of a character that the language hardly uses, and of bytes that are none. */
const RARE = 20;
const INVALID = 30;
/** Bits of an ASCII letter, which other encodings count apart. */
const ASCII = 5;
/**
 * Added for a character between two ASCII letters: its second byte is probably a letter of their word.
 */
const WITHIN_WORD = 8;

const isHigh = (byte: number): boolean => byte >= 0xa1 && byte <= 0xfe;

/** The logarithm of how many characters a range has, divided by the share of a text that they are. */
export const DOUBLE_BYTE = {
  shift_jis: {
    // Hiragana, katakana, punctuation, frequent and other kanji.
    ranges: [
      [0x82, 0x82, 7.5],
      [0x83, 0x83, 9.2],
      [0x81, 0x81, 9.9],
      [0x88, 0x97, 13.5],
      [0x98, 0x9f, 18],
      [0xe0, 0xea, 18],
    ],
    isSecond: (byte) => byte >= 0x40 && byte <= 0xfc && byte !== 0x7f,
    // Katakana of half the width.
    single: [0xa1, 0xdf, 7.7],
  },
  'euc-jp': {
    ranges: [
      [0xa4, 0xa4, 7.5],
      [0xa5, 0xa5, 9.2],
      [0xa1, 0xa1, 9.9],
      [0xa3, 0xa3, 11],
      [0xb0, 0xcf, 13.5],
      [0xd0, 0xf4, 18],
    ],
    isSecond: isHigh,
  },
  gb18030: {
    ranges: [
      [0xb0, 0xd7, 12.1],
      [0xa1, 0xa1, 10.6],
      [0xa3, 0xa3, 10.6],
      [0xd8, 0xf7, 18],
    ],
    isSecond: isHigh,
  },
  big5: {
    ranges: [
      [0xa4, 0xc6, 12.6],
      [0xa1, 0xa3, 11.7],
      [0xc9, 0xf9, 18],
    ],
    isSecond: (byte) => isHigh(byte) || (byte >= 0x40 && byte <= 0x7e),
  },
  'euc-kr': {
    ranges: [
      [0xb0, 0xc8, 11.4],
      [0xa1, 0xa3, 11.8],
    ],
    isSecond: isHigh,
  },
} as const satisfies Partial<Record<Encoding, DoubleByte>>;

export function doubleByteBits(bytes: Uint8Array, encoding: keyof typeof DOUBLE_BYTE): number {
  const { ranges, isSecond, single }: DoubleByte = DOUBLE_BYTE[encoding];
  let bits = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) continue;
    if (single !== undefined && first >= single[0] && first <= single[1]) {
      bits += single[2];
      continue;
    }
    const second = bytes[at + 1] ?? 0;
    const known = ranges.find(([from, to]) => first >= from && first <= to)?.[2];
    if (isSecond(second)) bits += known ?? RARE;
    // The extensions of these encodings have more second bytes.
    else bits += second >= 0x30 ? RARE : INVALID;
    if (second < 0x80) bits -= ASCII;
    if (isLetter(bytes[at - 1]) && isLetter(bytes[at + 2])) bits += WITHIN_WORD;
    at += 1;
  }
  return bits;
}

function isLetter(byte = 0): boolean {
  const folded = byte | 0x20;
  return folded >= 0x61 && folded <= 0x7a;
}
