/**
 * The decoder program: a process without the key and the queue, which may crash. A worker thread
 * decodes; this thread watches the memory and processor time of the whole process, including native
 * code, and exits when either exceeds its limit.
 */
import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

/** Resident memory. An 8K video needs about 700 MB, a 1080p video 200 MB. */
const MAX_MEMORY_BYTES = 1024 ** 3;
/** JavaScript memory of the decoding thread: the sample table of a 24-hour video fits. */
const MAX_HEAP_MB = 256;
/**
 * Processor time for one video, in milliseconds. Not wall time, which passes while the computer
 * sleeps.
 */
const MAX_CPU_MS = 10_000;
const CHECK_EVERY_MS = 20;

/** The part of Electron's `process.parentPort` that is used; Node has `process.send` instead. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

const { parentPort } = process as { readonly parentPort?: ParentPort };
const worker = new Worker(
  path.join(import.meta.dirname, `decoder-worker${path.extname(import.meta.filename)}`),
  { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } },
);
let startedAt = process.cpuUsage();

/**
 * The thread begins when it has loaded its modules and the host has received `begun`. If the process
 * crashed before that message was written, the message would be lost.
 */
async function request(message: unknown): Promise<void> {
  worker.postMessage(message);
  await once(worker, 'message');
  await answer({ kind: 'begun' });
  startedAt = process.cpuUsage();
  worker.postMessage('begin');
  const [made] = (await once(worker, 'message')) as [unknown];
  await answer(made);
}

/** Resolves when Node has written the message. Electron's port does not report that. */
function answer(message: unknown): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, undefined, undefined, () => resolve());
    else {
      parentPort?.postMessage(message);
      resolve();
    }
  });
}

/** `process.exit` would wait for native code in the worker thread to return. */
function exitNow(): void {
  process.kill(process.pid, 'SIGKILL');
}

if (parentPort) {
  parentPort.on('message', ({ data }) => void request(data));
} else {
  process.on('message', (message) => void request(message));
  process.on('disconnect', exitNow);
}
worker.on('error', exitNow);
worker.on('exit', exitNow);
setInterval(() => {
  const { user, system } = process.cpuUsage(startedAt);
  if (process.memoryUsage.rss() > MAX_MEMORY_BYTES || (user + system) / 1000 > MAX_CPU_MS)
    exitNow();
}, CHECK_EVERY_MS);
