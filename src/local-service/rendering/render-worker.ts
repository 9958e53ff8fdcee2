import { parentPort } from 'node:worker_threads';
import { ImageUnreadableError, RenderCancelledError } from './render-errors.ts';
import { renderToFiles } from './render-to-files.ts';
import type { FromWorker, RenderOrder, ToWorker } from './worker-messages.ts';

/** The entry of a worker thread: renders the orders it is sent, one at a time. */
const port = parentPort;
if (!port) throw new Error('render-worker.ts is started by RenderPool as a worker thread.');

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
    answer(failureOf(error));
  }
}

function failureOf(error: unknown): FromWorker {
  if (error instanceof RenderCancelledError) {
    return { kind: 'failed', code: 'RENDER_CANCELLED', detail: '' };
  }
  if (error instanceof ImageUnreadableError) {
    return { kind: 'failed', code: 'IMAGE_UNREADABLE', detail: error.where };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { kind: 'failed', code: 'RENDER_FAILED', detail };
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
