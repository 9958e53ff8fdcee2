import { parentPort } from 'node:worker_threads';
import { ImageUnreadableError, outageIn, RenderCancelledError } from './render-errors.ts';
import { renderToFiles } from './render-to-files.ts';
import type { FromWorker, RenderOrder, ToWorker, WorkerFailure } from './worker-messages.ts';

/** The entry of a worker thread: renders the orders it is sent, one at a time. */
const port = parentPort;
if (!port) throw new Error('render-worker.ts is started as a worker thread.');

const answer = (message: FromWorker) => port.postMessage(message);
let cancelling = new AbortController();

async function render(order: RenderOrder): Promise<void> {
  cancelling = new AbortController();
  try {
    const result = await renderToFiles(
      order,
      (framesDone, framesTotal) => answer({ kind: 'progress', framesDone, framesTotal }),
      cancelling.signal,
    );
    answer({ kind: 'done', result });
  } catch (error) {
    answer({ kind: 'failed', failure: failureOf(error) });
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
      void render(message.order);
      break;
    case 'cancel':
      cancelling.abort();
      break;
  }
});
answer({ kind: 'ready' });
