/**
 * `npm run demo`: renders six films with pictures on this computer; with `--scale-out`, by a service as on
 * several computers (scale-out-demo.ts).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import path from 'node:path';

const args = process.argv.slice(2);
const program = args.includes('--scale-out')
  ? [path.join(import.meta.dirname, 'scale-out-demo.ts')]
  : [path.join(import.meta.dirname, '..', 'src', 'cli', 'main.ts'), 'demo', ...args];
const child = spawn(process.execPath, program, { stdio: 'inherit' });
// A terminal sends its signal to the child too, which cleans up; this process waits for it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => void child.kill('SIGTERM'));
const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
