/**
 * Reads captions from the text of an SRT or WebVTT file. Writers of both often differ from the
 * formats, so a caption begins wherever a line has two times, and has the lines until the next one.
 */
import { userMessage, type UserMessage } from '../../../contract/user-message.ts';
import { quotable } from '../quotable.ts';

/** Times in seconds from the first frame; `to` is later than `from`. */
export interface Caption {
  readonly from: number;
  readonly to: number;
  /** Without markup, on one or several lines. */
  readonly text: string;
}

export type CaptionsParsed =
  | { readonly kind: 'captions'; readonly captions: readonly Caption[] }
  /** `what` completes a sentence that begins with the cell's place. */
  | { readonly kind: 'invalid'; readonly what: UserMessage };

const MAX_CAPTIONS = 2000;
/** Characters of all captions together: over three hours of speech. */
const MAX_CHARACTERS = 200_000;
/** Characters of one. */
const MAX_TEXT = 500;

const TIME = String.raw`(?:(\d{1,3}):)?([0-5]?\d):([0-5]?\d)(?:[.,](\d{1,3})\d*)?`;
/** After the second time, WebVTT and some writers of SRT say where the caption stands. */
const TIMES = new RegExp(String.raw`^\s*${TIME}\s*-->\s*${TIME}(?:\s.*)?$`, 'u');
/** Of WebVTT and HTML, of SubStation Alpha, and times of single words. */
const MARKUP =
  /<\/?(?:b|i|u|s|c|v|lang|ruby|rt|font|span)(?:[.\s][^<>]*)?>|<\d[\d:.]*>|\{\\[^{}]*\}/giu;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
};

/** Captions in the order of the file; those without text are left out. */
export function parseCaptions(text: string): CaptionsParsed {
  const lines = text.split(/\r\n|[\r\n]/u);
  const isVtt = /^WEBVTT(?:\s|$)/u.test(text);
  const starts = lines.flatMap((line, index) => (line.includes('-->') ? [index] : []));
  if (starts.length === 0 || text.includes('\0')) return invalid(userMessage('captions-unknown'));
  const captions: Caption[] = [];
  let characters = 0;
  for (const [index, start] of starts.entries()) {
    const times = timesOf(lines[start] ?? '', start + 1);
    if ('what' in times) return invalid(times.what);
    const shown = plainText(linesAfter(lines, start, starts[index + 1] ?? lines.length, isVtt));
    if (shown === '') continue;
    if (shown.length > MAX_TEXT) {
      return invalid(userMessage('caption-too-long', { line: start + 1, max: MAX_TEXT }));
    }
    characters += shown.length;
    captions.push({ ...times, text: shown });
  }
  if (captions.length === 0) return invalid(userMessage('captions-empty'));
  if (captions.length > MAX_CAPTIONS || characters > MAX_CHARACTERS) {
    return invalid(
      userMessage('captions-too-many', { max: MAX_CAPTIONS, characters: MAX_CHARACTERS }),
    );
  }
  return { kind: 'captions', captions };
}

function timesOf(
  line: string,
  number: number,
): Pick<Caption, 'from' | 'to'> | { readonly what: UserMessage } {
  const found = TIMES.exec(line)?.slice(1);
  if (found === undefined) {
    return { what: userMessage('caption-time', { line: number, text: quotable(line.trim()) }) };
  }
  const [from, to] = [secondsOf(found.slice(0, 4)), secondsOf(found.slice(4))];
  return to > from ? { from, to } : { what: userMessage('caption-backward', { line: number }) };
}

function secondsOf([hours = '0', minutes = '', seconds = '', fraction = '']: (
  | string
  | undefined
)[]): number {
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return whole + Number(fraction.padEnd(3, '0')) / 1000;
}

/** The lines of a caption's text: without the name of the next one, and what stands between. */
function linesAfter(
  lines: readonly string[],
  start: number,
  next: number,
  isVtt: boolean,
): readonly string[] {
  const text = lines.slice(start + 1, next);
  const blank = text.findIndex((line) => line.trim() === '');
  if (isVtt) return blank < 0 ? text : text.slice(0, blank);
  // SRT numbers captions. The last line of the file is no number of a next one.
  const isNumbered = next < lines.length && /^\s*\d+\s*$/u.test(text.at(-1) ?? '');
  return isNumbered ? text.slice(0, -1) : text;
}

function plainText(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(MARKUP, '')
    .replace(/&(amp|lt|gt|nbsp|lrm|rlm);/gu, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .split('\n')
    .map((line) => line.replace(/ +/gu, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

function invalid(what: UserMessage): CaptionsParsed {
  return { kind: 'invalid', what };
}
