import { writeFileSync } from 'node:fs';
import { startRenderThread } from './render-thread.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/**
 * The entry of a process that renders. A worker thread renders, so that this thread can always
 * watch the memory of the whole process, including native decoders, which no limit of V8 covers;
 * and notice that the service has ended.
 */

/** A decoder fills about a gigabyte a second: so often is looked, and so little is overshot. */
const CHECK_INTERVAL_MS = 25;

let limitBytes = Infinity;

const answer = (message: FromWorker, sent: () => void = () => undefined): void => {
  process.send?.(message, undefined, undefined, sent);
};
// Not `process.exit`, which waits for the thread, and that for the decoder.
const die = (): void => void process.kill(process.pid, 'SIGKILL');

const thread = startRenderThread({
  onMessage(message) {
    if (message.kind !== 'ready' && message.kind !== 'progress') limitBytes = Infinity;
    answer(message);
  },
  onExit({ crashed, cause }) {
    // All that a thread can be out of is memory of V8's.
    if (crashed) answer({ kind: 'failed', failure: { code: 'over-memory' } }, die);
    else throw cause instanceof Error ? cause : new Error('The rendering thread ended.');
  },
});

// `render-process.ts` is all that sends, and sends nothing else.
process.on('message', (message: ToWorker) => {
  if (message.kind !== 'cancel') limitBytes = message.order.memoryBytes;
  thread.post(message);
});
process.on('disconnect', die);
// Sent to a terminal's whole group, or a service's: the service itself decides what it ends, and
// when.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

setInterval(() => {
  if (process.memoryUsage.rss() <= limitBytes) return;
  limitBytes = Infinity;
  answer({ kind: 'failed', failure: { code: 'over-memory' } }, die);
  // The pool may be slow to read, and memory does not wait.
  setTimeout(die, 2 * CHECK_INTERVAL_MS);
}, CHECK_INTERVAL_MS);

if (process.platform === 'linux') {
  // Should memory run out before the limit is reached, the system ends this process before others.
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Some containers do not allow it.
  }
}
