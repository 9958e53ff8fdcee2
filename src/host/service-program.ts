import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { userMessage } from '../contract/user-message.ts';
import { isFileLimit } from '../engine/file-limit.ts';
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
  /** The end of its error output so far. */
  readonly errorOutput: () => string;
  /**
   * Resolves with the exit status when the process has ended; `null` when it was killed or never
   * started.
   */
  readonly exited: Promise<number | null>;
  /** Sends a line to a companion. No effect after its exit. */
  send(line: string): void;
  /** Asks the process to stop at a safe point. No effect after its exit. */
  stop(): void;
  /** Kills the process. No effect after its exit. */
  kill(): void;
}

/** Whether a run ends automatically (`command`), or with its parent process (`companion`). */
export type Lifetime = 'command' | 'companion';

/**
 * Starts the local service's command line: by Node, or as Electron's utility process.
 *
 * @param onLine receives each line of its output, before `exited` resolves
 */
export type ServiceProgram = (
  args: readonly string[],
  lifetime: Lifetime,
  onLine: (line: string) => void,
) => ServiceProcess;

/**
 * Node options for a mostly idle program: by default V8 keeps 16 MiB of short-lived objects in each
 * of two semi-spaces and never returns that memory.
 */
const NODE_OPTIONS = ['--max-semi-space-size=4'];

/**
 * Starts the local service by its file; clients know nothing else of its code. A companion exits
 * when its standard input closes, and therefore also when this process ends for any reason.
 */
export function serviceProgramInNode(file: string): ServiceProgram {
  return (args, lifetime, onLine) => {
    const withParent = lifetime === 'companion' ? ['--exit-with-parent'] : [];
    const child: ChildProcess = spawn(
      process.execPath,
      [...NODE_OPTIONS, file, ...args, ...withParent],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
        // Ctrl-C goes to a terminal's whole process group; the service must outlive the last request.
        detached: process.platform !== 'win32',
        windowsHide: true,
      },
    );
    // A service that has ended has closed its end of the pipe; `exited` reports that. One that could
    // not be started may have no pipes.
    child.stdin?.on('error', () => undefined);
    if (child.stdout) createInterface({ input: child.stdout }).on('line', onLine);
    const errorOutput = new TextTail(child.stderr);
    return {
      errorOutput: () => errorOutput.text,
      exited: new Promise((resolve) => {
        child.once('error', (error) => {
          errorOutput.add(
            isFileLimit(error) ? userMessage('too-many-open-files').message : error.message,
          );
          resolve(null);
        });
        child.once('close', resolve);
      }),
      send: (line) => {
        if (child.stdin?.writable) child.stdin.write(`${line}\n`);
      },
      stop: () => void child.stdin?.end(),
      kill: () => child.kill('SIGKILL'),
    };
  };
}
