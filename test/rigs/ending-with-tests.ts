import { existsSync } from 'node:fs';

/** Of util-linux, which every Debian has. */
const SETPRIV = '/usr/bin/setpriv';

/**
 * The program and arguments for `spawn` of a process that is killed when the calling one ends for
 * any reason: a killed test run cannot end the processes of its tests, and an app with its local
 * service would run for ever. Only Linux' kernel supports this; elsewhere nothing is changed.
 */
export function endingWithTests(program: string, args: readonly string[]): [string, string[]] {
  if (!existsSync(SETPRIV)) return [program, [...args]];
  return [SETPRIV, ['--pdeathsig', 'KILL', program, ...args]];
}
