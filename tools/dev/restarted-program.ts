import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watch, type FSWatcher } from 'node:fs';
import { createInterface } from 'node:readline';

/** Editors save a file in several writes, or write a new file and rename it. */
const SETTLE_MS = 100;

export interface RestartedProgramOptions {
  /** Arguments for Node, the program first. */
  readonly args: readonly string[];
  /** Absolute paths of the folders whose changes restart it. */
  readonly watched: readonly string[];
  /** Called with each line of its standard output. */
  readonly onLine: (line: string) => void;
  /** Called when the program has ended: unprompted (`exit`), for a restart, or by `stop`. */
  readonly onEnd: (why: 'exit' | 'restart' | 'stop', code: number | null) => void;
}

/**
 * A Node program that is restarted when its sources change. After an unprompted exit it starts
 * again at the next change, since an immediate start would fail for the same reason.
 */
export class RestartedProgram {
  readonly #options: RestartedProgramOptions;
  readonly #watchers: FSWatcher[];
  #child: ChildProcess | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isRestarting = false;
  #isStopped = false;

  constructor(options: RestartedProgramOptions) {
    this.#options = options;
    this.#watchers = options.watched.map((folder) =>
      watch(folder, { recursive: true }, (_, file) => {
        if (file === null || isSource(file)) this.#scheduleRestart();
      }),
    );
    this.#start();
  }

  /** Sends the program a signal, and waits until it has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
    await this.#end(signal);
  }

  #scheduleRestart(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#restart(), SETTLE_MS);
  }

  async #restart(): Promise<void> {
    // A change during a restart is seen by the process that starts next.
    if (this.#isRestarting) return;
    this.#isRestarting = true;
    await this.#end('SIGTERM');
    this.#isRestarting = false;
    if (!this.#isStopped) this.#start();
  }

  #start(): void {
    const child = spawn(process.execPath, this.#options.args, {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', this.#options.onLine);
    child.once('exit', (code) => {
      this.#child = null;
      this.#options.onEnd(this.#isStopped ? 'stop' : this.#isRestarting ? 'restart' : 'exit', code);
    });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

/** False for editors' backup and lock files, and for files that compilers write beside a source. */
export function isSource(file: string): boolean {
  return /\.(?:ts|js|json|css|svg|woff2)$/.test(file) && !/(?:^|[/\\])\.[^/\\]*$/.test(file);
}
