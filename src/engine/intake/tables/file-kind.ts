/** Recognises what a file is by its content. Names are often wrong: a workbook called `.csv`. */
import { ArchiveError, openArchive } from './archive.ts';
import { otherArchive, otherContent, otherText, type OtherKind } from './other-file.ts';
import { utf16Of } from './utf16.ts';

export type ContentKind =
  | OtherKind
  | 'text'
  | 'xlsx'
  | 'ods'
  /** Excel's format from 1997 to 2003. */
  | 'xls';

export type TextKind =
  | OtherKind
  | 'delimited'
  | 'json'
  | 'json-lines'
  | 'html'
  /** An OpenDocument workbook as one XML document. */
  | 'fods'
  | 'empty';

const OPEN_DOCUMENT = /<office:document\b/;
/** The largest share of control characters in a text, with a few damaged ones. */
const MAX_CONTROLS = 0.05;
const SAMPLE = 4096;

export function contentKind(bytes: Uint8Array): ContentKind {
  const start = bytes.subarray(0, SAMPLE);
  const text = Array.from(start, (byte) => String.fromCharCode(byte)).join('');
  // The third byte is below 8 in every archive; a text may begin with these letters too.
  if (text.startsWith('PK') && text.charCodeAt(2) < 8) return archiveKind(bytes);
  if (text.startsWith('\xd0\xcf\x11\xe0')) return oleKind(bytes);
  const other = otherContent(text);
  if (other !== null) return other;
  const isUtf16 = /^(?:\xff\xfe|\xfe\xff)/.test(text) || utf16Of(start) !== null;
  return !isUtf16 && hasManyControls(text) ? 'binary' : 'text';
}

function hasManyControls(text: string): boolean {
  let controls = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // White space is from 9 to 13; escapes (27) are in texts that were copied from a terminal.
    if (code < 32 && (code < 9 || code > 13) && code !== 27) controls += 1;
  }
  return controls > text.length * MAX_CONTROLS;
}

function archiveKind(bytes: Uint8Array): ContentKind {
  try {
    const { names, read } = openArchive(bytes);
    if (names.has('xl/workbook.xml')) return 'xlsx';
    if (!names.has('content.xml') || !names.has('mimetype')) return otherArchive(names);
    const type = Buffer.from(read('mimetype')).toString();
    return /opendocument\.(?:text|presentation|graphics)/.test(type) ? 'document' : 'ods';
  } catch (error) {
    if (error instanceof ArchiveError) return 'other-workbook';
    throw error;
  }
}

/** Names in such a file are in UTF-16: `EncryptedPackage` is in every workbook with a password. */
function oleKind(bytes: Uint8Array): ContentKind {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const has = (name: string): boolean => data.includes(Buffer.from(name, 'utf16le'));
  if (has('EncryptedPackage')) return 'encrypted';
  if (has('Workbook\0')) return 'xls';
  return has('WordDocument') || has('PowerPoint') ? 'document' : 'old-workbook';
}

export function textKind(text: string): TextKind {
  const sample = text.slice(0, SAMPLE);
  if (hasManyControls(sample)) return 'binary';
  const start = sample.trimStart();
  if (start === '' && text.trim() === '') return 'empty';
  if (start.startsWith('<?xml') && OPEN_DOCUMENT.test(start)) return 'fods';
  const other = otherText(text);
  if ((other === 'page' || other === 'xml') && /<table\b/i.test(text)) return 'html';
  if (other !== null) return other;
  if (/^<(?:table|meta|head|body)\b/i.test(start) && /<table\b/i.test(text)) return 'html';
  if (/^\[\s*(?:[{["\]/\d-]|true|false|null)/.test(start)) return 'json';
  if (!/^\{\s*["}/]/.test(start)) return 'delimited';
  return isOnePerLine(text) ? 'json-lines' : 'json';
}

/** Whether the second line begins another object, or the first one is a whole object. */
function isOnePerLine(text: string): boolean {
  const [, first = '', rest = ''] = /^\s*([^\r\n]*)\s*([^\r\n]*)/.exec(text) ?? [];
  // The list of an object may begin in the first line.
  if (rest.startsWith('{') && !/[{[]$/.test(first.trimEnd())) return true;
  try {
    JSON.parse(first);
    return rest !== '';
  } catch {
    return false;
  }
}
