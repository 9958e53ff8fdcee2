import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { BUILT_SERVICE_FILE } from '../rigs/built-programs.ts';
import type { PowerCutDisks } from './power-cut-disks.ts';

/** Limits that no test reaches. */
const LIMITS = ['generate', 'status', 'download', 'authentication'].flatMap((name) => [
  '--limit',
  `${name}=100000/60s`,
]);

/** What the service prints once it is ready. */
export interface StartedService {
  readonly url: string;
  readonly studioUrl: string;
  readonly caFile: string;
}

/** The local service with its real renderer, as a process on a file system that loses its power. */
export class PoweredService {
  readonly #disk: PowerCutDisks;
  readonly #dataDir: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #running = new Set<ChildProcess>();
  #cut: Promise<void> | null = null;

  /** @param cache a folder for compiled code, on a disk that keeps its power */
  constructor(disk: PowerCutDisks, cache: string) {
    this.#disk = disk;
    this.#dataDir = path.join(disk.folder, 'service');
    mkdirSync(this.#dataDir, { mode: 0o700 });
    for (const name of ['videos', 'images']) {
      const target = path.join(disk.videos, name);
      mkdirSync(target);
      symlinkSync(target, path.join(this.#dataDir, name));
    }
    execFileSync('sync', ['-f', this.#dataDir, disk.videos]);
    this.#env = { ...process.env, NODE_COMPILE_CACHE: cache };
  }

  /** Whether the power was cut: responses after the cut confirm nothing. */
  get isCut(): boolean {
    return this.#cut !== null;
  }

  /** @returns the address that it prints when it is ready; `null` if the power was cut before */
  async start(): Promise<StartedService | null> {
    this.#cut = null;
    // It ends with its parent: after a killed test, no process keeps the disk in use.
    const options = ['--port', '0', '--log-level', 'error', '--exit-with-parent'];
    const child = this.#run('start', ...options, ...LIMITS);
    const complaint = text(child.stderr!);
    const [line] = (await Promise.race([once(child.stdout!, 'data'), once(child, 'close')])) as [
      unknown,
    ];
    if (Buffer.isBuffer(line)) {
      return JSON.parse(line.toString()) as StartedService;
    }
    if (this.isCut) return null;
    throw new Error(`The service does not start: ${await complaint}`);
  }

  /** Runs a command of the user; `null` if the power was cut. */
  command(...args: string[]): Promise<Record<string, string> | null> {
    return this.isCut ? Promise.resolve(null) : this.#resultOf(this.#run(...args));
  }

  async #resultOf(child: ChildProcess): Promise<Record<string, string> | null> {
    const [said, complaint] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
    if (said !== '') return JSON.parse(said) as Record<string, string>;
    if (this.isCut) return null;
    throw new Error(complaint);
  }

  /** Cuts the power and restores it. Processes are stopped before the cut, and killed after it. */
  cut(): Promise<void> {
    // The later calls reject as well if the cut has failed.
    this.#cut ??= this.#failAndRestore();
    return this.#cut;
  }

  async #failAndRestore(): Promise<void> {
    this.#signal('SIGSTOP');
    await this.#disk.fail();
    await this.end();
    await this.#disk.restore();
  }

  async end(): Promise<void> {
    const closed = [...this.#running].map((child) => once(child, 'close'));
    this.#signal('SIGKILL');
    await Promise.all(closed);
  }

  #run(...args: string[]): ChildProcess {
    const child = spawn(
      process.execPath,
      [BUILT_SERVICE_FILE, ...args, '--data-dir', this.#dataDir],
      {
        env: this.#env,
        // In a separate process group, together with its render processes.
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    );
    this.#running.add(child);
    child.on('close', () => this.#running.delete(child));
    return child;
  }

  #signal(signal: NodeJS.Signals): void {
    for (const { pid } of this.#running) {
      if (pid === undefined) continue;
      try {
        process.kill(-pid, signal);
      } catch (error) {
        // One that has ended, and whose pipes are not closed yet.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }
}
