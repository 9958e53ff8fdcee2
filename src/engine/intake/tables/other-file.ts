/** Recognises files that are no tables, so that a sentence says what to do instead. */
import type { MessageName } from '../../../contract/messages.ts';

/** The sentence about each kind. */
export const OTHER_FILES = {
  archive: 'file-is-archive',
  document: 'file-is-document',
  shortcut: 'file-is-shortcut',
  page: 'file-is-page',
  xml: 'file-is-xml',
  numbers: 'file-is-numbers',
  /** A workbook of Excel 95 or earlier. */
  'old-workbook': 'file-is-old-workbook',
  /** A workbook of Excel 2003 as one XML document. */
  'xml-workbook': 'file-is-xml-workbook',
  /** A workbook in another format, or a damaged archive, which may have been one. */
  'other-workbook': 'file-is-workbook',
  /** A workbook with a password. */
  encrypted: 'file-has-password',
  /** What a program writes beside a workbook while it is open. */
  lock: 'file-is-lock',
  /** What Spool writes beside a table about its videos. */
  results: 'file-is-results',
  binary: 'file-no-text',
} as const satisfies Record<string, MessageName>;

export type OtherKind = keyof typeof OTHER_FILES;

type Known<How> = readonly (readonly [kind: OtherKind, how: How])[];

/** How files begin, as Latin-1. */
const CONTENTS: Known<readonly string[]> = [
  // gzip, 7-Zip, RAR, xz, and Zstandard
  ['archive', ['\x1f\x8b', '7z\xbc\xaf', 'Rar!\x1a', '\xfd7zXZ', '\x28\xb5\x2f\xfd']],
  ['document', ['%PDF', '{\\rtf']],
  // Links of Windows and macOS
  ['shortcut', ['L\0\0\0\x01\x14\x02\0', 'bplist00']],
  // Excel 2, 3, 4, and 5
  ['old-workbook', ['\t\0\x04\0', '\t\x02\x06\0', '\t\x04\x06\0', '\t\b\b\0']],
  ['binary', ['\x89PNG', '\xff\xd8\xff', 'GIF8', 'SQLite format 3']],
];

const TEXTS: Known<RegExp> = [
  ['shortcut', /^\[(?:InternetShortcut|Desktop Entry)\][ \t]*[\r\n]/],
  ['shortcut', /^<plist\b[^]{0,99}<key>URL<\/key>/],
  // A document of Google Drive, as its app keeps it in a folder
  ['shortcut', /^\{[^[{}]{0,999}"doc_id"\s*:[^[{}]{0,999}\}\s*$/],
  ['xml-workbook', /^<(?:\w+:)?Workbook\b[^>]*urn:schemas-microsoft-com:office:spreadsheet/],
  ['results', /^row([;,\t])title\1variant\1state\1file\1seconds\1cost\1reason(?:[\r\n]|$)/],
  ['page', /^<(?:!doctype html|html)\b/i],
  ['other-workbook', /^MIME-Version:[^]{0,999}multipart\/related/i],
  // The formats in which spreadsheets exchanged data: DIF and SYLK
  ['other-workbook', /^(?:TABLE\r?\n0,1\r?\n|ID;P)/],
];

/** More than programs write before a document: its declaration, its type, and comments. */
const MAX_START = 64 * 1024;

/** @param start of a file, as Latin-1 */
export function otherContent(start: string): OtherKind | null {
  // MP4
  if (start.startsWith('ftyp', 4)) return 'binary';
  const found = CONTENTS.find(([, starts]) => starts.some((each) => start.startsWith(each)));
  return found?.[0] ?? null;
}

/** @param names of the parts of an archive that is no workbook */
export function otherArchive(names: ReadonlySet<string>): OtherKind {
  if (names.has('xl/workbook.bin')) return 'other-workbook';
  if (names.has('word/document.xml') || names.has('ppt/presentation.xml')) return 'document';
  // Keynote, also of 2009
  if (names.has('Index/Slide.iwa') || names.has('index.apxl')) return 'document';
  const isNumbers = ['Index/Document.iwa', 'Index.zip', 'buildVersionHistory.plist'];
  return isNumbers.some((name) => names.has(name)) ? 'numbers' : 'archive';
}

export function otherText(text: string): OtherKind | null {
  const start = text.slice(0, MAX_START).trimStart();
  const root = start.replace(/^(?:\s|<\?[^>]*>|<!--[^]*?-->|<!DOCTYPE (?!html)[^>]*>)+/i, '');
  const found = TEXTS.find(([, pattern]) => pattern.test(root))?.[0];
  return found ?? (/^<\?xml\b/i.test(start) || isElement(root, text) ? 'xml' : null);
}

/** Whether a text is one XML element with others in it. */
function isElement(root: string, text: string): boolean {
  const [, name] = /^<([a-z_][\w:.-]*)(?:\s[^<>]*)?>\s*</i.exec(root) ?? [];
  return name !== undefined && text.trimEnd().endsWith(`</${name}>`);
}

/** Whether a file is from Pages or Keynote, whose archives are like those of Numbers. */
export function isDocument(name: string): boolean {
  return /\.(?:pages|key)$/i.test(name);
}

/** Whether a file only marks that a workbook is open, as Office and LibreOffice name such files. */
export function isLock(name: string): boolean {
  return /^(?:~\$|\.~lock\.)/.test(name);
}
