/** Recognises what a file is by its content. Names are often wrong: a workbook called `.csv`. */
import { archiveNames } from './archive.ts';
import { utf16Of } from './utf16.ts';

export type ContentKind =
  | 'text'
  | 'xlsx'
  | 'ods'
  | 'numbers'
  /** An archive that is none of these workbooks, or a workbook in Excel's binary format. */
  | 'other-archive'
  /** Excel's format from 1997 to 2003. */
  | 'xls'
  /** Excel's format before, or another document in such a file. */
  | 'old-workbook'
  /** A workbook with a password. */
  | 'encrypted'
  | 'binary';

export type TextKind =
  | 'delimited'
  | 'json'
  | 'json-lines'
  | 'html'
  /** An OpenDocument workbook as one XML document. */
  | 'fods'
  /** A workbook of Excel 2003 as one XML document. */
  | 'xml-workbook'
  | 'empty'
  | 'binary';

const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/** Portable Document Format, PNG, JPEG, GIF, MP4, RTF, and SQLite. */
const BINARY = /^(?:%PDF|\x89PNG|\xff\xd8\xff|GIF8|.{4}ftyp|\{\\rtf|SQLite format 3)/s;
/** Formats in which spreadsheets exchanged data: DIF and SYLK. */
const EXCHANGE_FORMAT = /^(?:TABLE\r?\n0,1\r?\n|ID;P)/;
const XML_WORKBOOK = /<(?:\w+:)?Workbook\b/;
const OPEN_DOCUMENT = /<office:document\b/;
/** The largest share of control characters in a text, with a few damaged ones. */
const MAX_CONTROLS = 0.05;
const SAMPLE = 4096;

export function contentKind(bytes: Uint8Array): ContentKind {
  const start = bytes.subarray(0, SAMPLE);
  const text = Array.from(start, (byte) => String.fromCharCode(byte)).join('');
  // The third byte is below 8 in every archive; a text may begin with these letters too.
  if (text.startsWith('PK') && text.charCodeAt(2) < 8) return archiveKind(bytes);
  if (OLE.every((byte, at) => bytes[at] === byte)) return oleKind(bytes);
  if (BINARY.test(text)) return 'binary';
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
  const names = archiveNames(bytes);
  if (names === null) return 'other-archive';
  if (names.has('xl/workbook.xml')) return 'xlsx';
  if (names.has('content.xml') && names.has('mimetype')) return 'ods';
  return names.has('Index/Document.iwa') || names.has('Index.zip') ? 'numbers' : 'other-archive';
}

/** Names in such a file are in UTF-16: `EncryptedPackage` is in every workbook with a password. */
function oleKind(bytes: Uint8Array): ContentKind {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (data.includes(Buffer.from('EncryptedPackage', 'utf16le'))) return 'encrypted';
  return data.includes(Buffer.from('Workbook\0', 'utf16le')) ? 'xls' : 'old-workbook';
}

export function textKind(text: string): TextKind {
  const sample = text.slice(0, SAMPLE);
  if (hasManyControls(sample)) return 'binary';
  const start = sample.trimStart();
  if (start === '' && text.trim() === '') return 'empty';
  if (EXCHANGE_FORMAT.test(start)) return 'binary';
  if (start.startsWith('<?xml') && OPEN_DOCUMENT.test(start)) return 'fods';
  if (start.startsWith('<?xml') && XML_WORKBOOK.test(start)) return 'xml-workbook';
  if (
    /^<(?:!doctype html|html|table|meta|head|body|\?xml)\b/i.test(start) &&
    /<table\b/i.test(text)
  ) {
    return 'html';
  }
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
