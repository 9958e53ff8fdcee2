import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import path from 'node:path';
import type { RenderWorker, WorkerEvents } from './worker.ts';
import { messageFromWorker } from './worker-messages.ts';

/** Signals that mean that a process's own code crashed. */
const CRASH_SIGNALS = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'];
/** NTSTATUS codes of severity "error" (MS-ERREF §2.3), such as an access violation. */
const WINDOWS_CRASH = 0xc0000000;
const MAX_STDERR_LENGTH = 2000;
/** Needed to load native and compiled code. Other variables may contain secrets. */
const PASSED_VARIABLES = [
  'SystemRoot',
  'TEMP',
  'TMP',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'NODE_COMPILE_CACHE',
];

export interface RenderProcess extends RenderWorker {
  /** `undefined` if the process could not be started. */
  readonly pid: number | undefined;
}

/**
 * Starts a process that renders, so that an image that crashes its decoder or fills the memory does
 * not affect the service. The process is killed when it exceeds its order's memory limit, and when
 * this process ends.
 */
export function startRenderProcess({ onMessage, onExit }: WorkerEvents): RenderProcess {
  // The other file has this file's extension, both in the source and in the build.
  const extension = path.extname(import.meta.filename);
  const file = path.join(import.meta.dirname, `render-process-main${extension}`);
  const child = spawn(process.execPath, [file], {
    env: childEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
  });
  setReferenced(child, false);
  let stderrTail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-MAX_STDERR_LENGTH);
  });
  const ended = new Promise<void>((resolve) => {
    const end = (crashed: boolean, cause: unknown): void => {
      resolve();
      onExit({ crashed, cause });
    };
    child.on('error', (error) => {
      // A process that could not be started has no pid and emits no exit event.
      if (child.pid === undefined) end(false, error);
    });
    child.on('exit', (code, signal) => {
      end(
        isCrash(code, signal),
        new Error(`It ended with ${signal ?? code}. ${stderrTail}`.trim()),
      );
    });
  });
  child.on('message', (raw) => {
    const message = messageFromWorker(raw);
    if (message) onMessage(message);
    else child.kill('SIGKILL');
  });
  return {
    pid: child.pid,
    post: (message) => {
      // If the worker has just ended, the exit event reports that.
      if (child.connected) child.send(message, () => undefined);
    },
    setBusy: (busy) => setReferenced(child, busy),
    kill: () => {
      // Keeps this process alive until the child has ended.
      setReferenced(child, true);
      child.kill('SIGKILL');
      return ended;
    },
  };
}

/** Whether a process ended because its own code crashed: by its exit code on Windows. */
export function isCrash(code: number | null, signal: NodeJS.Signals | null): boolean {
  return signal === null ? (code ?? 0) >= WINDOWS_CRASH : CRASH_SIGNALS.includes(signal);
}

/** The environment of a process that decodes untrusted images. */
function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(PASSED_VARIABLES.map((name) => [name, env[name]]));
}

function setReferenced(child: ChildProcess, referenced: boolean): void {
  const change = referenced ? 'ref' : 'unref';
  child[change]();
  child.channel?.[change]();
  const stderr: unknown = child.stderr;
  if (stderr instanceof Socket) stderr[change]();
}
