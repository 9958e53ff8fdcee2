import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from './spool-process.ts';

/** The sources of the app's build. */
const SOURCES = ['src', 'resources', 'build', 'electron.vite.config.ts', 'package-lock.json'];

/** A file of each part of the build. */
const PARTS = ['main/main.js', 'preload/preload.cjs', 'renderer/index.html', 'icons/16x16.png'];

/**
 * Builds the app if it is missing or outdated: `npm test` builds before it tests, and a test that
 * is run alone must not use an outdated build. For Vitest; call it before the files that need it,
 * because two builds at the same time would write into the same folder.
 */
export default function ensureBuilt(): void {
  if (builtAt() > changedAt()) return;
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: REPOSITORY });
}

/** When the oldest part was written, in milliseconds since the epoch; 0 if one is missing. */
function builtAt(): number {
  const at = PARTS.map((part) => modifiedAt(path.join(REPOSITORY, 'out', part)));
  return Math.min(...at);
}

/**
 * When the newest source was written. Folders count too, because removing a file changes their
 * time.
 */
function changedAt(): number {
  const files = SOURCES.flatMap((name) => {
    const whole = path.join(REPOSITORY, name);
    if (!statSync(whole).isDirectory()) return [whole];
    const below = readdirSync(whole, { recursive: true, encoding: 'utf8' });
    return [whole, ...below.map((file) => path.join(whole, file))];
  });
  return Math.max(...files.map(modifiedAt));
}

function modifiedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
