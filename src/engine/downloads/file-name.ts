/**
 * A file that is being downloaded is beside its target as `<target>.part`, with its metadata in
 * `<target>.part.json`. The record is beside the file and not in the database, so that any host
 * that finds a part can resume it, and so that both are lost or kept together. It never contains
 * the link.
 */
export const PART_SUFFIX = '.part';
export const RECORD_SUFFIX = '.part.json';
/** A record that is being written. */
export const UNFINISHED_SUFFIX = '.part.json.new';

/** Bytes that a part adds to a file name; names are cut to leave room for it. */
export const MAX_SUFFIX_BYTES = UNFINISHED_SUFFIX.length;

/** ext4, APFS and NTFS hold names of 255 bytes or UTF-16 units; a part adds its suffix. */
export const MAX_NAME_BYTES = 255 - MAX_SUFFIX_BYTES;

/** A short name, by which Windows also opens a file with a longer one (`LAUNCH~1.MP4`). */
const SHORT_NAME = /^[^.]{1,6}~\d{1,6}$/;

/** Names that are devices on Windows, whatever extension follows. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;

// Control characters, marks that reorder or hide text, and lone surrogates.
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u061c]/gu;
// Separators of paths, of streams (`a:b` on Windows), and wildcards.
const FORBIDDEN = /[<>:"/\\|?*]/g;

/**
 * Turns any text into a file or folder name that is valid on Windows, macOS and Linux. The result
 * is never empty, never `.` or `..`, and contains no separator.
 *
 * @param extension such as `.mp4`; kept whole when a long name is cut.
 */
export function safeName(text: string, extension = ''): string {
  const cleaned = text
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(FORBIDDEN, '_')
    .replace(/\s+/gu, ' ');
  const stem = trimEnds(cleaned);
  // Windows looks for a device before the first dot: `NUL.tar.mp4` is one.
  const [beforeDot = ''] = stem.split('.', 1);
  const isTaken = DEVICES.test(beforeDot.trim()) || SHORT_NAME.test(stem);
  const own = isTaken ? `_${stem}` : stem;
  const room = MAX_NAME_BYTES - Buffer.byteLength(extension);
  return (trimEnds(cutToBytes(own, room)) || '_') + extension;
}

/** `film.mp4` with number 2 becomes `film (2).mp4`, cut where it would be too long. */
export function withNumber(name: string, number: number): string {
  return number === 1 ? name : withRemark(name, String(number));
}

/** `film.mp4` with the remark `damaged` becomes `film (damaged).mp4`, cut where it is too long. */
export function withRemark(name: string, remark: string): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const suffix = ` (${remark})${extension}`;
  return cutToBytes(stem, MAX_NAME_BYTES - Buffer.byteLength(suffix)).trimEnd() + suffix;
}

/**
 * Two names with the same key are one file: file systems of Windows and macOS ignore case. They
 * compare letter by letter in upper case, where both Greek sigmas are the same.
 */
export function nameKey(path: string): string {
  const upper = path.normalize('NFC').replace(/./gsu, (letter) => {
    const capital = letter.toUpperCase();
    return capital.length === letter.length ? capital : letter;
  });
  return upper.toLowerCase().normalize('NFC').replaceAll('ς', 'σ');
}

/** Windows drops dots and spaces at the end; a dot in front hides a file elsewhere. */
function trimEnds(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isDropped(text.charAt(start))) start += 1;
  while (end > start && isDropped(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isDropped(character: string): boolean {
  return character === '.' || character.trim() === '';
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts between graphemes, so that no emoji or accent is split. */
function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let cut = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += Buffer.byteLength(segment);
    if (used > bytes) break;
    cut += segment;
  }
  return cut;
}
