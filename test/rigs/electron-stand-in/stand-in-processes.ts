import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { ForkOptions } from 'electron';
import { NODE } from './as-electron.ts';
import { KnownEvents } from './strict.ts';

const WORLD = path.join(import.meta.dirname, 'utility-world.ts');

/**
 * Output within this time, in milliseconds, before the end is lost: Electron removes the listeners.
 */
const LOST_BEFORE_END_MS = 50;

/**
 * A utility process with the limitations that Electron's documentation and issues describe: it does
 * not end when it is idle, `kill` ends it at once (as on Windows), and its streams have no end.
 */
export class StandInUtilityProcess extends KnownEvents {
  readonly #child: ChildProcess;
  #stdout: PassThrough | null;
  #stderr: PassThrough | null;
  #hasSpawned = false;
  #hasEnded = false;

  constructor(file: string, args: readonly string[], options: ForkOptions) {
    super('UtilityProcess', ['spawn', 'exit', 'message']);
    const { stdio = 'inherit', cwd, env, execArgv = [] } = options;
    const [input, out, errors] = Array.isArray(stdio) ? stdio : ['ignore', stdio, stdio];
    if (input !== 'ignore') throw new Error('stdin value other than ignore is not supported.');
    this.#child = spawn(NODE, ['--import', WORLD, ...execArgv, file, ...args], {
      stdio: ['ignore', out, errors, 'ipc'] as 'pipe'[],
      serialization: 'advanced',
      cwd,
      env: (env as NodeJS.ProcessEnv | undefined) ?? process.env,
    });
    this.#stdout = this.#through(this.#child.stdout);
    this.#stderr = this.#through(this.#child.stderr);
    this.#child.once('spawn', () => {
      this.#hasSpawned = true;
      this.emit('spawn');
    });
    this.#child.on('message', (message) => {
      if (!this.#hasEnded) this.emit('message', message);
    });
    this.#child.once('exit', (code) => this.#end(code ?? 1));
    this.#child.on('error', () => undefined);
    const killWithApp = (): unknown => this.#child.kill('SIGKILL');
    process.once('exit', killWithApp);
    void once(this.#child, 'exit').then(() => process.off('exit', killWithApp));
  }

  get pid(): number | undefined {
    return this.#hasSpawned && !this.#hasEnded ? this.#child.pid : undefined;
  }

  get stdout(): NodeJS.ReadableStream | null {
    return this.#stdout;
  }

  get stderr(): NodeJS.ReadableStream | null {
    return this.#stderr;
  }

  postMessage(message: unknown, transfer: readonly unknown[] = []): void {
    if (transfer.length > 0) throw new Error('The stand-in for Electron transfers no ports here.');
    const copy = structuredClone(message) as object;
    if (!this.#hasEnded) this.#child.send(copy, () => undefined);
  }

  kill(): boolean {
    return !this.#hasEnded && this.#child.kill('SIGKILL');
  }

  #through(stream: NodeJS.ReadableStream | null): PassThrough | null {
    if (stream === null) return null;
    const through = new PassThrough();
    stream.on('data', (chunk: Buffer) => {
      setTimeout(() => this.#hasEnded || through.write(chunk), LOST_BEFORE_END_MS);
    });
    return through;
  }

  #end(code: number): void {
    this.#hasEnded = true;
    this.emit('exit', code);
    this.#stdout?.removeAllListeners();
    this.#stderr?.removeAllListeners();
    this.#stdout = null;
    this.#stderr = null;
  }
}

/** @param isReady whether the app is: before that, no utility process can be created */
export function forkOf(isReady: () => boolean) {
  return (
    file: string,
    args: readonly string[] = [],
    options: ForkOptions = {},
  ): StandInUtilityProcess => {
    if (!isReady()) throw new Error('utilityProcess cannot be created before app is ready.');
    return new StandInUtilityProcess(file, args, options);
  };
}
