import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RenderWorker, WorkerEvents } from './worker.ts';
import { messageFromWorker } from './worker-messages.ts';

/**
 * Starts a thread that renders. It shares this process's memory, and a crash of native code in it
 * ends the process.
 */
export function startRenderThread({ onMessage, onExit }: WorkerEvents): RenderWorker {
  // The other file has this file's extension, both in the source and in the build.
  const extension = path.extname(import.meta.filename);
  const thread = new Worker(path.join(import.meta.dirname, `render-worker${extension}`));
  thread.unref();
  let cause: unknown;
  thread.on('message', (raw) => {
    const message = messageFromWorker(raw);
    if (message) onMessage(message);
    else void thread.terminate();
  });
  thread.on('error', (error: unknown) => {
    cause = error;
  });
  thread.on('exit', () => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    onExit({ crashed: code === 'ERR_WORKER_OUT_OF_MEMORY', cause });
  });
  return {
    post: (message) => thread.postMessage(message),
    setBusy: (busy) => (busy ? thread.ref() : thread.unref()),
    kill: async () => {
      await thread.terminate();
    },
  };
}
