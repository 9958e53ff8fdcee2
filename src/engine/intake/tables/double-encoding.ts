/** Text in UTF-8 that a program took for another encoding and encoded again: “MÃ¼nchen”. */
import iconv from 'iconv-lite';

const HIGH_BYTES = Uint8Array.from({ length: 0x80 }, (_, index) => 0x80 + index);
/** By what they are in an encoding; those without a character are control characters there. */
const bytesOf = (characters: string): ReadonlyMap<string, number> =>
  new Map(Array.from(characters).map((character, index) => [character, 0x80 + index] as const));
const WINDOWS = bytesOf(new TextDecoder('windows-1252').decode(HIGH_BYTES));
const MAC = bytesOf(iconv.decode(HIGH_BYTES, 'macintosh'));
/** First bytes of UTF-8 that are no letter and no quotation mark before one in Mac OS Roman. */
const MAC_FIRST = '¬√ƒ≈‚';
/** Characters of a text that a message quotes. */
const MAX_SAMPLE = 40;
const RUN = new RegExp(
  `[${MAC_FIRST}][${[...MAC.keys()].join('')}]+|[${[...WINDOWS.keys()].join('')}]{2,}`,
  'g',
);

/** The first such text of a table, and what it probably means; `null` if there is none. */
export function doubleEncodedSample(
  text: string,
): { readonly found: string; readonly meant: string } | null {
  for (const { 0: whole, index } of text.matchAll(RUN)) {
    if (decodedRun(whole) === null) continue;
    const run = beginning(whole);
    const before = /\p{L}{0,20}$/u.exec(text.slice(Math.max(0, index - 20), index))?.[0] ?? '';
    const end = index + run.length;
    const after = /^\p{L}{0,20}/u.exec(text.slice(end, end + 20))?.[0] ?? '';
    const found = `${before}${run}${after}`;
    return { found, meant: withoutDoubleEncoding(found) };
  }
  return null;
}

/** As much of a run as a message quotes, which does not end within a character. */
function beginning(run: string): string {
  for (let end = Math.min(run.length, MAX_SAMPLE); end > 0; end -= 1) {
    if (decodedRun(run.slice(0, end)) !== null) return run.slice(0, end);
  }
  return run.slice(0, MAX_SAMPLE);
}

export function withoutDoubleEncoding(text: string): string {
  return text.replace(RUN, (run) => decodedRun(run) ?? run);
}

/** @returns `null` if the characters are not UTF-8 */
function decodedRun(run: string): string | null {
  return decodedBy(WINDOWS, run) ?? (MAC_FIRST.includes(run[0] ?? '') ? decodedBy(MAC, run) : null);
}

function decodedBy(byteOf: ReadonlyMap<string, number>, run: string): string | null {
  const bytes = Uint8Array.from(run, (character) => byteOf.get(character) ?? 0xff);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
