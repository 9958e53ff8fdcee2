import { spawn } from 'node:child_process';
import { LOCAL_SERVICE_FILE } from '../../host/service-program.ts';
import type { CommandContext } from '../command-context.ts';
import { endWithUs } from '../end-with-us.ts';
import { exitCodeOfInterruption } from '../exit-codes.ts';

/**
 * Hands its arguments to the local service's own command line, which answers on this process's
 * output as if it had been started itself.
 */
export function runServiceProgram(
  args: readonly string[],
  { interrupted }: CommandContext,
): Promise<number> {
  const child = spawn(process.execPath, [LOCAL_SERVICE_FILE, ...args], { stdio: 'inherit' });
  endWithUs(child, interrupted);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? exitCodeOfInterruption(interrupted)));
  });
}
