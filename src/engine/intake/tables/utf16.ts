/** Recognises UTF-16 in bytes without a mark. */

/** Bytes that are enough to see whether a file is UTF-16. */
const SAMPLE = 64 * 1024;
/** White space, quotation marks and separators: characters of every table, but no half of a letter. */
const STRUCTURE = new Set(Array.from('\t\n\r ",;|', (character) => character.charCodeAt(0)));
const MIN_PAIRS = 3;
/** The share of pairs of bytes that are such a character. */
const MIN_SHARE = 0.002;

/**
 * Which half of the pairs is zero where a table has separators, spaces and line ends. In Chinese,
 * some letters have a zero in the other half.
 * @returns `null` for another encoding
 */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const end = Math.min(bytes.length, SAMPLE) - 1;
  let [little, big] = [0, 0];
  for (let at = 0; at < end; at += 2) {
    const [first = 1, second = 1] = [bytes[at], bytes[at + 1]];
    if (second === 0 && STRUCTURE.has(first)) little += 1;
    else if (first === 0 && STRUCTURE.has(second)) big += 1;
  }
  if (Math.max(little, big) < Math.max(MIN_PAIRS, (end / 2) * MIN_SHARE)) return null;
  if (little > 4 * big) return 'utf-16le';
  return big > 4 * little ? 'utf-16be' : null;
}
