import { spawn, type ChildProcess } from 'node:child_process';
import type { ForkOptions } from 'electron';
import { KnownEvents } from './strict.ts';

/** A utility process: a process of Node's own, which ends with this one at the latest. */
class StandInUtilityProcess extends KnownEvents {
  readonly #child: ChildProcess;

  constructor(file: string, args: readonly string[], { stdio }: ForkOptions) {
    super('UtilityProcess', ['exit', 'spawn']);
    if (!Array.isArray(stdio)) throw new Error('The stand-in for Electron wants a list of stdio.');
    this.#child = spawn(process.execPath, [file, ...args], { stdio: stdio as 'pipe'[] });
    this.#child.once('exit', (code) => this.emit('exit', code ?? 1));
    process.once('exit', () => this.#child.kill('SIGKILL'));
  }

  get stdout(): NodeJS.ReadableStream | null {
    return this.#child.stdout;
  }

  get stderr(): NodeJS.ReadableStream | null {
    return this.#child.stderr;
  }

  kill(): boolean {
    return this.#child.kill('SIGTERM');
  }
}

export function fork(
  file: string,
  args: readonly string[] = [],
  options: ForkOptions = {},
): StandInUtilityProcess {
  return new StandInUtilityProcess(file, args, options);
}
