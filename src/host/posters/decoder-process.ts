import { execFile, fork } from 'node:child_process';
import path from 'node:path';

/**
 * The program that decodes media. A host starts it as a process and never imports it. It has the
 * same extension as this file: the source and the build have the same folders.
 */
export const DECODER_FILE = path.join(
  import.meta.dirname,
  `decoder-program${path.extname(import.meta.filename)}`,
);

/** A running decoder program. It receives paths and sends messages (`decoder-messages.ts`). */
export interface DecoderProcess {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Resolves when the process has exited for any reason, or could not start. */
  readonly exited: Promise<void>;
  /** Kills the process. No effect after its exit. */
  kill(): void;
}

/** Starts the decoder: by Node, or as Electron's utility process. */
export type StartDecoder = () => DecoderProcess;

/** Starts the decoder as a child of Node, with a message channel as its only open descriptor. */
export function decoderInNode(file: string): StartDecoder {
  return () => {
    const child = fork(file, [], {
      env: decoderEnvironment(process.env),
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Photos as bytes: as text in JSON, they took more of the app's time than reading and hashing.
      serialization: 'advanced',
      // Ctrl-C goes to a terminal's whole process group, and would look like a crash of the
      // decoder.
      detached: process.platform !== 'win32',
    });
    // Posting to a process that has just exited fails; `exited` reports it.
    child.on('error', () => undefined);
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    limitByKernel(child.pid);
    return {
      exited,
      post: (message) => {
        if (child.connected) child.send(message as object);
      },
      onMessage: (listener) => void child.on('message', listener),
      kill: () => void child.kill('SIGKILL'),
    };
  };
}

/** Needed to load native code. All other variables may hold secrets and are not passed on. */
const PASSED_VARIABLES = ['SystemRoot', 'TEMP', 'TMP', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/** The decoder's whole environment. */
export function decoderEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    PASSED_VARIABLES.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** More than the program allows itself, for the case that its own check fails. */
const KERNEL_MEMORY_BYTES = 2 * 1024 ** 3;

/**
 * On Linux, makes the kernel refuse the process more memory, any file content and core dumps.
 * Elsewhere, and without `prlimit`, the program's own memory check is the only limit.
 */
export function limitByKernel(pid: number | undefined): void {
  if (process.platform !== 'linux' || pid === undefined) return;
  const limits = [`--data=${KERNEL_MEMORY_BYTES}`, '--fsize=0', '--core=0'];
  execFile('/usr/bin/prlimit', ['--pid', String(pid), ...limits], { env: {} }, () => undefined);
}
