/** Finds the encoding of a table that is neither UTF-8 nor UTF-16. */
import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import type { Encoding } from '../../../contract/text-reading.ts';

/** Bytes that are looked at. */
const SAMPLE = 256 * 1024;

const SINGLE_BYTE = ['windows-1252', 'windows-1250', 'macintosh', 'cp850'] as const;

/**
 * Letters beyond ASCII of languages that are written in each encoding. A text in the right encoding
 * needs those of one language.
 */
const ALPHABETS: Readonly<Record<(typeof SINGLE_BYTE)[number], readonly string[]>> = {
  'windows-1252': western(),
  macintosh: western(),
  cp850: western(),
  'windows-1250': [
    'ąćęłńóśźż',
    'áčďéěíňóřšťúůýž',
    // Without ĺ and ŕ, which are rarer than the å and à of Western languages at their places.
    'áäčďéíľňóôšťúýž',
    'áéíóöőúüű',
    'ăâîşţ',
    'čćđšž',
  ],
};

function western(): readonly string[] {
  return [
    'äöüß',
    'àâæçèéêëîïôœùûü',
    'áéíñóúü',
    'áâãàçéêíóôõú',
    'àèéìòù',
    'äåöé',
    'æøåé',
    'áðéíóúýþæö',
    'éëïöüè',
  ];
}

/** Double-byte encodings, with the lead bytes of their most frequent characters. */
const DOUBLE_BYTE = {
  shift_jis: (lead: number) => (lead >= 0x82 && lead <= 0x83) || (lead >= 0x88 && lead <= 0x97),
  gb18030: (lead: number) => lead === 0xa3 || (lead >= 0xb0 && lead <= 0xd7),
  big5: (lead: number) => lead >= 0xa4 && lead <= 0xc6,
  'euc-kr': (lead: number) => lead >= 0xb0 && lead <= 0xc8,
} as const satisfies Partial<Record<Encoding, (lead: number) => boolean>>;

const CHARDET_NAMES: Readonly<Record<keyof typeof DOUBLE_BYTE, string>> = {
  shift_jis: 'Shift_JIS',
  gb18030: 'GB18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
};

/** The most likely encoding; of equally likely ones, the one that is used most. */
export function legacyEncodingOf(bytes: Uint8Array): Encoding {
  const sample = bytes.subarray(0, SAMPLE);
  const scores: (readonly [Encoding, number])[] = [];
  // Accents stand among ASCII letters; other scripts have whole words beyond them.
  const most = longRunShare(sample) < 0.4 ? 1 : 0.5;
  for (const encoding of SINGLE_BYTE) {
    const score = latinScore(iconv.decode(sample, encoding), ALPHABETS[encoding]);
    scores.push([encoding, Math.min(score, most)]);
  }
  scores.push(['windows-1251', cyrillicScore(iconv.decode(sample, 'windows-1251'))]);
  const guesses = new Map<string, number>(
    analyse(sample).map(({ name, confidence }) => [name, confidence]),
  );
  for (const encoding of Object.keys(DOUBLE_BYTE) as (keyof typeof DOUBLE_BYTE)[]) {
    const guess = (guesses.get(CHARDET_NAMES[encoding]) ?? 0) / 100;
    const score = doubleByteScore(sample, encoding);
    scores.push([encoding, score + (score > 0 ? guess : 0)]);
  }
  return scores.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

/** The share of runs of bytes beyond ASCII that are longer than accents of one word. */
function longRunShare(bytes: Uint8Array): number {
  let runs = 0;
  let long = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    const start = at;
    while ((bytes[at + 1] ?? 0) >= 0x80) at += 1;
    runs += 1;
    if (at - start >= 2) long += 1;
  }
  return runs === 0 ? 0 : long / runs;
}

/** What an alphabet of several languages counts, as few tables have more than one. */
const MIXED = 0.93;

/** @returns at most 1, when every character beyond ASCII fits one language; negative for nonsense */
function latinScore(text: string, alphabets: readonly string[]): number {
  const counts = new Map<string, number>();
  let all = 0;
  let penalty = 0;
  for (const { 0: character, index } of text.matchAll(/\P{ASCII}/gu)) {
    all += 1;
    const before = text[index - 1] ?? '';
    const after = text[index + character.length] ?? '';
    if (/\p{L}/u.test(character)) {
      const lower = character.toLowerCase();
      counts.set(lower, (counts.get(lower) ?? 0) + 1);
      const isInWord = /\p{Ll}/u.test(before) || (/\p{L}/u.test(before) && /\p{Ll}/u.test(after));
      if (isInWord && character !== lower) penalty += 1;
    } else if (/[“”„‚‘’–—…€£§°«»©®™•×½¼¾·¿¡\u00a0\u00ad]/.test(character)) {
      const isInWord = /\p{L}/u.test(before) && /\p{L}/u.test(after);
      counts.set('', (counts.get('') ?? 0) + 1);
      if (isInWord && !isWordPart(before + character + after)) penalty += 2;
    } else {
      penalty += /[\p{Cc}\ufffd\u2500-\u259f]/u.test(character) ? 3 : 1;
    }
  }
  if (all === 0) return 0;
  const symbols = counts.get('') ?? 0;
  const fitting = (alphabet: string): number =>
    Array.from(alphabet).reduce((sum, letter) => sum + (counts.get(letter) ?? 0), 0);
  const ofAll = [...new Set(alphabets.join(''))].join('');
  const letters = Math.max(...alphabets.map(fitting), MIXED * fitting(ofAll));
  return (letters + symbols - penalty) / all;
}

/** Symbols within words: “it’s”, “col·lecció”, “Mo–Fr”. */
function isWordPart(part: string): boolean {
  return /^.[’\u00ad].$|^[lL]·[lL]$|^.[–—]\p{Lu}$/u.test(part);
}

/** About a third of the letters of Cyrillic languages are these. */
const CYRILLIC_VOWELS = /[оеаиыяуюіїє]/gi;
const MIN_VOWELS = 0.3;

function cyrillicScore(text: string): number {
  const all = text.match(/\P{ASCII}/gu)?.length ?? 1;
  const letters = text.match(/[а-яёА-ЯЁіїєґІЇЄҐ]/gu)?.length ?? 0;
  const wrong =
    text.match(
      /[а-яё][А-ЯЁ]|[^\P{L}а-яёА-ЯЁіїєґІЇЄҐa-zA-Z]|[a-zA-Z](?=[а-яА-Я])|[а-яА-Я](?=[a-zA-Z])/gu,
    )?.length ?? 0;
  const vowels = (text.match(CYRILLIC_VOWELS)?.length ?? 0) / Math.max(1, letters);
  return (1.6 * (letters * Math.min(1, vowels / MIN_VOWELS) - 2 * wrong)) / all;
}

/** Leads of Chinese characters that Korean syllables do not have. */
const isBeyondHangul = (lead: number): boolean => lead >= 0xc9 && lead <= 0xd7;
/** A Chinese text has about two of five such leads. */
const MIN_BEYOND_HANGUL = 0.1;

/** @returns at most 1, when every character is a frequent one; negative for invalid bytes */
function doubleByteScore(bytes: Uint8Array, encoding: keyof typeof DOUBLE_BYTE): number {
  const decoded = iconv.decode(bytes, encoding);
  const all = decoded.match(/\P{ASCII}/gu)?.length ?? 1;
  const unlikely = decoded.match(/[\ufffd\p{Co}\p{Cc}\uff61-\uff9f\u3400-\u4dbf]/gu);
  const strange = unlikely?.filter((character) => !/[\r\n\t]/.test(character)).length ?? 0;
  // One that took a letter of a Latin word with it.
  const within = decoded.match(/[a-z]\P{ASCII}(?=[a-z])/gu)?.length ?? 0;
  const isFrequent = DOUBLE_BYTE[encoding];
  let frequent = 0;
  let beyondHangul = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    if (isFrequent(lead)) frequent += 1;
    if (isBeyondHangul(lead)) beyondHangul += 1;
    at += 1;
  }
  const isHangul = encoding === 'gb18030' && beyondHangul < MIN_BEYOND_HANGUL * all;
  return (frequent - 4 * strange - 2 * within) / all - (isHangul ? 0.5 : 0);
}
