import { contract, type Client } from '../contract/contract.ts';
import type { Worker } from '../contract/worker.ts';
import { DiskFullError } from '../engine/engine-error.ts';
import { computerCommands } from './computer-commands.ts';
import type { Computer } from './computer.ts';
import { failureOf, startFailure, toContractError } from './failures.ts';
import { PrimarySilentError } from './join-primary.ts';
import { ObservableValue } from './observable-value.ts';
import type { Log } from './log.ts';
import { callError, type Queue } from './queue.ts';
import {
  functionAt,
  implementContract,
  relayContract,
  type ContractCall,
} from './implement-contract.ts';
import { clientInProcess, type Router } from './router.ts';
import { summaryOf } from './summary-of.ts';

/** Milliseconds between two attempts to open a queue that another process holds. */
const RETRY_LOCKED_MS = 250;

/** Milliseconds between two attempts after another error, such as a service that does not start. */
const RETRY_FAILED_MS = 5000;

/**
 * Milliseconds for which a lock is not reported: a process that starts or ends holds the queue
 * briefly.
 */
const REPORT_LOCK_AFTER_MS = 2000;

/** Streams that begin with a full snapshot, and so can continue with another process. */
const RESUMABLE_STREAMS = new Set(['watch', 'settings.watch']);

export interface ReconnectingQueueParts {
  /**
   * Joins the process that runs the queue, or runs it in this process; `isFirst` until that has
   * succeeded once. The signal is aborted when the queue is closed meanwhile.
   */
  readonly open: (isFirst: boolean, signal: AbortSignal) => Promise<Queue>;
  readonly computer: Computer;
  readonly log: Pick<Log, 'recent'>;
  /**
   * Called with errors that keep the queue from being reopened, except a lock held by another
   * process.
   */
  readonly onOpenError: (error: unknown) => void;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/**
 * The queue for a page that stays open while the process that runs the queue may change. When the
 * primary process ends, this process takes over: streams continue, new calls wait for the takeover,
 * and only running calls fail, because their outcome is unknown.
 *
 * A silent primary process (stopped or hanging) keeps the queue. New calls are refused, running
 * calls wait, and when it answers again streams restart with a full snapshot: pages reload their
 * lists.
 */
export class ReconnectingQueue {
  readonly router: Router;
  readonly client: Client;
  readonly #parts: ReconnectingQueueParts;
  readonly #worker = new ObservableValue<Worker>({ kind: 'none', failure: null });
  readonly #opened = Promise.withResolvers<undefined>();
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;
  readonly #folderLost = new AbortController();
  #attempt = newAttempt();

  /** @param first the queue, if it is already open */
  constructor(parts: ReconnectingQueueParts, first: Queue | null = null) {
    this.#parts = parts;
    this.router = this.#createRouter();
    this.client = clientInProcess(this.router);
    this.#opened.promise.catch(() => undefined);
    this.#ended = this.#run(first);
  }

  /**
   * Resolves when the queue is open for the first time. Rejects on an error other than a lock or a
   * full disk: then it is not tried again.
   */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /**
   * Aborted when this process ran the queue and has lost its data folder. The queue is then closed,
   * and the program ends.
   */
  get folderLost(): AbortSignal {
    return this.#folderLost.signal;
  }

  /**
   * Which process runs the queue: the current state and each change, until the queue is closed.
   */
  workers(): AsyncIterable<Worker> {
    return this.#worker.values(this.#closing.signal);
  }

  /**
   * Stops at a safe point if this process runs the queue; otherwise leaves it to the primary
   * process.
   */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  async #run(first: Queue | null): Promise<void> {
    const closed = new Promise<'closed'>((resolve) => {
      this.#closing.signal.addEventListener('abort', () => resolve('closed'), { once: true });
    });
    let queue = first ?? (await this.#open(true, closed));
    while (queue !== null) {
      // Replaces the attempt before anything else reacts, so that waiting streams find the new one.
      const lost = queue.lost.then(() => {
        if (!this.#closing.signal.aborted) this.#attempt = newAttempt();
        return 'lost' as const;
      });
      this.#attempt.resolve(queue);
      this.#worker.set(describeWorker(queue));
      this.#opened.resolve(undefined);
      const queueEnded = new AbortController();
      void this.#watchAnswering(queue, queueEnded.signal);
      const { folderLost } = queue;
      folderLost.addEventListener('abort', () => this.#closing.abort(), { once: true });
      if (folderLost.aborted) this.#closing.abort();
      const isLost = (await Promise.race([closed, lost])) === 'lost';
      queueEnded.abort();
      if (isLost) this.#worker.set({ kind: 'none', failure: null });
      await queue.close();
      if (folderLost.aborted) this.#folderLost.abort(folderLost.reason);
      queue = isLost ? await this.#open(false, closed) : null;
    }
    this.#attempt.reject(new Error('The queue is closed.'));
  }

  async #watchAnswering(queue: Queue, signal: AbortSignal): Promise<void> {
    for await (const answers of queue.answering.values(signal)) {
      const { value } = this.#worker;
      if (value.kind === 'elsewhere' && value.answers !== answers)
        this.#worker.set(describeWorker(queue));
    }
  }

  /** `null` when the queue is closed, or the first attempt failed permanently. */
  async #open(isFirst: boolean, closed: Promise<unknown>): Promise<Queue | null> {
    const { signal } = this.#closing;
    const isClosed = (): boolean => signal.aborted;
    for (let lockedForMs = 0; !isClosed(); lockedForMs += RETRY_LOCKED_MS) {
      try {
        return await this.#parts.open(isFirst, signal);
      } catch (error) {
        if (isClosed()) return null;
        const isLocked = failureOf(error)?.code === 'in-use';
        const isTemporary = isLocked || error instanceof DiskFullError;
        if (isFirst && !isTemporary) {
          this.#opened.reject(error);
          this.#attempt.reject(error);
          this.#closing.abort();
          return null;
        }
        if (!isTemporary) this.#parts.onOpenError(error);
        const isLockReported =
          lockedForMs >= REPORT_LOCK_AFTER_MS || error instanceof PrimarySilentError;
        if (!isLocked || isLockReported) this.#failWaitingCalls(error);
        await Promise.race([
          closed,
          this.#parts.sleep(isLocked ? RETRY_LOCKED_MS : RETRY_FAILED_MS),
        ]);
      }
    }
    return null;
  }

  /** Fails the calls that wait for this attempt; later calls wait for the next one. */
  #failWaitingCalls(error: unknown): void {
    this.#attempt.reject(error);
    this.#attempt = newAttempt();
    const failure = startFailure(error);
    const { value } = this.#worker;
    const isKnown = value.kind === 'none' && value.failure?.message === failure.message;
    if (!isKnown) this.#worker.set({ kind: 'none', failure });
  }

  #createRouter(): Router {
    const { computer, log } = this.#parts;
    const records = {
      showJob: (id: string) => this.client.jobs.show({ id }),
      summary: () => summaryOf(this.client),
    };
    const commands = computerCommands(records, computer, log);
    const relayed = relayContract(contract, (call) => this.#answer(call)) as Router;
    const ownComputer = implementContract(contract.computer, ({ path, input, signal }) =>
      functionAt({ computer: commands }, path)?.(input, signal),
    );
    return { ...relayed, computer: ownComputer as Router['computer'] };
  }

  async #answer(call: ContractCall): Promise<unknown> {
    const name = call.path.join('.');
    if (name === 'queue.worker') return this.#worker.values(call.signal);
    if (RESUMABLE_STREAMS.has(name)) return this.#resumableStream(call);
    const queue = await this.#attempt.promise;
    // A queued call would be executed whenever the silence ends, long after the user asked for it.
    if (!queue.answering.value) throw new PrimarySilentError();
    try {
      const answer = await makeCall(queue.client, call);
      return isStream(answer) ? translateStreamErrors(answer, queue) : answer;
    } catch (error) {
      throw callError(error, queue);
    }
  }

  async *#resumableStream(call: ContractCall): AsyncGenerator<unknown, void> {
    const signal = AbortSignal.any([this.#closing.signal, call.signal]);
    const isClosed = (): boolean => signal.aborted;
    let { input } = call;
    while (!isClosed()) {
      // The error of this attempt is reported by `queue.worker`; the next attempt may succeed.
      const queue = await this.#attempt.promise.catch(() => null);
      if (queue === null) continue;
      const silence = new SilenceWatch(queue, signal);
      try {
        const stream = await makeCall(queue.client, { ...call, input, signal: silence.endSignal });
        yield* stream as AsyncIterable<unknown>;
      } catch (error) {
        if (!queue.hasEnded && !silence.endSignal.aborted) throw error;
      } finally {
        silence.stop();
      }
      if (queue.hasEnded) await queue.lost;
      else if (!silence.endSignal.aborted) return;
      // The cursor (`since`) is of the previous process, and is unknown to the next one. After a
      // silence, calls were refused meanwhile. Both need a full snapshot.
      input = {};
    }
  }
}

/** Detects when a primary process answers again after a silence. */
class SilenceWatch {
  readonly #silenceEnded = new AbortController();
  readonly #stopped = new AbortController();
  /** Aborted when a silence has ended, or together with `signal`. */
  readonly endSignal: AbortSignal;

  constructor({ answering }: Queue, signal: AbortSignal) {
    this.endSignal = AbortSignal.any([signal, this.#silenceEnded.signal]);
    void this.#watch(answering.values(AbortSignal.any([this.endSignal, this.#stopped.signal])));
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #watch(changes: AsyncIterable<boolean>): Promise<void> {
    let wasSilent = false;
    for await (const answers of changes) {
      if (answers && wasSilent) this.#silenceEnded.abort();
      wasSilent = !answers;
    }
  }
}

function makeCall(client: Client, { path, input, signal }: ContractCall): unknown {
  return functionAt(client, path)?.(input, { signal });
}

function newAttempt(): PromiseWithResolvers<Queue> {
  const attempt = Promise.withResolvers<Queue>();
  attempt.promise.catch(() => undefined);
  return attempt;
}

function describeWorker({ primary, answering }: Queue): Worker {
  if (primary === null) return { kind: 'here' };
  return { kind: 'elsewhere', pid: primary.pid, answers: answering.value };
}

function isStream(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

/** Passes a stream on, and translates the error of a broken connection. */
async function* translateStreamErrors(
  stream: AsyncIterable<unknown>,
  queue: Queue,
): AsyncGenerator<unknown, void> {
  try {
    yield* stream;
  } catch (error) {
    throw toContractError(callError(error, queue));
  }
}
