import { on } from 'node:events';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { BatchIssue } from '../../contract/batch-issue.ts';
import type { BatchOptions, InvalidRow } from '../../contract/batch.ts';
import type { ColumnValues } from '../../contract/column-values.ts';
import type { MovedChoices } from '../../contract/moved-choices.ts';
import { userMessage } from '../../contract/user-message.ts';
import { EngineError } from '../engine-error.ts';
import { codeOf } from '../error-codes.ts';
import type { CopyWanted, MadeCopy } from './copy-table.ts';
import type { BatchReading, PackedReading, ReadingOptions } from './read-batch.ts';
import { unreadable } from './records.ts';
import type { RequestTemplate } from './request-template.ts';
import type { TableFile, TableSource } from './tables/table-source.ts';

/** The readers of all formats, which most starts of Spool do not need. */
const loadReader = (): Promise<typeof import('./read-batch.ts')> => import('./read-batch.ts');

/** The input of the worker thread. */
export interface BatchToRead {
  readonly source: TableSource;
  readonly profile: RequestTemplate;
  readonly options: ReadingOptions;
  /** Only the values of this column are read. */
  readonly column?: string;
  /** Only this copy is made. */
  readonly copy?: CopyWanted;
  /** Only choices that were made for other files are moved. */
  readonly move?: { readonly from: TableSource; readonly choices: BatchOptions };
}

/**
 * The messages of the worker thread: the long lists in pieces and the rest at the end, the values of
 * a column, a copy, or moved choices.
 */
export type FromBatchWorker =
  | { readonly kind: 'column'; readonly values: ColumnValues }
  | { readonly kind: 'copy'; readonly copy: MadeCopy }
  | { readonly kind: 'choices'; readonly moved: MovedChoices }
  | ({ readonly kind: 'piece' } & Partial<Lists>)
  | { readonly kind: 'rest'; readonly reading: Omit<PackedReading, keyof Lists> };

type Lists = Pick<BatchReading, 'errors' | 'invalidRows'>;

const WORKER_FILE = path.join(
  import.meta.dirname,
  `read-batch-worker${path.extname(import.meta.filename)}`,
);

/** So many characters and cells are read in a few milliseconds; a thread takes longer to start. */
const SMALL = 64 * 1024;
const FEW_CELLS = 100_000;
/**
 * Enough for the largest batch, with every cell an object. From 2048 on, V8 lets a heap grow to four
 * times what is alive before it collects, instead of two: 100,000 rows then took 130 MB more.
 */
const MAX_HEAP_MB = 2000;
/** Less than by default, which takes more memory and no less time. */
const YOUNG_HEAP_MB = 16;
/** Many times what the largest batch takes, in milliseconds. */
const MAX_READING_MS = 120_000;

/**
 * As {@link readBatch}, but reads a large batch in a worker thread, so that it does not block this
 * one.
 */
export async function readBatchAside(
  source: TableSource,
  profile: RequestTemplate,
  options: ReadingOptions = {},
): Promise<BatchReading> {
  if (isLarge(source)) return readInWorker({ source, profile, options });
  const { readBatch } = await loadReader();
  return readBatch(source, profile, options);
}

/** As {@link readColumn}, in a worker thread for a large batch. Empty for one that cannot be read. */
export async function readColumnAside(
  source: TableSource,
  profile: RequestTemplate,
  options: ReadingOptions,
  column: string,
): Promise<ColumnValues> {
  if (!isLarge(source)) {
    const { readColumn } = await loadReader();
    return readColumn(source, profile, options, column);
  }
  for await (const message of messagesOf({ source, profile, options, column })) {
    if (message.kind === 'column') return message.values;
  }
  return { values: [], distinct: 0 };
}

/** As {@link copyTable}, in a worker thread for a large batch. @throws {EngineError} if it is too large */
export async function copyTableAside(
  source: TableSource,
  profile: RequestTemplate,
  options: ReadingOptions,
  copy: CopyWanted,
): Promise<MadeCopy> {
  if (!isLarge(source)) {
    const { copyTable } = await import('./copy-table.ts');
    return copyTable(source, profile, options, copy);
  }
  for await (const message of messagesOf({ source, profile, options, copy })) {
    if (message.kind === 'copy') return message.copy;
  }
  throw new EngineError(unreadable(userMessage('file-too-complex', { name: source.name })));
}

/** As {@link moveChoices}, in a worker thread for a large batch. */
export async function moveChoicesAside(
  from: TableSource,
  source: TableSource,
  profile: RequestTemplate,
  choices: BatchOptions,
): Promise<MovedChoices> {
  if (!isLarge(from) && !isLarge(source)) {
    const { moveChoices } = await import('./move-choices.ts');
    return moveChoices(from, source, profile, choices);
  }
  const move = { from, choices };
  for await (const message of messagesOf({ source, profile, options: {}, move })) {
    if (message.kind === 'choices') return message.moved;
  }
  const failure = unreadable(userMessage('file-too-complex', { name: source.name }));
  return { kind: 'unreadable', failure };
}

/**
 * A small archive can contain a large workbook, a small page a large table, and the rows of a small
 * text become as long as its widest one.
 */
function isLarge(source: TableSource): boolean {
  const files = [source, ...(source.further ?? [])];
  const length = files.reduce((sum, { content }) => sum + content.length, 0);
  if (length > SMALL || files.some(isArchive) || files.some(isMarkup)) return true;
  const [rows, columns] = files
    .map(extentOf)
    .reduce(([rows, columns], extent) => [rows + extent[0], columns + extent[1]], [0, 0]);
  return rows * columns > FEW_CELLS;
}

/** What separates cells and what separates rows, in delimited text and in JSON, by character code. */
const CELL_ENDS = new Set(Buffer.from(',;\t|'));
const ROW_ENDS = new Set(Buffer.from('\n\r{'));

/** At least as many rows and columns as a text has. */
function extentOf({ content }: TableFile): [rows: number, columns: number] {
  let rows = 1;
  let widest = 1;
  let columns = 1;
  for (let at = 0; at < content.length; at += 1) {
    const code = typeof content === 'string' ? content.charCodeAt(at) : (content[at] ?? 0);
    if (CELL_ENDS.has(code)) {
      columns += 1;
      widest = Math.max(widest, columns);
    } else if (ROW_ENDS.has(code)) {
      rows += 1;
      columns = 1;
    }
  }
  return [rows, widest];
}

function isArchive({ content }: TableFile): boolean {
  if (typeof content === 'string') return false;
  const [first, second] = content;
  return (first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf);
}

function isMarkup({ content }: TableFile): boolean {
  const start =
    typeof content === 'string' ? content : String.fromCharCode(...content.slice(0, 64));
  return /^[^\w"']{0,32}</.test(start);
}

async function readInWorker(toRead: BatchToRead): Promise<BatchReading> {
  const { source, profile, options } = toRead;
  const { unpackReading, unreadBatch } = await loadReader();
  const errors: BatchIssue[] = [];
  const invalidRows: InvalidRow[] = [];
  for await (const message of messagesOf(toRead)) {
    if (message.kind === 'rest') {
      return unpackReading({ ...message.reading, errors, invalidRows }, options);
    }
    if (message.kind !== 'piece') continue;
    errors.push(...(message.errors ?? []));
    invalidRows.push(...(message.invalidRows ?? []));
  }
  const error = unreadable(userMessage('file-too-complex', { name: source.name }));
  return unreadBatch(source, profile, options, error);
}

/** The worker thread's messages. They end early for a batch that takes too much memory or time. */
async function* messagesOf(toRead: BatchToRead): AsyncGenerator<FromBatchWorker> {
  const worker = new Worker(WORKER_FILE, {
    workerData: toRead,
    resourceLimits: {
      maxOldGenerationSizeMb: MAX_HEAP_MB,
      maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
    },
  });
  // The thread's time is the computer's, so this is no clock that tests advance.
  const deadline = AbortSignal.timeout(MAX_READING_MS);
  const events = on(worker, 'message', { close: ['exit'], signal: deadline });
  const messages = events as AsyncIterable<[FromBatchWorker]>;
  try {
    for await (const [message] of messages) {
      yield message;
      // Lets this thread do other work between two pieces.
      await nextTurn();
      worker.postMessage('next');
    }
    throw new Error('The thread that reads a batch ended.');
  } catch (error) {
    if (!deadline.aborted && codeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
  } finally {
    await worker.terminate();
  }
}
