import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { TextTail } from './text-tail.ts';

/**
 * The local service's program, which a host starts as a process and never imports. It has the same
 * extension as this file: the source and the build have the same folders.
 */
export const LOCAL_SERVICE_FILE = path.join(
  import.meta.dirname,
  '..',
  'local-service',
  `main${path.extname(import.meta.filename)}`,
);

/** One run of the local service's command line. */
export interface ServiceProcess {
  /** The end of what it has complained about so far. */
  readonly complaints: () => string;
  /**
   * Resolves with the exit status when the process has ended; `null` when it was killed or never
   * started.
   */
  readonly exited: Promise<number | null>;
  /** Asks it to end at a safe point. Harmless when it has ended. */
  stop(): void;
  /** Kills it. Harmless when it has ended. */
  kill(): void;
}

/** Whether a run ends by itself, or with whoever started it. */
export type Lifetime = 'command' | 'companion';

/**
 * How a host starts the local service's command line: by Node, or as Electron's utility process.
 *
 * @param onLine takes each line that it answers, before `exited` resolves
 */
export type ServiceProgram = (
  args: readonly string[],
  lifetime: Lifetime,
  onLine: (line: string) => void,
) => ServiceProcess;

/**
 * Options of Node for a program that is mostly idle: by itself V8 keeps 16 MiB of short-lived
 * objects in each of two halves, and gives none of that back.
 */
const NODE_OPTIONS = ['--max-semi-space-size=4'];

/**
 * Starts the local service by its file, which is all that a client ever knows of its code. A
 * companion ends when its standard input closes, and so with this process, however that ends.
 */
export function serviceProgramInNode(file: string): ServiceProgram {
  return (args, lifetime, onLine) => {
    const withParent = lifetime === 'companion' ? ['--exit-with-parent'] : [];
    const child = spawn(process.execPath, [...NODE_OPTIONS, file, ...args, ...withParent], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C goes to a terminal's whole process group; the service must outlive the last request.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    // A service that has ended has closed its end of the pipe; `exited` reports that.
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', onLine);
    const complaints = new TextTail(child.stderr);
    return {
      complaints: () => complaints.text,
      exited: new Promise((resolve) => {
        child.once('error', () => resolve(null));
        child.once('close', resolve);
      }),
      stop: () => child.stdin.end(),
      kill: () => child.kill('SIGKILL'),
    };
  };
}
