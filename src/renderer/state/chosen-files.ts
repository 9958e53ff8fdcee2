/** Cells for files that the user chooses in a form. The page has no module for paths. */

/** Of a file: its folders and its name, the root first. */
type Parts = readonly string[];

/**
 * What a cell says of a file: its path from the table's folder, or its whole path if it is elsewhere.
 * @param file absolute path
 * @param folder the table's, an absolute path; `undefined` if it is not known
 */
export function cellOfFile(file: string, folder: string | undefined): string {
  const parts = partsOf(file);
  const outer = folder === undefined ? null : partsOf(folder);
  if (parts === null || outer === null || commonLength(parts, outer) < outer.length) return file;
  return parts.slice(outer.length).join('/');
}

/** A cell with these files as well, each on its line. @param folder as of {@link cellOfFile} */
export function cellWithFiles(
  cell: string,
  files: readonly string[],
  folder: string | undefined,
): string {
  const there = cell.split('\n').filter((line) => line.trim() !== '');
  return [...there, ...files.map((file) => cellOfFile(file, folder))].join('\n');
}

/**
 * The innermost folder that has all of these files: the one of a form, which has no table.
 * @param cells other texts than absolute paths are ignored
 * @returns `undefined` without such a folder
 */
export function folderOfFiles(cells: readonly string[]): string | undefined {
  const folders = cells.flatMap((cell) => {
    const parts = partsOf(cell);
    return parts === null ? [] : [parts.slice(0, -1)];
  });
  const [first] = folders;
  if (first === undefined) return undefined;
  const shared = Math.min(...folders.map((folder) => commonLength(first, folder)));
  const [root, ...inside] = first.slice(0, shared);
  if (root === undefined) return undefined;
  return root === '/' ? `/${inside.join('/')}` : `${root}\\${inside.join('\\')}`;
}

/** `null` for what is no path on a drive of this computer. */
function partsOf(path: string): Parts | null {
  const [, drive, below = ''] = /^([a-z]:)[\\/](.*)$/is.exec(path) ?? [];
  if (drive !== undefined) return [drive, ...below.split(/[\\/]/).filter(Boolean)];
  if (!path.startsWith('/') || path.startsWith('//')) return null;
  return ['/', ...path.split('/').filter(Boolean)];
}

/** How many of the first parts are equal; Windows ignores case. */
function commonLength(one: Parts, other: Parts): number {
  const isSame = (part: string, at: number): boolean =>
    one[0] === '/' ? part === other[at] : part.toLowerCase() === other[at]?.toLowerCase();
  const end = one.findIndex((part, at) => !isSame(part, at));
  return end < 0 ? one.length : end;
}
