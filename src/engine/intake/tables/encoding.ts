/** Decodes a table's bytes. The encoding is found in the bytes unless the user chose one. */
import iconv from 'iconv-lite';
import type { Encoding } from '../../../contract/text-reading.ts';
import { doubleEncodedSample, withoutDoubleEncoding } from './double-encoding.ts';
import { legacyEncodingOf } from './legacy-encoding.ts';
import { utf16Of } from './utf16.ts';

export interface DecodedText {
  /** Without byte order marks. Bytes that do not fit the encoding are U+FFFD. */
  readonly text: string;
  readonly encoding: Encoding;
  /** A piece of the text that shows the encoding; `null` if the encoding is certain or chosen. */
  readonly sample: string | null;
  /** Text that was probably encoded twice, as it is and as it was meant; `null` if there is none. */
  readonly twice: { readonly found: string; readonly meant: string } | null;
}

export function decodeTable(bytes: Uint8Array, chosen?: Encoding): DecodedText {
  const encoding = chosen ?? certainEncoding(bytes);
  if (encoding !== null) {
    const text = decodeAs(bytes, encoding);
    const twice = chosen === undefined && encoding === 'utf-8' ? doubleEncodedSample(text) : null;
    return { text, encoding, sample: null, twice };
  }
  const assumed = isDamagedUtf8(bytes) ? 'utf-8' : legacyEncodingOf(bytes);
  const text = decodeAs(bytes, assumed);
  return { text, encoding: assumed, sample: sampleOf(text), twice: null };
}

function decodeAs(bytes: Uint8Array, encoding: Encoding): string {
  const text = decoderOf(encoding)(bytes);
  // Some programs write two marks: one of their own before one that was read as text.
  const unmarked = text.replace(/^\ufeff+/, '');
  return encoding === 'utf-8-twice' ? withoutDoubleEncoding(unmarked) : unmarked;
}

function decoderOf(encoding: Encoding): (bytes: Uint8Array) => string {
  switch (encoding) {
    case 'utf-8':
    case 'utf-8-twice':
      return (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    // Not by iconv-lite: it lets Node decode UTF-16, which can write beyond its memory.
    case 'utf-16le':
    case 'utf-16be':
      return (bytes) => new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
    default:
      return (bytes) => iconv.decode(bytes, encoding);
  }
}

/** @returns `null` if the bytes do not say */
function certainEncoding(bytes: Uint8Array): Encoding | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return utf16Of(bytes) ?? (isUtf8(bytes) ? 'utf-8' : null);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Whether most of what is not ASCII is valid UTF-8; in other encodings hardly anything is. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const invalid = text.match(/\ufffd/g)?.length ?? 0;
  const valid = text.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0;
  return valid > 0 && valid >= invalid;
}

/** The words around the first character beyond ASCII. */
function sampleOf(text: string): string | null {
  const at = text.search(/\P{ASCII}/u);
  if (at < 0) return null;
  const start = Math.max(
    0,
    ...['\n', '\r', '\t', ';', ','].map((end) => text.lastIndexOf(end, at) + 1),
  );
  const [sample = ''] = text.slice(Math.max(start, at - 30), at + 40).split(/[\r\n\t;,]/);
  return sample.replace(/"/g, '').trim().toWellFormed();
}
