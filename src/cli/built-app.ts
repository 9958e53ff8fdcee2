import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export const REPOSITORY = path.join(import.meta.dirname, '..', '..');

/** Where the build puts the page. */
export const PAGE_FOLDER = path.join(REPOSITORY, 'out', 'renderer');

/** Builds the app if that has not been done since it was cloned. */
export async function ensureBuilt(say: (sentence: string) => void): Promise<void> {
  if (existsSync(path.join(PAGE_FOLDER, 'index.html'))) return;
  say('Building the app, once …');
  const tool = path.join(REPOSITORY, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const child = spawn(process.execPath, [tool, 'build', '--logLevel', 'error'], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw new Error('The app could not be built; the lines above say why.');
}
