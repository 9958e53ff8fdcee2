import { MAX_BATCH_CELLS, MAX_BATCH_COLUMNS, MAX_BATCH_ROWS } from '../../contract/batch-limits.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';

/** Which limit of a batch a table exceeds. */
export type Excess = 'rows' | 'columns' | 'cells';

const SENTENCES = {
  rows: 'file-too-many-rows',
  columns: 'file-too-many-columns',
  cells: 'file-too-many-cells',
} as const;

const LIMITS = { rows: MAX_BATCH_ROWS, columns: MAX_BATCH_COLUMNS, cells: MAX_BATCH_CELLS };

/** The message about the limit that a table exceeds. */
export function excessMessage(name: string, excess: Excess): UserMessage {
  return userMessage(SENTENCES[excess], { name, max: LIMITS[excess].toLocaleString('en-GB') });
}

const SENTENCES_OF_FILES = {
  rows: 'files-too-many-rows',
  columns: 'files-too-many-columns',
  cells: 'files-too-many-cells',
} as const;

/** The message about the limit that several files exceed together. */
export function excessMessageOfFiles(excess: Excess): UserMessage {
  return userMessage(SENTENCES_OF_FILES[excess], { max: LIMITS[excess].toLocaleString('en-GB') });
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The limit that a table of separated values exceeds; `null` for none. Reads each character once
 * and stores nothing, so it can run before a parser creates an object for every cell.
 */
export function excessOfDelimited(text: string, delimiter: string): Excess | null {
  const separator = delimiter.charCodeAt(0);
  // The header, and a first line that names the delimiter, are not counted.
  let rowsLeft = MAX_BATCH_ROWS + 2;
  let cells = 0;
  let columns = 1;
  let isQuoted = false;
  let isCellStart = true;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isQuoted) {
      // A doubled quotation mark ends the quotation and begins it again.
      if (code === QUOTE) isQuoted = false;
    } else if (code === QUOTE && (isCellStart || text.charCodeAt(at - 1) === QUOTE)) {
      isQuoted = true;
    } else if (code === separator) {
      columns += 1;
      cells += 1;
      if (columns > MAX_BATCH_COLUMNS) return 'columns';
      if (cells > MAX_BATCH_CELLS) return 'cells';
      isCellStart = true;
      continue;
    } else if (code === LINE_FEED || code === CARRIAGE_RETURN) {
      const isPair = code === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED;
      if (isPair) at += 1;
      rowsLeft -= 1;
      columns = 1;
      if (rowsLeft === 0 && at + 1 < text.length) return 'rows';
      isCellStart = true;
      continue;
    }
    isCellStart = false;
  }
  return null;
}

/**
 * The same for JSON, where the elements of the list are the rows, and for JSON Lines, whose reader
 * counts the lines.
 */
export function excessOfJson(text: string, isList: boolean): Excess | null {
  let depth = 0;
  let rows = 1;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charAt(at)) {
      case '"':
        at = endOfString(text, at);
        break;
      case '[':
      case '{':
        depth += 1;
        values += 1;
        break;
      case ']':
      case '}':
        depth -= 1;
        break;
      case ',':
        values += 1;
        if (isList && depth === 1) rows += 1;
        if (rows > MAX_BATCH_ROWS) return 'rows';
        break;
    }
    if (values > MAX_BATCH_CELLS) return 'cells';
  }
  return null;
}

/** @returns the position of the quotation mark that ends a JSON string, or of the text's end */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
