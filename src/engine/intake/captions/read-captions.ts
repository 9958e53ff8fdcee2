/** Reads the caption files that a table names, from the folder that the table is in. */
import { hash } from 'node:crypto';
import { userMessage, type UserMessage } from '../../../contract/user-message.ts';
import { readRowFile } from '../../pictures/row-file.ts';
import { decodeTable } from '../tables/encoding.ts';
import { type Caption, parseCaptions } from './parse-captions.ts';

const MAX_BYTES = 1_000_000;
const CAPTION_FILE = /\.(?:srt|vtt)$/iu;
/** Names of files that were probably meant as captions, or as something else. */
const OTHER_FILE =
  /^\S+\.(?:ass|docx?|dfxp|json|m4a|mov|mp3|mp4|odt|pdf|sbv|ssa|stl|sub|ttml|txt|wav|xml)$/iu;

export type CaptionsReading =
  | {
      readonly kind: 'captions';
      readonly captions: readonly Caption[];
      /** Absolute, without links. */
      readonly path: string;
      /** Of its bytes, in lower-case hex. */
      readonly sha256: string;
    }
  /** `what` completes a sentence that begins with the cell's place. */
  | { readonly kind: 'invalid'; readonly what: UserMessage };

/** Whether a cell names a file; otherwise it is the text of the captions itself. */
export function isCaptionFile(cell: string): boolean {
  return CAPTION_FILE.test(cell) || OTHER_FILE.test(cell);
}

/** @param folder the table's; `undefined` if it is not known */
export async function readCaptions(
  cell: string,
  folder: string | undefined,
): Promise<CaptionsReading> {
  const file = await readRowFile(cell, folder);
  if (file.kind === 'invalid') return file;
  const { bytes, path } = file;
  if (!CAPTION_FILE.test(cell)) return invalid(userMessage('captions-unknown'));
  if (bytes.length > MAX_BYTES) {
    return invalid(userMessage('captions-too-large', { max: MAX_BYTES / 1_000_000 }));
  }
  const { text } = decodeTable(bytes);
  const parsed = parseCaptions(text);
  if (parsed.kind === 'invalid') return parsed;
  const { captions } = parsed;
  if (captions.some((each) => each.text.includes('\ufffd'))) {
    return invalid(userMessage('captions-damaged'));
  }
  return { kind: 'captions', captions, path, sha256: hash('sha256', bytes) };
}

export type CaptionsChecked =
  | (Omit<Extract<CaptionsReading, { kind: 'captions' }>, 'captions'> & {
      /** When the last caption ends, in seconds. */
      readonly end: number;
    })
  | Extract<CaptionsReading, { kind: 'invalid' }>;

/** Reads captions that a cell names, and what a check needs to know of them. */
export async function checkCaptions(
  cell: string,
  folder: string | undefined,
): Promise<CaptionsChecked> {
  const reading = await readCaptions(cell, folder);
  if (reading.kind === 'invalid') return reading;
  const { captions, ...file } = reading;
  return { ...file, end: captions.reduce((end, { to }) => Math.max(end, to), 0) };
}

/**
 * Says that captions go on for longer than a video can last; `null` if they do not.
 *
 * @param end of the captions, in seconds
 * @param maxSeconds that a video may last
 */
export function tooLate(end: number, maxSeconds: number): UserMessage | null {
  if (end <= maxSeconds) return null;
  return userMessage('captions-too-late', { at: clockTime(end), max: clockTime(maxSeconds) });
}

/** Such as 1:02:03 or 2:03. */
function clockTime(seconds: number): string {
  const parts = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    Math.floor(seconds) % 60,
  ];
  const [hours = 0, minutes = 0, rest = 0] = parts;
  const padded = String(rest).padStart(2, '0');
  return hours === 0
    ? `${minutes}:${padded}`
    : `${hours}:${String(minutes).padStart(2, '0')}:${padded}`;
}

function invalid(what: UserMessage): CaptionsReading {
  return { kind: 'invalid', what };
}
