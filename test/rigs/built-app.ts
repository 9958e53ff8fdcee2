import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from './spool-process.ts';

/** `npm test` builds before it tests; a test that is run by itself may have to. */
export function ensureBuilt(): void {
  if (existsSync(path.join(REPOSITORY, 'out', 'icons', '16x16.png'))) return;
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: REPOSITORY });
}
