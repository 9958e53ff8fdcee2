import { parentPort } from 'node:worker_threads';
import { decoderRequestSchema, type DecoderMessage } from './decoder-messages.ts';
import { fitPicture } from './fit-picture.ts';
import { makePoster } from './make-poster.ts';

/** The entry of the decoder's worker thread: makes what is requested, one after another. */
const port = parentPort;
if (!port)
  throw new Error('decoder-worker.ts is started by decoder-program.ts as a worker thread.');

const answer = (message: DecoderMessage): void => port.postMessage(message);

// All modules are loaded. The program waits for this message before it sends `begun`.
port.postMessage('loaded');

port.on('message', (message) => {
  const request = decoderRequestSchema.parse(message);
  const made =
    'video' in request
      ? makePoster(request.video)
      : fitPicture(Buffer.from(request.picture, 'base64'), request.fit);
  made.then(
    (image) => answer({ kind: 'made', image: image.toString('base64') }),
    () => answer({ kind: 'impossible' }),
  );
});
