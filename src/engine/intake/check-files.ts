/** Checks the files that a row names: pictures, clips, sounds, captions and fonts. */
import {
  pictureIn,
  pictureText,
  type PictureValue,
  textsIn,
} from '../../contract/picture-value.ts';
import { joinMessages, userMessage, type UserMessage } from '../../contract/user-message.ts';
import {
  MAX_BYTES_TOGETHER,
  MAX_PIXELS_TOGETHER,
  type Picture,
  PictureChecks,
  type PictureReading,
} from '../pictures/read-picture.ts';
import { readSound } from '../pictures/read-sound.ts';
import { FileChecks, MAX_MEDIA_BYTES } from '../pictures/row-file.ts';
import { partIssue, readClip, type RowClip } from '../pictures/read-clip.ts';
import { fitFor, fittedSize } from '../pictures/picture-fit.ts';
import { SENT_FORMATS } from '../pictures/picture-format.ts';
import { checkCaptions, isCaptionFile, tooLate } from './captions/read-captions.ts';
import type { CellFinding } from './cell-issue.ts';
import { cellText } from './cell.ts';
import { type Column, severalIn } from './column.ts';
import { checkFont, lackingCharacters } from './fonts/read-font.ts';
import { quotable } from './quotable.ts';
import type { RequestTemplate } from './request-template.ts';
import type { RowValues } from './row-values.ts';

type PictureColumn = Extract<Column, { type: 'picture' }>;

/** Whether the service of the rows takes the files of a column. */
export type TakesFiles = (column: PictureColumn) => boolean;

/** Each keeps the table of its characters. */
const MAX_FONTS = 20;

/** Checks the files of rows; each is read again only when it has changed. */
export class RowFileChecks {
  readonly pictures = new PictureChecks();
  readonly sounds = new FileChecks(readSound, { maxBytes: MAX_MEDIA_BYTES });
  readonly clips = new FileChecks(readClip, { maxBytes: MAX_MEDIA_BYTES });
  readonly captions = new FileChecks(checkCaptions);
  readonly fonts = new FileChecks(checkFont, { maxKnown: MAX_FONTS });
}

export interface FileChecksOfRow {
  readonly files: RowFileChecks;
  readonly takes: TakesFiles;
}

interface CheckedFiles {
  readonly values: RowValues;
  readonly errors: readonly CellFinding[];
  /** What is possible and worth knowing: pictures that are converted before they are sent. */
  readonly warned: readonly CellFinding[];
}

/**
 * Checks the files of a row, and replaces each by its path and hash.
 * @param placeOf the folder in which the file of a text may be, if it is known; `null` for one that
 *   is not checked
 */
export async function checkFiles(
  values: RowValues,
  { columns }: RequestTemplate,
  checks: FileChecksOfRow,
  placeOf: PlaceOf,
): Promise<CheckedFiles> {
  const errors: CellFinding[] = [];
  const warned: CellFinding[] = [];
  const checked: RowValues[number][] = [];
  for (const [name, value] of values) {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (column?.type !== 'picture') {
      checked.push([name, value]);
      continue;
    }
    const row = { name, values, columns, files: checks.files };
    const cell = await checkCell(textsIn(value), column, row, checks.takes, placeOf);
    errors.push(...cell.errors);
    warned.push(...cell.warned);
    checked.push([name, typeof value === 'object' ? cell.texts : (cell.texts[0] ?? value)]);
  }
  return { values: checked, errors, warned };
}

type PlaceOf = (name: string, text: string) => { folder: string | undefined } | null;

interface CheckedCell extends Pick<CheckedFiles, 'errors' | 'warned'> {
  /** Of its files: those that can be used, with their hashes. */
  readonly texts: string[];
}

async function checkCell(
  given: readonly string[],
  column: PictureColumn,
  row: RowOfFile,
  takes: TakesFiles,
  placeOf: PlaceOf,
): Promise<CheckedCell> {
  const { name, values, files } = row;
  const errors: CellFinding[] = [];
  const warned: CellFinding[] = [];
  const texts: string[] = [];
  const pictures: Picture[] = [];
  const find = (what: UserMessage, wrong = name): CellFinding => ({
    column: wrong,
    cell: cellText(values.find(([each]) => each === wrong)?.[1] ?? ''),
    what,
  });
  for (const text of given) {
    const place = isFile(column, text) ? placeOf(name, text) : null;
    if (place === null) {
      texts.push(text);
      continue;
    }
    if (!takes(column)) return { texts, warned, errors: [find(userMessage('file-not-taken'))] };
    // Which of several it is.
    const named = (what: UserMessage): UserMessage =>
      column.maxItems === undefined
        ? what
        : joinMessages(userMessage('picture-now-unusable', { name: quotable(text) }), what);
    const reading = await checkFile(text, column, place.folder, row);
    if (reading.kind === 'invalid') {
      errors.push(find(named(reading.what), reading.column));
      continue;
    }
    files.pictures.remember(reading.file);
    texts.push(pictureText(reading.file));
    if (reading.warning !== null) warned.push(find(named(reading.warning)));
    if ('width' in reading.file) pictures.push(reading.file);
  }
  const tooMuch = column.maxItems === undefined ? null : tooMuchTogether(pictures);
  if (tooMuch !== null) errors.push(find(tooMuch));
  return { texts, errors, warned };
}

/** What there is too much of in the pictures of a row together; `null` if nothing is. */
function tooMuchTogether(pictures: readonly Picture[]): UserMessage | null {
  const bytes = pictures.reduce((sum, { size }) => sum + size, 0);
  const pixels = pictures.reduce((sum, { width, height }) => sum + width * height, 0);
  if (bytes > MAX_BYTES_TOGETHER) {
    const max = MAX_BYTES_TOGETHER / 1_000_000;
    return userMessage('pictures-too-large-together', { max });
  }
  if (pixels <= MAX_PIXELS_TOGETHER) return null;
  return userMessage('pictures-too-many-pixels-together', { max: MAX_PIXELS_TOGETHER / 1_000_000 });
}

type FileReading =
  | {
      readonly kind: 'file';
      readonly file: PictureValue | Picture;
      /** What is possible and worth knowing. */
      readonly warning: UserMessage | null;
    }
  | {
      readonly kind: 'invalid';
      readonly what: UserMessage;
      /** Another column of the row, which does not fit the file. */
      readonly column?: string;
    };

interface RowOfFile {
  /** The file's column. */
  readonly name: string;
  readonly values: RowValues;
  readonly columns: RequestTemplate['columns'];
  readonly files: RowFileChecks;
}

async function checkFile(
  cell: string,
  column: PictureColumn,
  folder: string | undefined,
  row: RowOfFile,
): Promise<FileReading> {
  switch (column.holds) {
    case 'captions': {
      const reading = await row.files.captions.check(cell, folder);
      if (reading.kind === 'invalid') return reading;
      const late = tooLate(reading.end, column.maxSeconds ?? Infinity);
      if (late !== null) return { kind: 'invalid', what: late };
      const warning = afterEnd(reading.end, row.values, row.columns);
      return { kind: 'file', file: reading, warning };
    }
    case 'clip': {
      const reading = await row.files.clips.check(cell, folder);
      if (reading.kind === 'invalid') return reading;
      const { clip } = reading;
      const warning =
        isSoundWanted(row) && !clip.hasSound ? userMessage('clip-without-sound') : null;
      return clipIssue(row, clip) ?? { kind: 'file', file: clip, warning };
    }
    case 'sound': {
      const reading = await row.files.sounds.check(cell, folder);
      if (reading.kind === 'invalid') return reading;
      return { kind: 'file', file: reading.sound, warning: null };
    }
    case 'font': {
      const reading = await row.files.fonts.check(cell, folder);
      if (reading.kind === 'invalid') return reading;
      const warning = lackingCharacters(drawnTexts(row), reading.has);
      return { kind: 'file', file: reading.font, warning };
    }
    default: {
      const reading = await checkPicture(cell, column, folder, row.files.pictures);
      if (reading.kind === 'invalid') {
        return { ...reading, what: whereSeveral(reading.what, column, row) };
      }
      return { kind: 'file', file: reading.picture, warning: sentAs(column, reading.picture) };
    }
  }
}

/** Where several pictures are named as one, says how, or in which column, several are named. */
function whereSeveral(
  what: UserMessage,
  { maxItems }: PictureColumn,
  { columns }: RowOfFile,
): UserMessage {
  if (!what.says.some(({ sentence }) => sentence === 'picture-several')) return what;
  if (maxItems !== undefined) return userMessage('picture-several-separated');
  const [column] = Object.entries(columns).find(([, each]) => severalIn(each) !== undefined) ?? [];
  return column === undefined ? what : userMessage('picture-several-in', { column });
}

/** What of a row does not fit its clip; `null` if all does. */
function clipIssue(row: RowOfFile, clip: RowClip): FileReading | null {
  const { name, values } = row;
  if (clip.unplayed !== null && isSoundWanted(row)) {
    return { kind: 'invalid', what: userMessage('clip-sound-codec', { codec: clip.unplayed }) };
  }
  const numberIn = (end: string): number | null => {
    const value = values.find(([each]) => each === `${name} ${end}`)?.[1];
    return typeof value === 'number' ? value : null;
  };
  const issue = partIssue({ from: numberIn('from') ?? 0, to: numberIn('to') }, clip);
  return issue && { kind: 'invalid', what: issue.what, column: `${name} ${issue.end}` };
}

function isSoundWanted({ name, values }: RowOfFile): boolean {
  const sound = values.find(([each]) => each === `${name} sound`)?.[1];
  return sound !== undefined && sound !== '' && sound !== 'off';
}

/** The texts of a row that a video shows in its font; captions have their own. */
function drawnTexts({ values, columns }: RowOfFile): string {
  const texts = values.flatMap(([name, value]) => {
    const type = Object.hasOwn(columns, name) ? columns[name]?.type : undefined;
    return type === 'text' || type === 'list' ? [String(value)] : [];
  });
  return texts.join(' ');
}

async function checkPicture(
  cell: string,
  column: PictureColumn,
  folder: string | undefined,
  pictures: PictureChecks,
): Promise<PictureReading> {
  const reading = await pictures.check(cell, folder);
  if (reading.kind === 'invalid') return reading;
  const what = unfitFor(column, reading.picture);
  return what === null ? reading : { kind: 'invalid', what };
}

function unfitFor(
  { formats = [...SENT_FORMATS], isAlphaPossible = true }: PictureColumn,
  { hasAlpha }: Picture,
): UserMessage | null {
  const takesAlpha = isAlphaPossible && formats.some((format) => format !== 'jpeg');
  return hasAlpha && !takesAlpha ? userMessage('picture-alpha') : null;
}

/** What a picture is sent as; `null` if as it is. */
function sentAs(column: PictureColumn, picture: Picture): UserMessage | null {
  const fit = fitFor(picture, column);
  if (fit === null) return null;
  const { format: from, width, height } = picture;
  const size = fittedSize(picture, fit.maxSide);
  return userMessage('picture-fitted', {
    from: from.toUpperCase(),
    width,
    height,
    to: fit.format.toUpperCase(),
    newWidth: size.width,
    newHeight: size.height,
  });
}

/** Says that a row's length ends before its captions; `null` if it does not, or has no length. */
function afterEnd(
  end: number,
  values: RowValues,
  columns: RequestTemplate['columns'],
): UserMessage | null {
  const length = values.find(([name]) => {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    return column?.type === 'number' && column.unit === 'seconds';
  })?.[1];
  const seconds = typeof length === 'number' ? length : Infinity;
  return end > seconds ? userMessage('captions-after-end', { seconds }) : null;
}

/**
 * Whether it is neither empty, nor an address, nor text. What is written as Spool writes a checked
 * file would later be taken for one, so it is checked.
 */
export function isFile({ holds }: PictureColumn, text: string): boolean {
  if (pictureIn(text) !== undefined) return true;
  if (holds === 'brand') return false;
  if (holds === 'captions') return isCaptionFile(text);
  return text !== '' && !/^https:\/\//i.test(text);
}
