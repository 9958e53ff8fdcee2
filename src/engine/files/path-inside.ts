import path from 'node:path';

/** The path from a folder to a file or folder below it; `null` if it is elsewhere. Absolute paths. */
export function pathInside(folder: string, file: string): string | null {
  const way = path.relative(folder, file);
  const isInside = way !== '' && !path.isAbsolute(way) && way.split(path.sep)[0] !== '..';
  return isInside ? way : null;
}

/**
 * Whether two absolute paths are equal, apart from separators, `.` and `..`, and case on Windows.
 * Does not follow links, and knows of no file system that ignores case elsewhere.
 */
export function isSamePath(one: string, other: string): boolean {
  return path.relative(one, other) === '';
}
