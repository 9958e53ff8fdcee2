import type { ProxySettings } from '../engine/proxy.ts';
import type { ServiceProgram } from '../host/service-program.ts';

/** The parts of its process that a command uses. */
export interface CommandContext {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  readonly cwd: string;
  /** Wall-clock milliseconds since the epoch. */
  readonly now: () => number;
  /**
   * The key from `SPOOL_API_KEY`, which has been removed from the environment; `null` without one.
   */
  readonly keyFromEnvironment: string | null;
  /** What the environment says about proxies; `null` where it names none. */
  readonly proxySettings: ProxySettings | null;
  /** Aborted by the first Ctrl-C; a second one ends the process. */
  readonly interrupted: AbortSignal;
  readonly serviceProgram: ServiceProgram;
}
