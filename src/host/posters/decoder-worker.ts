import { parentPort } from 'node:worker_threads';
import { decoderRequestSchema, type DecoderMessage } from './decoder-messages.ts';

/** The entry of the decoder's worker thread: makes what is requested, one after another. */
const port = parentPort;
if (!port)
  throw new Error('decoder-worker.ts is started by decoder-program.ts as a worker thread.');

const answer = (message: DecoderMessage): void => port.postMessage(message);

let make: () => Promise<Buffer> = () => Promise.reject(new Error('Nothing was requested.'));

// The listener stays: without one, the thread would end while native code decodes.
port.on('message', (message) => void (message === 'begin' ? begin() : load(message)));

async function load(message: unknown): Promise<void> {
  make = await makerFor(message);
  port?.postMessage('loaded');
}

async function begin(): Promise<void> {
  try {
    answer({ kind: 'made', image: await make() });
  } catch {
    answer({ kind: 'impossible' });
  }
}

/** A process has either kind of requests: modules for videos take most of its time to start. */
async function makerFor(message: unknown): Promise<() => Promise<Buffer>> {
  const request = decoderRequestSchema.parse(message);
  if ('video' in request) {
    const { makePoster } = await import('./make-poster.ts');
    return () => makePoster(request.video);
  }
  const { fitPicture } = await import('./fit-picture.ts');
  return () => fitPicture(Buffer.from(request.picture), request.fit);
}
