import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAX_BATCH_FILES } from '../contract/batch-limits.ts';
import { PAGES } from '../contract/computer.ts';

/** What a start of the program, a double click or a `spool://` link asks for. */
export type Opened =
  | { readonly kind: 'batch-file'; readonly path: string }
  | { readonly kind: 'page'; readonly page: (typeof PAGES)[number] }
  | { readonly kind: 'add' }
  /** So many files more than are taken. */
  | { readonly kind: 'too-many-files'; readonly count: number };

export const LINK_SCHEME = 'spool';

/**
 * Files that Spool opens. electron-builder's configuration lists the same but for JSON, which belongs
 * to others.
 */
export const BATCH_EXTENSIONS: readonly string[] = ['csv', 'tsv', 'json', 'jsonl'];

/** More pages than anybody asks for at a time. */
const MAX_LINKS = 20;

/** Longer than any path that a system hands over. */
const MAX_ARGUMENT = 4096;

/**
 * Reads what a link asks for. Any page of the web can make one, so a link can open a page of the
 * app and nothing else: no file, no folder, nothing that adds or spends.
 */
export function openedByLink(link: string): Opened | null {
  const page = /^spool:(?:\/\/)?(?:show\/)?([a-z]{1,20})\/?$/.exec(link)?.[1];
  if (page === 'add') return { kind: 'add' };
  const known = PAGES.find((each) => each === page);
  return known === undefined ? null : { kind: 'page', page: known };
}

/**
 * Reads the arguments of a start of the program, this one's or a second one's. Switches belong to
 * Electron; a file must be of a kind that holds batches, and on this computer: asking for one on a
 * server would tell that server who is asking. Linux desktops name files by their address.
 *
 * @param workingFolder absolute path of the folder in which relative arguments are meant
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
      const file = fileAt(argument);
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

/** The path that a `file:` address of this computer stands for. */
function fileAt(address: string): string | null {
  try {
    const url = new URL(address);
    return url.hostname === '' ? fileURLToPath(url) : null;
  } catch {
    return null;
  }
}
