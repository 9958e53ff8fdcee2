/**
 * Finds the encoding of a table that is neither UTF-8 nor UTF-16: the one in which its text is the
 * most probable. Probabilities are added as bits, of characters beyond ASCII only.
 */
import iconv from 'iconv-lite';
import type { Encoding } from '../../../contract/text-reading.ts';
import { DOUBLE_BYTE, doubleByteBits } from './double-byte-bits.ts';
import { SINGLE_BYTE } from './legacy-languages.ts';

/** Bytes that are looked at, from a little before the first one beyond ASCII. */
const SAMPLE = 64 * 1024;
const BEFORE = 64;

/** Bits of an encoding or language that is one place later in its list: it is used less. */
const LATER = 0.5;

export function legacyEncodingOf(bytes: Uint8Array): Encoding {
  const start = Math.max(0, bytes.findIndex((byte) => byte >= 0x80) - BEFORE);
  const sample = bytes.subarray(start, start + SAMPLE);
  const all: (readonly [Encoding, number])[] = [];
  for (const [place, encoding] of keysOf(SINGLE_BYTE).entries()) {
    const bits = singleByteBits(iconv.decode(sample, encoding), SINGLE_BYTE[encoding]);
    all.push([encoding, bits + place * LATER]);
  }
  for (const encoding of keysOf(DOUBLE_BYTE)) {
    all.push([encoding, doubleByteBits(sample, encoding)]);
  }
  return all.reduce((best, next) => (next[1] < best[1] ? next : best))[0];
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  return Object.keys(record) as Key[];
}

/** Punctuation of text that people write, and signs. */
const SYMBOLS = '’“”„‚‘–—…€£§°«»©®™•×½¼¾·¿¡\u00a0\u00ad';
const SYMBOL_BITS = Math.log2(SYMBOLS.length);
/** In languages without letters beyond ASCII, more than every second of these is an apostrophe. */
const APOSTROPHE = '’';
const APOSTROPHE_BITS = 0.7;
/** Bits of a letter in capitals, of a character that the language lacks, and of no character. */
const CAPITAL = 1.5;
const FOREIGN = 13;
const INVALID = 20;
/** Bits of a capital, a symbol, a digit or another script in the middle of a word. */
const WITHIN_WORD = 8;
/** The share of letters beyond ASCII in a text, besides symbols. */
const LETTERS = 0.75;

/** @param languages the letters of each, the most frequent first; the one that fits best counts */
function singleByteBits(text: string, languages: readonly string[]): number {
  const counts = new Map<string, number>();
  let common = 0;
  let symbols = 0;
  let apostrophes = 0;
  for (const { 0: character, index } of text.matchAll(/\P{ASCII}/gu)) {
    const before = text[index - 1] ?? '';
    const after = text[index + character.length] ?? '';
    if (SYMBOLS.includes(character)) {
      symbols += 1;
      if (character === APOSTROPHE) apostrophes += 1;
      const isWithin = isWordCharacter(before) && isWordCharacter(after);
      if (isWithin && !isWordPart(before + character + after)) common += WITHIN_WORD;
    } else if (isWordCharacter(character)) {
      const lower = character.toLowerCase();
      const folded = lower.length === 1 ? lower : character;
      counts.set(folded, (counts.get(folded) ?? 0) + 1);
      if (lower !== character) common += CAPITAL;
      if (isUnlikelyIn(before, character, after)) common += WITHIN_WORD;
    } else {
      // Boxes of DOS are in no text.
      const isNone = /[\p{Cc}\p{Co}\ufffd\u2500-\u259f]/u.test(character);
      common += isNone ? INVALID : FOREIGN;
    }
  }
  const ofLanguages = languages.map((letters, place) => {
    const ofSymbols =
      letters === ''
        ? symbols * SYMBOL_BITS + apostrophes * (APOSTROPHE_BITS - SYMBOL_BITS)
        : symbols * (SYMBOL_BITS - Math.log2(1 - LETTERS));
    return place * LATER + ofSymbols + letterBits(letters, counts);
  });
  return common + Math.min(...ofLanguages);
}

function letterBits(letters: string, counts: ReadonlyMap<string, number>): number {
  let bits = 0;
  for (const [letter, count] of counts) {
    const place = letters.indexOf(letter);
    bits += count * (place < 0 ? FOREIGN : rankBits(place, letters.length) - Math.log2(LETTERS));
  }
  return bits;
}

/** Each letter is a little rarer than the one before it: the last, fifty times rarer than the first. */
function rankBits(place: number, letters: number): number {
  const decay = Math.log(50) / letters;
  const first = (1 - Math.exp(-decay)) / (1 - Math.exp(-decay * letters));
  return (decay * place - Math.log(first)) / Math.LN2;
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{M}]/u.test(character);
}

const LATIN = /\p{Script=Latin}/u;

/** Whether a letter does not fit the characters beside it. */
function isUnlikelyIn(before: string, letter: string, after: string): boolean {
  const isCapital = letter.toLowerCase() !== letter;
  if (isCapital) {
    if (/\p{Ll}/u.test(before) || (isWordCharacter(before) && /\p{Ll}/u.test(after))) return true;
  } else if (/\p{Lu}/u.test(after)) return true;
  return LATIN.test(letter) ? /\d/.test(before + after) : LATIN.test(before) || LATIN.test(after);
}

/** Symbols within words: “it’s”, “col·lecció”, “Mo–Fr”. */
function isWordPart(part: string): boolean {
  return /^.[’\u00ad].$|^[lL]·[lL]$|^.[–—]\p{Lu}$/u.test(part);
}
