import { parentPort } from 'node:worker_threads';
import { decoderRequestSchema, type DecoderMessage } from './decoder-messages.ts';
import { makePoster } from './make-poster.ts';

/** The entry of the decoder's worker thread: makes the requested posters, one at a time. */
const port = parentPort;
if (!port)
  throw new Error('decoder-worker.ts is started by decoder-program.ts as a worker thread.');

const answer = (message: DecoderMessage): void => port.postMessage(message);

// All modules are loaded. The program waits for this message before it sends `begun`.
port.postMessage('loaded');

port.on('message', (message) => {
  const { video } = decoderRequestSchema.parse(message);
  makePoster(video).then(
    (jpeg) => answer({ kind: 'made', jpeg: jpeg.toString('base64') }),
    () => answer({ kind: 'impossible' }),
  );
});
