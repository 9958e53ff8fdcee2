import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAX_BATCH_FILES } from '../contract/batch-limits.ts';
import { PAGES } from '../contract/computer.ts';
import { TABLE_EXTENSIONS } from '../contract/table-extensions.ts';

/** What a start of the program, a double click or a `spool://` link requests. */
export type Opened =
  | { readonly kind: 'batch-file'; readonly path: string }
  | { readonly kind: 'page'; readonly page: (typeof PAGES)[number] }
  | { readonly kind: 'add' }
  /** The number of files beyond the limit. */
  | { readonly kind: 'too-many-files'; readonly count: number };

export const LINK_SCHEME = 'spool';

/**
 * Extensions of files that Spool opens. electron-builder's configuration registers those of tables;
 * text, JSON and web pages belong to other programs.
 */
export const BATCH_EXTENSIONS: readonly string[] = TABLE_EXTENSIONS;

/** More pages than a user opens at a time. */
const MAX_LINKS = 20;

/** Characters; longer than any path that a system passes. */
const MAX_ARGUMENT = 4096;

/**
 * Parses a link. Any web page can contain one, so a link can open a page of the app and nothing
 * else: no file, no folder, nothing that adds or spends.
 */
export function openedByLink(link: string): Opened | null {
  const page = /^spool:(?:\/\/)?(?:show\/)?([a-z]{1,20})\/?$/.exec(link)?.[1];
  if (page === 'add') return { kind: 'add' };
  const known = PAGES.find((each) => each === page);
  return known === undefined ? null : { kind: 'page', page: known };
}

/**
 * Parses the arguments of a start of the program, this one's or a second one's. Switches belong to
 * Electron. A file must have a batch's extension and be on this computer: reading one from a server
 * would tell that server who asks. Linux desktops pass files as `file:` addresses.
 *
 * @param workingFolder absolute path to which relative arguments refer
 */
export function openedByArguments(
  args: readonly string[],
  workingFolder: string,
  paths: Pick<typeof path, 'resolve' | 'extname'> = path,
): readonly Opened[] {
  const opened = args.flatMap((argument): Opened[] => {
    if (argument.length > MAX_ARGUMENT || /\p{Cc}/u.test(argument)) return [];
    if (argument.startsWith('-')) return [];
    if (/^file:/i.test(argument)) {
      const file = localPath(argument);
      return file === null ? [] : [...openedByArguments([file], workingFolder, paths)];
    }
    if (/^[a-z][a-z0-9+.-]+:/i.test(argument)) {
      const opened = openedByLink(argument);
      return opened ? [opened] : [];
    }
    const file = paths.resolve(workingFolder, argument);
    if (/^[\\/]{2}/.test(argument) || /^[\\/]{2}/.test(file)) return [];
    const extension = paths.extname(file).slice(1).toLowerCase();
    return BATCH_EXTENSIONS.includes(extension) ? [{ kind: 'batch-file', path: file }] : [];
  });
  const files = opened.filter(({ kind }) => kind === 'batch-file');
  const links = opened.filter(({ kind }) => kind !== 'batch-file').slice(0, MAX_LINKS);
  const count = files.length - MAX_BATCH_FILES;
  return [
    ...links,
    ...files.slice(0, MAX_BATCH_FILES),
    ...(count > 0 ? [{ kind: 'too-many-files' as const, count }] : []),
  ];
}

/** The local path of a `file:` address; `null` for one on another computer. */
function localPath(address: string): string | null {
  try {
    const url = new URL(address);
    return url.hostname === '' ? fileURLToPath(url) : null;
  } catch {
    return null;
  }
}
