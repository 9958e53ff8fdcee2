import path from 'node:path';
import { z } from 'zod';
import { pictureIn, textsIn } from '../../contract/picture-value.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { isCaptionFile } from './captions/read-captions.ts';
import { type Column, severalIn } from './column.ts';
import { isExample } from './example-row.ts';
import { quotable } from './quotable.ts';
import { readAspect } from './read-aspect.ts';
import { readColour } from './read-colour.ts';
import { isExact, readNumber, writtenNumber } from './read-number.ts';
import { isVisible, withoutInvisible } from './tables/cell-visibility.ts';

/** A cell as a file contains it: text in a spreadsheet, a few more types in JSON. */
export type RawCell = string | number | boolean | readonly (string | number)[];

/** A cell in JSON, which writes an empty one as `null`. */
export const rawCellSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string(), z.number()])),
  z.null().transform(() => ''),
]);

/** A cell as a request contains it. */
export type CellValue = string | number | readonly string[];

/** Characters of a path. */
const MAX_PICTURE_NAME = 1000;
const MAX_BRAND_NAME = 100;
/** Characters of captions that are written in a cell. */
const MAX_CAPTION_TEXT = 5000;

export type CellReading =
  | { readonly kind: 'empty' }
  | { readonly kind: 'value'; readonly value: CellValue }
  /**
   * `what` completes a sentence that begins with the cell's place; `fix` is what was probably meant.
   */
  | { readonly kind: 'invalid'; readonly what: UserMessage; readonly fix?: string };

/**
 * Bytes that did not fit the file's encoding, zeros, and the control characters beyond ASCII, which
 * are letters in another encoding.
 */
const DAMAGED = /[\ufffd\0\u0080-\u009f]/;
/** What switches to Japanese letters in ISO 2022. */
const SWITCHES = ['\u001b$', '\u001b('];
/** Chinese in HZ: `~{VPND~}`. */
const HZ = /~\{[!-~]{2,}~\}/;
/** What may be UTF-16 in UTF-7: `+APw-`. */
const UTF_7 = /\+([A-Za-z\d+/]{3,})-/g;

/** Checks a cell and converts it to its column's type. Surrounding space is ignored. */
export function readCell(raw: RawCell, column: Column): CellReading {
  const text = textOf(raw).trim();
  if (!isVisible(text)) return { kind: 'empty' };
  if (isDamaged(text)) {
    return error(userMessage('cell-damaged'));
  }
  if (isExample(text)) return error(userMessage('cell-example'));
  const takesSeveral =
    column.type === 'list' || column.type === 'choice' || severalIn(column) !== undefined;
  if (typeof raw === 'object' && raw.length > 1 && !takesSeveral) {
    return error(userMessage('cell-has-several-values', { count: raw.length }));
  }
  switch (column.type) {
    case 'text':
      return checkLength(text, column.maxLength) ?? readText(text, column);
    case 'number':
      return readNumberCell(withoutInvisible(text), column);
    case 'colour':
      return readColourCell(withoutInvisible(text));
    case 'choice':
      return readChoice(withoutInvisible(text), column);
    case 'list':
      return readList(raw, column);
    case 'picture':
      return column.maxItems === undefined
        ? readPictureCell(text, column)
        : readPictures(raw, column);
  }
}

function isDamaged(text: string): boolean {
  return DAMAGED.test(text) || !text.isWellFormed() || isSwitched(text);
}

/** Whether a text switches to the letters of another encoding, whose bytes are all ASCII. */
function isSwitched(text: string): boolean {
  return (
    SWITCHES.some((each) => text.includes(each)) ||
    HZ.test(text) ||
    // Most texts have no plus, and a search for all of them takes longer than all other checks.
    (text.includes('+') &&
      Array.from(text.matchAll(UTF_7), ([, base64 = '']) => base64).some(areLetters))
  );
}

/**
 * Whether UTF-16 in Base64 is nothing but letters of Europe beyond ASCII and punctuation: words such
 * as `+Pro-` are something else.
 */
function areLetters(base64: string): boolean {
  if ((6 * base64.length) % 16 > 4) return false;
  const bytes = atob(base64);
  if (btoa(bytes).replace(/=+$/, '') !== base64) return false;
  const text = new TextDecoder('utf-16be').decode(
    Uint8Array.from(bytes, (character) => character.charCodeAt(0)),
  );
  return /^[\u00a0-\u017f\u0370-\u052f\u2010-\u20bf]+$/.test(text);
}

/** An empty cell becomes its column's default, or an error if the column is required. */
export function withoutGaps(reading: CellReading, column: Column): CellReading {
  if (reading.kind !== 'empty') return reading;
  if (column.required === true) return error(userMessage('cell-empty'));
  return column.default === undefined ? reading : value(column.default);
}

/** A cell as text, for file names and for the database. */
export function textOf(raw: RawCell): string {
  return typeof raw === 'object' ? raw.join(' | ') : String(raw);
}

/** The texts of a row's values by column, for file names: of a picture its file's name. */
export function textsOf(
  values: readonly (readonly [column: string, value: CellValue])[],
): Record<string, string> {
  return Object.fromEntries(
    values.map(([name, value]) => [name, textOf(textsIn(value).map(fileNameIn))]),
  );
}

function fileNameIn(text: string): string {
  const file = pictureIn(text)?.path;
  return file === undefined ? text : path.parse(file).name;
}

/** A value in a cell's notation, as forms show it: items of a list on lines, a picture's path. */
export function cellText(value: CellValue): string {
  return textsIn(value)
    .map((text) => pictureIn(text)?.path ?? text)
    .join('\n');
}

/** A video's title on one line, in lists and file names. */
export function titleOf(value: CellValue): string {
  return textOf(typeof value === 'object' ? [...value] : value).replace(/\s+/g, ' ');
}

function readText(text: string, { isAddress }: Extract<Column, { type: 'text' }>): CellReading {
  return isAddress === true && !(/^https:\/\//i.test(text) && URL.canParse(text))
    ? error(userMessage('cell-not-address', { text: quotable(text) }))
    : value(text);
}

function readNumberCell(text: string, column: NumberColumn): CellReading {
  const { certain, likely } = readNumber(text, column.unit);
  if (certain === null) {
    const fix = likely.find((number) => numberIssue(number, text, column) === null);
    return error(userMessage('cell-not-number', { text: quotable(text) }), fix);
  }
  const what = numberIssue(certain, text, column);
  if (what === null) {
    const keepsDigits = column.asWritten === true || !isExact(certain);
    return value(keepsDigits ? writtenNumber(text, certain) : certain);
  }
  const [near = certain] = likely;
  const other = [near, Math.round(certain)].find(
    (number) => number !== certain && numberIssue(number, text, column) === null,
  );
  return error(what, other);
}

type NumberColumn = Extract<Column, { type: 'number' }>;

/** Why a column does not allow a number; `null` if it does. */
function numberIssue(number: number, text: string, column: NumberColumn): UserMessage | null {
  if (column.whole === true && !Number.isInteger(number)) {
    return userMessage('cell-not-whole', { text: quotable(text) });
  }
  const { min = -Infinity, max = Infinity } = column;
  if (number >= min && number <= max) return null;
  if (min === -Infinity) return userMessage('cell-too-high', { text: quotable(text), max });
  if (max === Infinity) return userMessage('cell-too-low', { text: quotable(text), min });
  return userMessage('cell-not-between', { text: quotable(text), min, max });
}

type PictureColumn = Extract<Column, { type: 'picture' }>;

function readPictures(raw: RawCell, column: PictureColumn): CellReading {
  const items = itemsOf(raw);
  if (items.length === 0) return { kind: 'empty' };
  const invalid =
    tooMany(items, column.maxItems) ??
    items.map((item) => readPictureCell(item, column)).find(({ kind }) => kind === 'invalid');
  return invalid ?? value(items);
}

/** A file is checked later, where its folder is known (`check-files.ts`). */
function readPictureCell(text: string, column: PictureColumn): CellReading {
  if (column.holds === 'brand') return checkLength(text, MAX_BRAND_NAME) ?? value(text);
  if (column.holds === 'captions') {
    const max = isCaptionFile(text) ? MAX_PICTURE_NAME : MAX_CAPTION_TEXT;
    return checkLength(text, max) ?? value(text);
  }
  if (/^(?!file:)[a-z][a-z\d+.-]+:/i.test(text)) {
    return column.isAddressPossible === true
      ? readText(text, { type: 'text', isAddress: true })
      : error(userMessage('picture-not-address'));
  }
  return column.send === undefined
    ? error(userMessage('picture-needs-address'))
    : (checkLength(text, MAX_PICTURE_NAME) ?? value(text));
}

function readColourCell(text: string): CellReading {
  const { certain, likely } = readColour(text);
  return certain === null
    ? error(userMessage('cell-not-colour', { text: quotable(text) }), likely ?? undefined)
    : value(certain);
}

type ChoiceColumn = Extract<Column, { type: 'choice' }>;

/** Looked up for every cell, so it is made once for a column. */
const spelledOptions = new WeakMap<ChoiceColumn, ReadonlyMap<string, string | number>>();

function optionsBySpelling(column: ChoiceColumn): ReadonlyMap<string, string | number> {
  const known = spelledOptions.get(column);
  if (known) return known;
  const made = new Map<string, string | number>();
  const all = [
    ...column.options.map((option) => [String(option), option] as const),
    ...Object.entries(column.spellings ?? {}),
    ...column.options.flatMap((option) => {
      const { en, de = en } = column.optionLabels?.[String(option)] ?? { en: String(option) };
      return [[en, option] as const, [de, option] as const];
    }),
  ];
  for (const [spelling, option] of all) {
    const folded = spelling.toLowerCase();
    if (!made.has(folded)) made.set(folded, option);
  }
  spelledOptions.set(column, made);
  return made;
}

function readChoice(text: string, column: ChoiceColumn): CellReading {
  const { options } = column;
  const spelled = optionsBySpelling(column);
  const option = spelled.get(text.toLowerCase());
  if (option !== undefined) return value(option);
  const { certain, likely } =
    readAspect(text, options, (spelling) => spelled.get(spelling)) ??
    readNumberOption(text, options);
  const optionOf = (name: string | null): string | number | undefined =>
    options.find((known) => String(known) === name);
  const meant = optionOf(certain);
  if (meant !== undefined) return value(meant);
  const what = { text: quotable(text), options: options.join(', ') };
  return error(userMessage('cell-not-one-of', what), optionOf(likely));
}

/** “1,080”, “1080.0” and “8s” where the options are numbers; 1920x1080 probably means its height. */
function readNumberOption(
  text: string,
  options: readonly (string | number)[],
): { readonly certain: string | null; readonly likely: string | null } {
  const known = options.map(String);
  const among = (written: string): string | null =>
    known.find((option) => option === String(Number(written))) ?? null;
  const [, amount = ''] =
    /^(\d[\d.,]*)(?:\s*(?:s|sec|seconds?|sek|sekunden?|p|px|pixels?)\.?)?$/i.exec(text) ?? [];
  const asNumber = amount === '' ? null : among(amount.replace(',', '.'));
  if (asNumber !== null) return { certain: asNumber, likely: null };
  if (/^\d{1,3}(?:[.,]\d{3})+$/.test(amount)) {
    return { certain: among(amount.replace(/[.,]/g, '')), likely: null };
  }
  const [, width = '', height = ''] =
    /^(\d+)\s*[x×]\s*(\d+)(?:\s*(?:px|pixels?|pixel))?$/i.exec(text) ?? [];
  const shorter = String(Math.min(Number(width), Number(height)));
  return { certain: null, likely: width === '' ? null : among(shorter) };
}

function readList(raw: RawCell, column: Extract<Column, { type: 'list' }>): CellReading {
  const items = itemsOf(raw);
  if (items.length === 0) return { kind: 'empty' };
  const invalid = tooMany(items, column.maxItems);
  if (invalid) return invalid;
  for (const item of items) {
    const tooLong = checkLength(item, column.maxLength);
    if (tooLong) return tooLong;
  }
  return value(items);
}

/** What `|` or line breaks separate. */
function itemsOf(raw: RawCell): readonly string[] {
  const parts = typeof raw === 'object' ? raw.map(String) : String(raw).split(/[|\r\n]+/);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function tooMany({ length: count }: readonly string[], max = Infinity): CellReading | null {
  return count <= max ? null : error(userMessage('cell-too-many', { count, max }));
}

function checkLength(text: string, maxLength = Infinity): CellReading | null {
  return text.length <= maxLength
    ? null
    : error(
        userMessage('cell-too-long', { text: quotable(text), count: text.length, max: maxLength }),
      );
}

function value(of: CellValue): CellReading {
  return { kind: 'value', value: of };
}

function error(what: UserMessage, fix?: CellValue): CellReading {
  return { kind: 'invalid', what, ...(fix === undefined ? {} : { fix: cellText(fix) }) };
}
