import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endingWithTests } from './ending-with-tests.ts';

const CHILD = path.join(import.meta.dirname, 'render-worker-child.ts');

export interface RenderWorkerOptions {
  readonly url: string;
  readonly files: string;
  readonly dataDir: string;
  readonly slots?: number;
  /** How long a render takes, in milliseconds. */
  readonly milliseconds?: number;
}

/**
 * A real process that renders videos of a shared database with a renderer that only writes files.
 */
export class RenderWorker implements AsyncDisposable {
  /** The titles of the videos that it has begun. */
  readonly begun: string[] = [];
  /** The lines of its log. */
  readonly complaints: string[] = [];
  readonly #process: ChildProcess;
  readonly #dataDir: string;
  readonly #ready = Promise.withResolvers<undefined>();

  constructor({ url, files, dataDir, slots = 1, milliseconds = 0 }: RenderWorkerOptions) {
    this.#dataDir = dataDir;
    const args = [CHILD, url, files, dataDir, String(slots), String(milliseconds)];
    const child = spawn(...endingWithTests(process.execPath, ['--no-warnings', ...args]), {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const said = JSON.parse(line) as { begun?: string };
      if (said.begun === undefined) this.#ready.resolve(undefined);
      else this.begun.push(said.begun);
    });
    createInterface({ input: child.stderr }).on('line', (line) => this.complaints.push(line));
    child.once('exit', () => this.#ready.resolve(undefined));
  }

  /** Resolves when it polls for videos. */
  get ready(): Promise<undefined> {
    return this.#ready.promise;
  }

  /** Lets it finish videos whose title begins with “hold”. */
  release(): void {
    writeFileSync(path.join(this.#dataDir, 'release'), '');
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(signal);
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    const ended = once(this.#process, 'close');
    this.#process.kill(signal);
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
  }
}
