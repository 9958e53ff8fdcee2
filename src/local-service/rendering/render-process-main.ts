import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { startRenderThread } from './render-thread.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/**
 * The entry point of a render process. A worker thread renders, so that this thread can always
 * check the memory of the whole process, including native decoders, which V8's limits do not cover,
 * and detect the end of the service.
 */

/** A decoder can fill about 1 GB/s, so the limit is exceeded by at most 25 MB. */
const CHECK_INTERVAL_MS = 25;

let limitBytes = Infinity;

const send = (message: FromWorker, onSent: () => void = () => undefined): void => {
  process.send?.(message, undefined, undefined, onSent);
};
// Not `process.exit`, which waits for the thread, which may be busy in a decoder.
const killSelf = (): void => void process.kill(process.pid, 'SIGKILL');

const thread = startRenderThread({
  onMessage(message) {
    if (message.kind !== 'ready' && message.kind !== 'progress') limitBytes = Infinity;
    send(message);
    // As in `render-worker.ts`; this thread has modules of its own.
    if (message.kind === 'ready') flushCompileCache();
  },
  onExit({ crashed, cause }) {
    // A thread only counts as crashed when it exceeds V8's memory limit.
    if (crashed) send({ kind: 'failed', failure: { code: 'over-memory' } }, killSelf);
    else throw cause instanceof Error ? cause : new Error('The rendering thread ended.');
  },
});

// Only `render-process.ts` sends messages, so they are not parsed.
process.on('message', (message: ToWorker) => {
  if (message.kind !== 'cancel') limitBytes = message.order.memoryBytes;
  thread.post(message);
});
process.on('disconnect', killSelf);
// Terminals and service managers signal the whole process group, but only the service ends its
// workers.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

setInterval(() => {
  if (process.memoryUsage.rss() <= limitBytes) return;
  limitBytes = Infinity;
  send({ kind: 'failed', failure: { code: 'over-memory' } }, killSelf);
  // The service may be slow to read the message, while the memory keeps growing.
  setTimeout(killSelf, 2 * CHECK_INTERVAL_MS);
}, CHECK_INTERVAL_MS);

if (process.platform === 'linux') {
  // If the system's memory runs out before the limit is reached, Linux kills this process first.
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Some containers do not allow it.
  }
}
