/** Reads the font files that a table names, from the folder that the table is in. */
import { hash } from 'node:crypto';
import { userMessage, type UserMessage } from '../../../contract/user-message.ts';
import { readRowFile } from '../../pictures/row-file.ts';
import { charactersOf, type HasCharacter } from './font-characters.ts';
import { type FontFormat, fontFormatOf } from './font-tables.ts';

const MAX_BYTES = 10_000_000;
/** Characters named in one warning. */
const MAX_NAMED = 12;
/** What is not drawn, and emoji, which are always drawn in a font of their own. */
const OTHERWISE_DRAWN =
  /[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{M}\p{Emoji_Presentation}\p{Extended_Pictographic}]/u;

/** A font that can be sent; only the service draws with it. */
export interface RowFont {
  readonly format: FontFormat;
  /** Absolute, without links. */
  readonly path: string;
  /** Of its bytes, in lower-case hex. */
  readonly sha256: string;
}

export type FontReading =
  | { readonly kind: 'font'; readonly font: RowFont; readonly bytes: Buffer }
  /** `what` completes a sentence that begins with the cell's place. */
  | { readonly kind: 'invalid'; readonly what: UserMessage };

/** @param folder the table's; `undefined` if it is not known */
export async function readFont(cell: string, folder: string | undefined): Promise<FontReading> {
  const file = await readRowFile(cell, folder);
  if (file.kind === 'invalid') return file;
  const { bytes, path } = file;
  const format = fontFormatOf(bytes);
  if (format === undefined) return invalid(otherFile(bytes));
  if (bytes.length > MAX_BYTES) {
    return invalid(userMessage('font-too-large', { max: MAX_BYTES / 1_000_000 }));
  }
  const font = { format, path, sha256: hash('sha256', bytes) };
  return { kind: 'font', font, bytes };
}

export type FontChecked =
  | { readonly kind: 'font'; readonly font: RowFont; readonly has: HasCharacter }
  | Extract<FontReading, { kind: 'invalid' }>;

/** Reads a font that a cell names, and the characters that it has. */
export async function checkFont(cell: string, folder: string | undefined): Promise<FontChecked> {
  const reading = await readFont(cell, folder);
  if (reading.kind === 'invalid') return reading;
  const { font, bytes } = reading;
  const has = await charactersOf(bytes, font.format);
  return has === undefined ? invalid(userMessage('font-damaged')) : { kind: 'font', font, has };
}

/** Says which characters of a text a font lacks; `null` for none. */
export function lackingCharacters(text: string, has: HasCharacter): UserMessage | null {
  const lacking = [...new Set(text)].filter(
    (character) => !OTHERWISE_DRAWN.test(character) && !has(character.codePointAt(0) ?? 0),
  );
  if (lacking.length === 0) return null;
  const more = lacking.length > MAX_NAMED ? ' …' : '';
  return userMessage('font-lacks', { characters: lacking.slice(0, MAX_NAMED).join(' ') + more });
}

function otherFile(bytes: Buffer): UserMessage {
  const signature = bytes.toString('latin1', 0, 4);
  if (signature === 'wOFF') return userMessage('font-woff');
  return userMessage(signature === 'ttcf' ? 'font-collection' : 'font-unknown');
}

function invalid(what: UserMessage): Extract<FontReading, { kind: 'invalid' }> {
  return { kind: 'invalid', what };
}
