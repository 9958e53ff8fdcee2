import { writeFileSync } from 'node:fs';
import { startRenderThread } from './render-thread.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/**
 * The entry of a process that renders. A worker thread renders, so that this thread can always
 * watch the memory of the whole process, including native decoders, which no limit of V8 covers;
 * and notice that the service has ended.
 */

/** A decoder can fill about 1 GB/s, so the limit is exceeded by at most 25 MB. */
const CHECK_INTERVAL_MS = 25;

let limitBytes = Infinity;

const answer = (message: FromWorker, sent: () => void = () => undefined): void => {
  process.send?.(message, undefined, undefined, sent);
};
// Not `process.exit`, which waits for the thread, which waits for the decoder.
const die = (): void => void process.kill(process.pid, 'SIGKILL');

const thread = startRenderThread({
  onMessage(message) {
    if (message.kind !== 'ready' && message.kind !== 'progress') limitBytes = Infinity;
    answer(message);
  },
  onExit({ crashed, cause }) {
    // A thread is out of memory only by V8's own limit.
    if (crashed) answer({ kind: 'failed', failure: { code: 'over-memory' } }, die);
    else throw cause instanceof Error ? cause : new Error('The rendering thread ended.');
  },
});

// Only `render-process.ts` sends messages, so they need no parsing.
process.on('message', (message: ToWorker) => {
  if (message.kind !== 'cancel') limitBytes = message.order.memoryBytes;
  thread.post(message);
});
process.on('disconnect', die);
// Terminals and service managers signal the whole group. The service decides when its workers end.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

setInterval(() => {
  if (process.memoryUsage.rss() <= limitBytes) return;
  limitBytes = Infinity;
  answer({ kind: 'failed', failure: { code: 'over-memory' } }, die);
  // The pool may be slow to read, and memory grows meanwhile.
  setTimeout(die, 2 * CHECK_INTERVAL_MS);
}, CHECK_INTERVAL_MS);

if (process.platform === 'linux') {
  // If memory runs out before the limit is reached, the system kills this process first.
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Some containers do not allow it.
  }
}
