/** Reads the scenes of a template's requests, and says how long a row's video lasts at least. */
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { CellValue } from './cell.ts';
import { placeholdersIn, wholeValuesIn, type RequestTemplate } from './request-template.ts';

/** The scenes of a template, and the column with the length of its videos. */
export interface Scenes {
  readonly column: string;
  readonly list: readonly Scene[];
}

interface Scene {
  /** Columns without which it is left out. */
  readonly needs: readonly string[];
  readonly texts: readonly string[];
  /** Columns of several pictures, which it shows one after the other. */
  readonly pictures: readonly string[];
  /** A number of seconds, or its column; `null` for a part of the whole length. */
  readonly seconds: number | string | null;
}

/** Read once, not for every row. */
const read = new WeakMap<RequestTemplate, Scenes | null>();

/** `null` where requests have neither scenes nor a column with their length. */
export function scenesOf(template: RequestTemplate): Scenes | null {
  const known = read.get(template);
  if (known !== undefined) return known;
  const { duration, scenes: list } = template.body;
  const [column] = typeof duration === 'string' ? wholeValuesIn(duration) : [];
  const scenes =
    column === undefined || !Array.isArray(list)
      ? null
      : { column, list: list.flatMap((scene) => sceneOf(scene, template.columns) ?? []) };
  read.set(template, scenes);
  return scenes;
}

/** The seconds of the scenes of a row that have their own length, and the others. */
export function shownScenes(
  { list }: Scenes,
  given: ReadonlyMap<string, CellValue>,
): { readonly fixed: number; readonly open: readonly Scene[] } {
  const shown = list.filter(({ needs }) => needs.every((name) => given.has(name)));
  const secondsOf = ({ seconds }: Scene): number =>
    typeof seconds === 'string' ? Number(given.get(seconds) ?? 0) : (seconds ?? 0);
  return {
    fixed: shown.reduce((sum, scene) => sum + secondsOf(scene), 0),
    open: shown.filter((scene) => secondsOf(scene) === 0),
  };
}

/**
 * That the length of a row is too short for its scenes; `null` if it is not, or has no length.
 * @param seconds that every scene, and each of several pictures, is shown at least
 */
export function scenesTooLong(
  scenes: Scenes,
  given: ReadonlyMap<string, CellValue>,
  seconds: number,
): { readonly column: string; readonly cell: string; readonly what: UserMessage } | null {
  const { column } = scenes;
  const length = given.get(column);
  if (typeof length !== 'number') return null;
  const { fixed, open } = shownScenes(scenes, given);
  const countIn = (name: string): number => {
    const value = given.get(name);
    return typeof value === 'object' ? value.length : 1;
  };
  const parts = open.map(({ pictures }) => Math.max(1, ...pictures.map(countIn)));
  const least = fixed + seconds * parts.reduce((sum, count) => sum + count, 0);
  if (least - length <= 0.001) return null;
  const text = String(length);
  return { column, cell: text, what: userMessage('scenes-too-long', { text, least }) };
}

function sceneOf(
  scene: RequestTemplate['body'][string],
  columns: RequestTemplate['columns'],
): Scene | null {
  if (typeof scene !== 'object' || scene === null || Array.isArray(scene)) return null;
  const { $if, seconds, ...rest } = scene;
  const [column] = typeof seconds === 'string' ? wholeValuesIn(seconds) : [];
  const named = [...new Set(placeholdersIn(rest))].flatMap((name) => {
    const of = Object.hasOwn(columns, name) ? columns[name] : undefined;
    return of === undefined ? [] : [{ name, of }];
  });
  const those = (isOne: (of: (typeof named)[number]['of']) => boolean): string[] =>
    named.filter(({ of }) => isOne(of)).map(({ name }) => name);
  return {
    needs: [$if].flat().filter((name) => typeof name === 'string'),
    texts: those(({ type }) => type === 'text' || type === 'list'),
    pictures: those((of) => of.type === 'picture' && of.maxItems !== undefined),
    seconds: typeof seconds === 'number' ? seconds : (column ?? null),
  };
}
