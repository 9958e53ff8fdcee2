import { flushCompileCache } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { checkLayout } from './layout-check.ts';
import { findUndrawable } from './drawable-text.ts';
import { ImageUnreadableError, outageIn, RenderCancelledError } from './render-errors.ts';
import { drawPoster, renderToFiles } from './render-to-files.ts';
import type { TextIssue } from './text-issue.ts';
import type {
  FromWorker,
  ToWorker,
  WorkerFailure,
  WorkerOrder,
  WorkerResult,
} from './worker-messages.ts';

/** The entry point of a worker thread, which executes orders one after another. */
const port = parentPort;
if (!port) throw new Error('render-worker.ts is started as a worker thread.');
lowerPriority();

const send = (message: FromWorker) => port.postMessage(message);
let cancelling = new AbortController();

async function work(order: WorkerOrder): Promise<void> {
  cancelling = new AbortController();
  try {
    send(await resultOf(order, cancelling.signal));
  } catch (error) {
    send({ kind: 'failed', failure: failureOf(error) });
  }
  // Node stores compiled code when a process exits, but render processes are killed.
  flushCompileCache();
}

async function resultOf(work: WorkerOrder, signal: AbortSignal): Promise<WorkerResult> {
  switch (work.kind) {
    case 'render': {
      const onProgress = (framesDone: number, framesTotal: number) =>
        send({ kind: 'progress', framesDone, framesTotal });
      return { kind: 'done', result: await renderToFiles(work.order, onProgress, signal) };
    }
    case 'draw':
      return { kind: 'drawn', jpeg: (await drawPoster(work.order)).toString('base64') };
    case 'check-layouts': {
      const issues: TextIssue[][] = [];
      for (const storyboard of work.order.storyboards) issues.push(await checkLayout(storyboard));
      return { kind: 'checked', issues };
    }
    case 'find-undrawable':
      return { kind: 'found', characters: findUndrawable(work.order.texts) };
  }
}

function failureOf(error: unknown): WorkerFailure {
  if (error instanceof RenderCancelledError) return { code: 'cancelled' };
  if (error instanceof ImageUnreadableError) {
    const { of, reason } = error;
    return { code: 'image-unreadable', of, reason: reason?.slice(0, 300) };
  }
  const outage = outageIn(error);
  if (outage === 'disk-full' || outage === 'files-unusable') return { code: 'outage', outage };
  return { code: 'failed', reason: error instanceof Error ? error.message : String(error) };
}

/**
 * Lets the user's other programs run first. On Linux it concerns this thread and the encoder's
 * threads, which it starts; on other systems the whole process.
 */
function lowerPriority(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  try {
    // A process that already has a lower priority must not raise it.
    if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
  } catch {
    // Some systems do not allow it; it renders all the same.
  }
}

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'render':
    case 'draw':
    case 'find-undrawable':
    case 'check-layouts':
      void work(message);
      break;
    case 'cancel':
      cancelling.abort();
      break;
  }
});
send({ kind: 'ready' });
