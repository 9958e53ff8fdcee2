import path from 'node:path';

/**
 * The folder of Windows, for the full paths of its programs: a program without a path is searched
 * in the current folder first, which may contain anybody's file of that name.
 */
export function windowsFolder({ SystemRoot = '' }: NodeJS.ProcessEnv): string {
  return path.win32.isAbsolute(SystemRoot) ? SystemRoot : 'C:\\Windows';
}
