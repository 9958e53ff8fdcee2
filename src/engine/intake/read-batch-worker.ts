import { parentPort, workerData } from 'node:worker_threads';
import type { BatchToRead, FromBatchWorker } from './read-batch-aside.ts';
import { copyTable } from './copy-table.ts';
import { moveChoices } from './move-choices.ts';
import { readColumn, readPacked } from './read-batch.ts';

/**
 * Entry point of a worker thread: reads one batch and sends it in pieces, each on request, or only
 * the values of one of its columns, a copy of it, or choices that are moved to it.
 */
const port = parentPort;
if (!port)
  throw new Error('read-batch-worker.ts is started by read-batch-aside.ts as a worker thread.');

/** As many as the receiving thread processes in a few milliseconds. */
const ITEMS_AT_ONCE = 2_000;

const { source, profile, options, column, copy, move } = workerData as BatchToRead;

async function* pieces(): AsyncGenerator<FromBatchWorker> {
  if (column !== undefined) {
    yield { kind: 'column', values: readColumn(source, profile, options, column) };
    return;
  }
  if (copy !== undefined) {
    yield { kind: 'copy', copy: await copyTable(source, profile, options, copy) };
    return;
  }
  if (move !== undefined) {
    yield { kind: 'choices', moved: moveChoices(move.from, source, profile, move.choices) };
    return;
  }
  const { errors, invalidRows, ...reading } = readPacked(source, profile, options);
  const lists = { errors, invalidRows };
  for (const name of ['errors', 'invalidRows'] as const) {
    const list = lists[name];
    for (let at = 0; at < list.length; at += ITEMS_AT_ONCE) {
      yield { kind: 'piece', [name]: list.slice(at, at + ITEMS_AT_ONCE) };
    }
  }
  yield { kind: 'rest', reading };
}

/** What moves to the receiving thread instead of being copied. */
function buffersOf(message: FromBatchWorker): ArrayBuffer[] {
  if (message.kind !== 'rest') return [];
  return message.reading.rows.flatMap(({ texts, numbers }) => [texts.buffer, numbers.buffer]);
}

const sent = pieces();
const sendNext = async (): Promise<void> => {
  const next = await sent.next();
  if (next.done !== true) port.postMessage(next.value, buffersOf(next.value));
};
port.on('message', () => void sendNext());
await sendNext();
