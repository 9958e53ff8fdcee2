import { parentPort } from 'node:worker_threads';
import { ImageUnreadableError, outageIn, RenderCancelledError } from './render-errors.ts';
import { drawPoster, renderToFiles } from './render-to-files.ts';
import type {
  FromWorker,
  ToWorker,
  WorkerFailure,
  WorkerOrder,
  WorkerResult,
} from './worker-messages.ts';

/** The entry of a worker thread: executes orders one after another. */
const port = parentPort;
if (!port) throw new Error('render-worker.ts is started as a worker thread.');

const answer = (message: FromWorker) => port.postMessage(message);
let cancelling = new AbortController();

async function work(order: WorkerOrder): Promise<void> {
  cancelling = new AbortController();
  try {
    answer(await resultOf(order, cancelling.signal));
  } catch (error) {
    answer({ kind: 'failed', failure: failureOf(error) });
  }
}

async function resultOf(work: WorkerOrder, signal: AbortSignal): Promise<WorkerResult> {
  switch (work.kind) {
    case 'render': {
      const onProgress = (framesDone: number, framesTotal: number) =>
        answer({ kind: 'progress', framesDone, framesTotal });
      return { kind: 'done', result: await renderToFiles(work.order, onProgress, signal) };
    }
    case 'draw':
      return { kind: 'drawn', jpeg: (await drawPoster(work.order)).toString('base64') };
  }
}

function failureOf(error: unknown): WorkerFailure {
  if (error instanceof RenderCancelledError) return { code: 'cancelled' };
  if (error instanceof ImageUnreadableError) {
    return { code: 'image-unreadable', scene: error.scene };
  }
  const outage = outageIn(error);
  if (outage === 'disk-full' || outage === 'files-unusable') return { code: 'outage', outage };
  return { code: 'failed', reason: error instanceof Error ? error.message : String(error) };
}

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'render':
    case 'draw':
      void work(message);
      break;
    case 'cancel':
      cancelling.abort();
      break;
  }
});
answer({ kind: 'ready' });
