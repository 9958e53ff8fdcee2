/**
 * Warns of lengths that are possible and probably not meant: too short for the texts and scenes of
 * their row, or far from all others.
 */
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { textOf, type CellValue } from './cell.ts';
import type { RequestTemplate } from './request-template.ts';
import type { RowValues } from './row-values.ts';
import { scenesOf, scenesTooLong, shownScenes } from './scene-lengths.ts';

/** A row whose length is probably wrong. */
export interface LengthWarning {
  /** The place of the row in the list. */
  readonly at: number;
  readonly column: string;
  readonly cell: string;
  readonly what: UserMessage;
}

/** Words a second on a moving picture; subtitles have about three. */
const READING_SPEED = 2.8;
/** Faster than most people read at all. */
const MAX_SPEED = 5;
/** Shorter scenes, and shorter pictures of one, are hardly seen. */
const MIN_SCENE_SECONDS = 0.5;

/** The fewest lengths that show which ones are usual. */
const MIN_LENGTHS = 5;
/** A length so many times the usual one, or a part of it so small, is far from it. */
const FAR = 6;
/** The largest share of lengths that are far from the others. */
const MAX_FAR = 0.1;

/** @param rows the values of rows without errors; each is asked for once */
export function lengthWarnings(
  rows: readonly { readonly values: RowValues }[],
  template: RequestTemplate,
): LengthWarning[] {
  const warnings: LengthWarning[] = [];
  const ofScenes = sceneCheck(template);
  const lengths = new Map<string, Length[]>();
  for (const [column, { type, ...rest }] of Object.entries(template.columns)) {
    if (type === 'number' && 'unit' in rest && rest.unit === 'seconds') lengths.set(column, []);
  }
  for (const [at, { values }] of rows.entries()) {
    const found = ofScenes?.(values) ?? null;
    if (found !== null) warnings.push({ at, ...found });
    for (const [name, value] of values) {
      if (typeof value === 'number' && value > 0) lengths.get(name)?.push({ at, value });
    }
  }
  for (const [column, ofColumn] of lengths) warnings.push(...farLengths(ofColumn, column));
  return warnings;
}

interface Length {
  readonly at: number;
  readonly value: number;
}

function farLengths(lengths: readonly Length[], column: string): LengthWarning[] {
  if (lengths.length < MIN_LENGTHS) return [];
  const sorted = lengths.map(({ value }) => value).sort((one, other) => one - other);
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const far = lengths.filter(({ value }) => value >= FAR * usual || value * FAR <= usual);
  if (far.length > Math.max(1, MAX_FAR * lengths.length)) return [];
  return far.map(({ at, value }) => ({
    at,
    column,
    cell: String(value),
    what: userMessage('length-unusual', { text: String(value), usual }),
  }));
}

/** What is wrong with the length of a row; `null` where the template's requests have no scenes. */
function sceneCheck(
  template: RequestTemplate,
): ((values: RowValues) => Omit<LengthWarning, 'at'> | null) | null {
  const scenes = scenesOf(template);
  if (scenes === null) return null;
  return (values) => {
    const given = new Map<string, CellValue>();
    for (const [name, value] of values) if (value !== '') given.set(name, value);
    const length = given.get(scenes.column);
    if (typeof length !== 'number') return null;
    const tooLong = scenesTooLong(scenes, given, MIN_SCENE_SECONDS);
    if (tooLong !== null) return tooLong;
    const { fixed, open } = shownScenes(scenes, given);
    const most = MAX_SPEED * (length - fixed);
    const texts = open.flatMap((scene) => scene.texts.map((name) => textOf(given.get(name) ?? '')));
    // A word has two characters at least, with the space after it.
    if (texts.reduce((sum, { length: characters }) => sum + characters / 2 + 1, 0) <= most)
      return null;
    const words = texts.reduce((sum, text) => sum + countWords(text), 0);
    if (words <= most) return null;
    const needed = Math.ceil(fixed + words / READING_SPEED);
    const what = userMessage('texts-too-long', { text: String(length), words, needed });
    return { column: scenes.column, cell: String(length), what };
  };
}

/** Scripts that are written without spaces have about two characters a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

function countWords(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  const spaced = text.replace(UNSPACED, ' ').match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  return spaced + Math.ceil(unspaced / 2);
}
