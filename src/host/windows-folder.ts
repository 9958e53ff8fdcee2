import path from 'node:path';

/**
 * The Windows folder, for full paths of its programs: a program without a path is searched in the
 * current folder first, which may contain another user's file of that name.
 */
export function windowsFolder({ SystemRoot = '' }: NodeJS.ProcessEnv): string {
  return path.win32.isAbsolute(SystemRoot) ? SystemRoot : 'C:\\Windows';
}
