/** Finds the encoding of a table that is neither UTF-8 nor UTF-16. */
import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import type { Encoding } from '../../../contract/table-reading.ts';

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
    'áäčďéíĺľňóôŕšťúýž',
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
  // Accents stand alone among ASCII letters; other scripts have longer runs.
  if (runShare(sample) < 0.5) {
    for (const encoding of SINGLE_BYTE) {
      scores.push([encoding, latinScore(iconv.decode(sample, encoding), ALPHABETS[encoding])]);
    }
  } else {
    scores.push(['windows-1251', cyrillicScore(iconv.decode(sample, 'windows-1251'))]);
    const guesses = new Map<string, number>(
      analyse(sample).map(({ name, confidence }) => [name, confidence]),
    );
    for (const encoding of Object.keys(DOUBLE_BYTE) as (keyof typeof DOUBLE_BYTE)[]) {
      const guess = (guesses.get(CHARDET_NAMES[encoding]) ?? 0) / 100;
      scores.push([encoding, doubleByteScore(sample, encoding) + guess]);
    }
    for (const encoding of SINGLE_BYTE) {
      const score = latinScore(iconv.decode(sample, encoding), ALPHABETS[encoding]);
      scores.push([encoding, Math.min(score, 0.5)]);
    }
  }
  return scores.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

/** The share of bytes beyond ASCII that stand beside another one. */
function runShare(bytes: Uint8Array): number {
  let high = 0;
  let beside = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    high += 1;
    if ((bytes[at - 1] ?? 0) >= 0x80 || (bytes[at + 1] ?? 0) >= 0x80) beside += 1;
  }
  return high === 0 ? 0 : beside / high;
}

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
      const isInWord = /\p{Ll}/u.test(before);
      if (isInWord && character !== lower) penalty += 1;
    } else if (/[“”„‚‘’–—…€£§°«»©®™•×½¼¾·¿¡\u00a0\u00ad]/.test(character)) {
      const isInWord = /\p{L}/u.test(before) && /\p{L}/u.test(after);
      counts.set('', (counts.get('') ?? 0) + 1);
      if (isInWord && !/[’·\u00ad–—]/.test(character)) penalty += 2;
    } else {
      penalty += /[\p{Cc}\ufffd\u2500-\u259f]/u.test(character) ? 3 : 1;
    }
  }
  if (all === 0) return 0;
  const symbols = counts.get('') ?? 0;
  const fitting = alphabets.map((alphabet) =>
    Array.from(alphabet).reduce((sum, letter) => sum + (counts.get(letter) ?? 0), 0),
  );
  return (Math.max(...fitting) + symbols - penalty) / all;
}

function cyrillicScore(text: string): number {
  const all = text.match(/\P{ASCII}/gu)?.length ?? 1;
  const letters = text.match(/[а-яёА-ЯЁіїєґІЇЄҐ]/gu)?.length ?? 0;
  const wrong = text.match(/[а-яё][А-ЯЁ]|[^\P{L}а-яёА-ЯЁіїєґІЇЄҐa-zA-Z]/gu)?.length ?? 0;
  return (1.6 * (letters - 2 * wrong)) / all;
}

/** @returns at most 1, when every character is a frequent one; negative for invalid bytes */
function doubleByteScore(bytes: Uint8Array, encoding: keyof typeof DOUBLE_BYTE): number {
  const decoded = iconv.decode(bytes, encoding);
  const all = decoded.match(/\P{ASCII}/gu)?.length ?? 1;
  const unlikely = decoded.match(/[\ufffd\p{Co}\p{Cc}\uff61-\uff9f\u3400-\u4dbf]/gu);
  const strange = unlikely?.filter((character) => !/[\r\n\t]/.test(character)).length ?? 0;
  const isFrequent = DOUBLE_BYTE[encoding];
  let frequent = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    if (isFrequent(lead)) frequent += 1;
    at += 1;
  }
  return (frequent - 4 * strange) / all;
}
