import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Readable } from 'node:stream';

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
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The exit status; `null` when it was killed or never started. */
  readonly exited: Promise<number | null>;
  /** Asks it to end at a safe point. Harmless when it has ended. */
  end(): void;
}

/** Whether a run ends by itself, or with whoever started it. */
export type Lifetime = 'command' | 'companion';

/** How a host starts the local service's command line: by Node, or as Electron's utility process. */
export type ServiceProgram = (args: readonly string[], lifetime: Lifetime) => ServiceProcess;

/**
 * Starts the local service by its file, which is all that a client ever knows of its code. A
 * companion ends when its standard input closes, and so with this process, however that ends.
 */
export function serviceProgramInNode(file: string): ServiceProgram {
  return (args, lifetime) => {
    const withParent = lifetime === 'companion' ? ['--exit-with-parent'] : [];
    const child = spawn(process.execPath, [file, ...args, ...withParent], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C goes to a terminal's whole process group; the service must outlive the last request.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    // A service that ended already has closed its end; that is told by `exited`.
    child.stdin.on('error', () => undefined);
    return {
      stdout: child.stdout,
      stderr: child.stderr,
      exited: new Promise((resolve) => {
        child.once('error', () => resolve(null));
        child.once('close', resolve);
      }),
      end: () => child.stdin.end(),
    };
  };
}
