/**
 * Finds rows below the header that are probably no videos: headings between videos, notes below
 * them, and other tables. The user is asked about each, since a video may look like that too.
 */
import type { LeftOutReason, UnlikelyKind } from '../../../contract/table-reading.ts';
import { headerText, isVisible } from './cell-visibility.ts';
import type { ColumnOf } from './table-options.ts';
import { isTableNumber, widthOf, type GridRow } from './grid-row.ts';

/** A row below the header that is not empty. */
export interface BodyRow {
  readonly row: GridRow;
  /** Why it makes no video; `null` for one that does. */
  readonly reason: LeftOutReason | 'total' | null;
}

export interface UnlikelyRows {
  readonly looksLike: UnlikelyKind;
  /** Without empty ones between them. */
  readonly rows: readonly GridRow[];
}

/** What decides about a row. */
interface Shape extends BodyRow {
  readonly width: number;
  readonly isAfterGap: boolean;
  /** Below a total, also below one that the user leaves out. */
  readonly isAfterTotal: boolean;
}

const MONTHS =
  'jan(?:uary|uar|vier)?|jän(?:ner)?|feb(?:ruary|ruar)?|février|m(?:ar(?:ch)?|ärz|rz|ars)|apr(?:il)?|avril|ma[iy]|juni?|june|juin|juli?|july|juillet|aug(?:ust)?|août|sep(?:t(?:ember)?)?|septembre|o[ck]t(?:ober)?|octobre|nov(?:ember|embre)?|de[cz](?:ember)?|décembre';
const DAYS =
  'mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche';
/** Weeks, months, days, and lines that are drawn around a word or end with a colon. */
const HEADINGS = [
  String.raw`^(?:calendar )?(?:week|wk|kw|(?:kalender)?woche|semaine|semana|settimana|týden|vecka|uge|tydzień)\s*[.:#-]?\s*\d{1,2}(?!\p{L}).{0,40}$`,
  String.raw`^(?:${MONTHS})\.?\s*['’]?\d{2,4}$`,
  String.raw`^(?:${DAYS})(?:day)?\.?(?:,?\s.{0,20}\d.{0,20})?$`,
  String.raw`^q[1-4](?:[\s/]*\d{2,4})?$|^\d{4}[\s/-]*q[1-4]$`,
  String.raw`^\d{1,2}[./]\d{1,2}[./](?:\d{2}|\d{4})?$|^\d{4}-\d{2}-\d{2}$`,
  String.raw`^[-–—=*#~+>•.]{2,}\s*[\p{L}\d].{0,60}$`,
  String.raw`^[\p{L}\d].{0,60}:$`,
].map((pattern) => new RegExp(pattern, 'iu'));
/** Parts of a whole, which are titles of videos as often. */
const PART =
  /^(?:part|teil|section|abschnitt|chapter|kapitel|phase|block|batch|group|gruppe|season|staffel|series|reihe|sprint|modul[e]?|page|seite|day|tag|quarter|quartal|month|monat)\s*[.:#-]?\s*(?:\d+|[ivx]+|[a-e])(?!\p{L}).{0,40}$/iu;

/** Headers of what people keep beside a list of videos. */
const HEADER_WORDS =
  /^(?:(?:first |last |full |vor|nach)?names?|nr\.?|no\.?|#|id|role|rolle|who|wer|what|was|when|wann|where|wo|phone|telefon|tel\.?|mobile?|e-?mail|contact|kontakt|team|person|people|owner|verantwortlich|responsible|task|aufgabe|to-?do|status|state|date|datum|time|uhrzeit|start|end|ende|deadline|due|fällig|amount|betrag|price|preis|cost|costs|kosten|budget|quantity|menge|anzahl|count|key|schlüssel|value|wert|code|meaning|bedeutung|description|beschreibung|comments?|kommentare?|notes?|notiz(?:en)?|bemerkung(?:en)?|location|ort|city|stadt|country|land|address|adresse|company|firma|client|kunde|use|verwendung|type|typ|category|kategorie|option|setting|einstellung)$/iu;
/** Headings of two levels above a video. */
const MAX_LEVELS = 2;
/** Characters of a header that no column of the service has. */
const MAX_HEADER = 40;

/**
 * @param body in the order of the file
 * @param columns how many columns have a name
 * @param columnOf the name of the column that a header means
 */
export function findUnlikelyRows(
  body: readonly BodyRow[],
  columns: number,
  columnOf: ColumnOf,
): readonly UnlikelyRows[] {
  if (columns < 2) return [];
  const shapes = body.map(({ row, reason }, at): Shape => {
    const before = body[at - 1]?.row.row;
    return {
      row,
      reason,
      width: widthOf(row),
      isAfterGap: before !== undefined && before < row.row - 1,
      isAfterTotal: ['total', 'chosen'].includes(body[at - 1]?.reason ?? ''),
    };
  });
  const wide = shapes.filter(({ width, reason }) => reason === null && width > 1);
  // Between rows that all have an empty line above them, it says nothing.
  const hasGaps = 2 * wide.filter(({ isAfterGap }) => isAfterGap).length >= wide.length;
  const known = hasGaps ? shapes.map((shape) => ({ ...shape, isAfterGap: false })) : shapes;
  const tables = otherTables(known, columnOf);
  const inTables = new Set(tables.flatMap(({ rows }) => rows));
  const rest = known.filter(({ row, reason }) => reason === null && !inTables.has(row));
  return [...tables, ...headingsAndNotes(rest)];
}

/** Each from its header up to an empty line, or to the end if its columns are known. */
function otherTables(shapes: readonly Shape[], columnOf: ColumnOf): UnlikelyRows[] {
  const tables: UnlikelyRows[] = [];
  let least = Infinity;
  for (let at = 0; at < shapes.length; at += 1) {
    const end = endOfTable(shapes, at, least, columnOf);
    if (end > at) {
      const rows = shapes.slice(at, end).filter(({ reason }) => reason === null);
      tables.push({ looksLike: 'other-table', rows: rows.map(({ row }) => row) });
      at = end - 1;
    } else {
      const { width = 0, reason } = shapes[at] ?? {};
      if (width > 1 && reason === null) least = Math.min(least, width);
    }
  }
  return tables;
}

/**
 * The place after another table that begins at this place; the place itself if none does.
 * @param least how many cells every row above has at least
 */
function endOfTable(
  shapes: readonly Shape[],
  at: number,
  least: number,
  columnOf: ColumnOf,
): number {
  const first = shapes[at];
  if (first?.reason !== null) return at;
  if (isOtherHeader(first, columnOf)) {
    return placeAfter(
      shapes,
      at,
      (shape) => shape.reason === 'repeated-header' || isOtherHeader(shape, columnOf),
    );
  }
  if (!first.isAfterGap || least === Infinity) return at;
  const block = shapes.slice(
    at,
    placeAfter(shapes, at, ({ isAfterGap }) => isAfterGap),
  );
  const titles = block.findIndex(({ width }) => width > 1);
  const [header, ...others] = block.slice(titles);
  if (titles < 0 || titles > MAX_LEVELS || header === undefined || others.length === 0) return at;
  const isNarrow = [header, ...others].every(({ width }) => width < least);
  const words = headerWords(header, columnOf);
  return words === header.width || (words > 0 && isNarrow && isHeaderLike(header))
    ? at + block.length
    : at;
}

/** The next place with such a shape, or the end. */
function placeAfter(
  shapes: readonly Shape[],
  at: number,
  isSuch: (shape: Shape) => boolean,
): number {
  let next = at + 1;
  for (let shape = shapes[next]; shape !== undefined && !isSuch(shape); shape = shapes[next]) {
    next += 1;
  }
  return next;
}

/** Names of columns, which are no texts of a video: the file's own header is left out as repeated. */
function isOtherHeader({ row, width, reason }: Shape, columnOf: ColumnOf): boolean {
  if (width < 2 || reason !== null) return false;
  const columns = new Set<string>();
  for (const cell of row.cells) {
    if (!isVisible(cell)) continue;
    const column = columnOf(cell);
    if (column === undefined || columns.has(column)) return false;
    columns.add(column);
  }
  return true;
}

/** How many of a row's texts are headers. */
function headerWords({ row }: Shape, columnOf: ColumnOf): number {
  return row.cells.filter(
    (cell) =>
      isVisible(cell) && (HEADER_WORDS.test(headerText(cell)) || columnOf(cell) !== undefined),
  ).length;
}

function isHeaderLike({ row }: Shape): boolean {
  return row.cells
    .filter(isVisible)
    .every((cell) => cell.length <= MAX_HEADER && !isTableNumber(cell));
}

/** Rows with one text alone. */
function headingsAndNotes(shapes: readonly Shape[]): UnlikelyRows[] {
  const wide = shapes.filter(({ width }) => width > 1);
  if (wide.length === 0) return [];
  const isDivided = areSections(shapes, wide);
  const found: UnlikelyRows[] = [];
  for (let at = 0; at < shapes.length; at += 1) {
    const { row: first, width = 0 } = shapes[at] ?? {};
    if (width > 1) {
      // A sentence below the table, which its commas separated.
      const isLast = at === shapes.length - 1 && shapes[at]?.isAfterGap === true;
      if (first !== undefined && isLast && hasSpaces(first) && !wide.slice(0, -1).some(hasSpacesIn))
        found.push({ looksLike: 'note', rows: [first] });
      continue;
    }
    const next = placeAfter(shapes, at, ({ width }) => width > 1);
    const isLast = next === shapes.length;
    const run = shapes.slice(at, next);
    const isShort = run.length <= MAX_LEVELS;
    const isBelow = run.findIndex((each) => each.isAfterGap || each.isAfterTotal);
    for (const [place, { row, isAfterGap }] of run.entries()) {
      const isNote = isLast && isBelow >= 0 && place >= isBelow;
      const isHeading =
        row.isMerged === true ||
        isDivided ||
        hasHeadingText(row, wide, isShort ? [...HEADINGS, PART] : HEADINGS) ||
        (isShort && isAfterGap && !isLast);
      if (isNote) found.push({ looksLike: 'note', rows: [row] });
      else if (isHeading) found.push({ looksLike: 'section', rows: [row] });
    }
    at += run.length - 1;
  }
  return found;
}

/**
 * Whether rows with one text alone divide all others, which have three or more, into sections. One
 * such row among them may as well be a video of which only the title is known.
 */
function areSections(shapes: readonly Shape[], wide: readonly Shape[]): boolean {
  const isAlone = (at: number): boolean => shapes[at]?.width === 1;
  const begins = shapes.filter((_, at) => isAlone(at) && !isAlone(at - 1)).length;
  const isFilled = wide.every(({ width }) => width > 2) && begins < wide.length;
  return isFilled && begins > 1 && isAlone(0) && !isAlone(shapes.length - 1);
}

/** Whether a text is like a heading, and no text of a video in its column is like it. */
function hasHeadingText(
  { cells }: GridRow,
  wide: readonly Shape[],
  headings: readonly RegExp[],
): boolean {
  const column = cells.findIndex(isVisible);
  const heading = headings.find((each) => each.test(headerText(cells[column] ?? '')));
  return (
    heading !== undefined &&
    !wide.some(({ row }) => heading.test(headerText(row.cells[column] ?? '')))
  );
}

/** Whether a cell begins with a space, as after a comma in a sentence. */
function hasSpaces({ cells }: GridRow): boolean {
  return cells.some((cell) => cell.startsWith(' ') && isVisible(cell));
}

function hasSpacesIn({ row }: Shape): boolean {
  return hasSpaces(row);
}
