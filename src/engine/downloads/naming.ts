import path from 'node:path';
import { nameKey, safeName, withNumber } from './file-name.ts';
import type { Collision } from '../../contract/batch.ts';
import { pathInside } from '../files/path-inside.ts';

/** The default template of a batch. */
export const DEFAULT_TEMPLATE = '{batch}/{index} {title}.mp4';

/** Placeholders that every row has, besides the columns of its file. */
export const ALWAYS_NAMED: readonly string[] = ['row', 'batch', 'title', 'index'];

/**
 * A name leaves the selected folder. `nameFromTemplate` makes no such name; it is checked all the
 * same.
 */
export class NameEscapesError extends Error {
  override readonly name = 'NameEscapesError';
  readonly code = 'name-escapes';
}

/**
 * The path of a file below its folder, from a template such as `{batch}/{index} {title}.mp4`.
 * Only a `/` or `\` of the template itself makes a folder; one in a value is replaced. A
 * placeholder with no value stands for nothing.
 *
 * @param values every column of the import by its name, and `batch`, `index`, `title`. Names are
 *   compared without case.
 * @returns a relative path with `/` between its parts, ending in `.mp4`.
 */
export function nameFromTemplate(
  template: string,
  values: Readonly<Record<string, string | number>>,
): string {
  const byName = new Map(
    Object.entries(values).map(([name, value]) => [name.trim().toLowerCase(), String(value)]),
  );
  const parts = template
    .split(/[/\\]+/)
    .map((part) =>
      part.replace(
        /\{([^{}]*)\}/g,
        (_, name: string) => byName.get(name.trim().toLowerCase()) ?? '',
      ),
    );
  const file = (parts.pop() ?? '').replace(/\.mp4$/i, '');
  const folders = parts.filter((part) => part.trim() !== '').map((part) => safeName(part));
  return [...folders, safeName(file, '.mp4')].join('/');
}

/** Whether the names that a template makes depend on these columns of a file. */
export function usesColumns(template: string, columns: readonly string[]): boolean {
  const own = columns.filter((column) => !ALWAYS_NAMED.includes(column));
  const placeholders = placeholdersIn(template);
  return unknownPlaceholders(template, own).length < placeholders.length;
}

/** The placeholders of a template that no column fills, for a hint while it is typed. */
export function unknownPlaceholders(template: string, columns: readonly string[]): string[] {
  const known = new Set(columns.map((column) => column.trim().toLowerCase()));
  return placeholdersIn(template).filter((name) => !known.has(name.toLowerCase()));
}

function placeholdersIn(template: string): string[] {
  const names = template.matchAll(/\{([^{}]*)\}/g);
  return [...new Set(Array.from(names, ([, name = '']) => name.trim()))];
}

/**
 * An absolute path below `folder`.
 *
 * @throws {NameEscapesError} when the path would lie elsewhere.
 */
export function pathBelow(folder: string, relative: string): string {
  const root = path.resolve(folder);
  const target = path.resolve(root, relative);
  if (pathInside(root, target) === null) {
    throw new NameEscapesError(`${relative} is not inside ${root}.`);
  }
  return target;
}

/** The name inside `folder` of a file there, as {@link pathBelow} takes it. */
export function nameBelow(folder: string, file: string): string {
  return path.relative(folder, file).split(path.sep).join('/');
}

export interface WantedName {
  readonly id: string;
  /** Relative, from {@link nameFromTemplate}. */
  readonly name: string;
  /** Gets a number where others are skipped. */
  readonly isNumbered?: boolean;
}

export type SettledName =
  | { readonly id: string; readonly kind: 'named'; readonly name: string }
  /** Another job, or a file of an earlier run, has the name; this job is skipped. */
  | { readonly id: string; readonly kind: 'skipped'; readonly name: string };

/** Names that are taken, relative to the folder. */
export interface TakenNames {
  /** Names of the files that other jobs have saved or will save. */
  readonly ofJobs?: Iterable<string>;
  /** Names of everything in the folder. */
  readonly onDisk?: Iterable<string>;
}

/**
 * Chooses each job's name before its download starts. Jobs come in order: the first one that asks
 * for a name gets it.
 *
 * With `replace`, only files that belong to no job are replaced. Two jobs with one name are
 * numbered, because otherwise one would overwrite the video that the other has paid for.
 *
 * No file gets the name of a folder that another file needs.
 */
export function settleNames(
  wantedNames: readonly WantedName[],
  onCollision: Collision,
  { ofJobs = [], onDisk = [] }: TakenNames = {},
): SettledName[] {
  const there = onCollision === 'replace' ? [] : onDisk;
  const taken = new Set([...ofJobs, ...there].map(nameKey));
  const folders = new Set(
    [...new Set(wantedNames.flatMap(({ name }) => foldersAbove(name)))].map(nameKey),
  );
  // Counting up from 2 for each of thousands of equal names would be quadratic.
  const nextNumbers = new Map<string, number>();
  return wantedNames.map(({ id, name, isNumbered = false }): SettledName => {
    const wanted = nameKey(name);
    if (onCollision === 'skip' && !isNumbered && taken.has(wanted))
      return { id, kind: 'skipped', name };
    let own = name;
    let key = wanted;
    for (
      let number = nextNumbers.get(wanted) ?? 2;
      taken.has(key) || folders.has(key);
      number += 1
    ) {
      const { dir, base } = path.posix.parse(name);
      own = path.posix.join(dir, withNumber(base, number));
      key = nameKey(own);
      nextNumbers.set(wanted, number + 1);
    }
    taken.add(key);
    return { id, kind: 'named', name: own };
  });
}

/** `a` and `a/b` of `a/b/film.mp4`. */
function foldersAbove(name: string): string[] {
  const folders = [];
  for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', slash + 1)) {
    folders.push(name.slice(0, slash));
  }
  return folders;
}
