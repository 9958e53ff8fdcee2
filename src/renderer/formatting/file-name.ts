/** The last part of a path, of POSIX or Windows. */
export function fileName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}
