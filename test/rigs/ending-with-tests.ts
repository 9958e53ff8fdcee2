import { existsSync } from 'node:fs';

/** Of util-linux, which every Debian has. */
const SETPRIV = '/usr/bin/setpriv';

/**
 * The program and arguments for `spawn` of a process that is killed when the calling one ends,
 * however that ends: a test run that is killed cannot end what its tests have started, and an app
 * would go on for ever, with its local service. Where only Linux' kernel could do so, nothing is
 * changed.
 */
export function endingWithTests(program: string, args: readonly string[]): [string, string[]] {
  if (!existsSync(SETPRIV)) return [program, [...args]];
  return [SETPRIV, ['--pdeathsig', 'KILL', program, ...args]];
}
