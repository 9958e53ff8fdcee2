import { spawn } from 'node:child_process';
import { LOCAL_SERVICE_FILE } from '../../host/service-program.ts';
import type { CommandContext } from '../command-context.ts';
import { forwardSignals } from '../forward-signals.ts';
import { exitCodeOfInterruption } from '../exit-codes.ts';

/**
 * Passes its arguments to the local service's own command line, whose output becomes this process's
 * output.
 */
export function runServiceProgram(
  args: readonly string[],
  { interrupted }: CommandContext,
): Promise<number> {
  const child = spawn(process.execPath, [LOCAL_SERVICE_FILE, ...args], { stdio: 'inherit' });
  forwardSignals(child, interrupted);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? exitCodeOfInterruption(interrupted)));
  });
}
