/**
 * `npm run demo`: six videos on this computer; with `--scale-out`, those of a service on several
 * computers (scale-out-demo.ts).
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const args = process.argv.slice(2);
const program = args.includes('--scale-out')
  ? [path.join(import.meta.dirname, 'scale-out-demo.ts')]
  : [path.join(import.meta.dirname, '..', 'src', 'cli', 'main.ts'), 'demo', ...args];
const { status } = spawnSync(process.execPath, program, { stdio: 'inherit' });
process.exitCode = status ?? 1;
