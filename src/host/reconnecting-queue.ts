import { contract, type Client } from '../contract/contract.ts';
import { userMessage } from '../contract/user-message.ts';
import type { Worker } from '../contract/worker.ts';
import { DiskFullError } from '../engine/engine-error.ts';
import { ComputerCommands } from './computer-commands.ts';
import { createComputerRouter } from './computer-router.ts';
import type { Computer } from './computer.ts';
import { crossing, failureOf } from './failures.ts';
import { PrimarySilentError } from './join-primary.ts';
import { ObservableValue } from './observable-value.ts';
import type { Log } from './log.ts';
import { whyFailed, type Queue } from './queue.ts';
import { callOf, relayRouter, type RelayedCall } from './relay.ts';
import { clientInProcess, type Router } from './router.ts';
import { summaryOf } from './summary-of.ts';

/** Between two attempts to open a queue that another process has. */
const ASK_AGAIN_MS = 250;

/** Between two attempts that failed for another reason, such as a service that does not start. */
const TRY_AGAIN_MS = 5000;

/** A process that just starts or ends has the queue for so long without being told of. */
const TELL_AFTER_MS = 2000;

/** Streams that begin with all there is, and so can go on with whichever process comes next. */
const LASTING = new Set(['watch', 'settings.watch']);

export interface ReconnectingQueueParts {
  /**
   * Works with the process that works the queue, or works it; `isFirst` until that succeeded once.
   * The signal is aborted when the queue is closed before that.
   */
  readonly open: (isFirst: boolean, signal: AbortSignal) => Promise<Queue>;
  readonly computer: Computer;
  readonly log: Pick<Log, 'recent'>;
  /** Hears of what else than another process keeps a queue from being opened again. */
  readonly onTrouble: (error: unknown) => void;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/**
 * The queue as a page has it for as long as the page is open, whichever process works it. When
 * another one does and ends, this one takes its place: streams go on, calls wait for that, and only
 * those that were under way fail, since nobody knows what became of them.
 *
 * One that is silent (stopped, or hanging) still has the queue. Calls are refused then, those under
 * way wait, and when it answers again streams begin anew: pages list everything once more.
 */
export class ReconnectingQueue {
  readonly router: Router;
  readonly client: Client;
  readonly #parts: ReconnectingQueueParts;
  readonly #worker = new ObservableValue<Worker>({ kind: 'none', failure: null });
  readonly #opened = Promise.withResolvers<undefined>();
  readonly #serviceLost = Promise.withResolvers<undefined>();
  readonly #over = new AbortController();
  readonly #ended: Promise<void>;
  #attempt = newAttempt();

  /** @param first the queue if it is open already */
  constructor(parts: ReconnectingQueueParts, first: Queue | null = null) {
    this.#parts = parts;
    this.router = this.#createRouter();
    this.client = clientInProcess(this.router);
    this.#opened.promise.catch(() => undefined);
    this.#ended = this.#last(first);
  }

  /**
   * Resolves when the queue is open for the first time. Rejects when something else than another
   * process is in the way of that: it never will be then.
   */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Resolves if the local service's process ends while this process works the queue. */
  get serviceLost(): Promise<void> {
    return this.#serviceLost.promise;
  }

  /** Which process works the queue, now and whenever that changes, until the queue is closed. */
  workers(): AsyncIterable<Worker> {
    return this.#worker.values(this.#over.signal);
  }

  /**
   * Stops at a safe point if this process works the queue, and else leaves it to the one that does.
   */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#ended;
  }

  async #last(first: Queue | null): Promise<void> {
    const over = new Promise<'over'>((resolve) => {
      this.#over.signal.addEventListener('abort', () => resolve('over'), { once: true });
    });
    let queue = first ?? (await this.#open(true, over));
    while (queue !== null) {
      // Before anybody else hears of it, so that whoever looks for the next one finds its attempt.
      const lost = queue.lost.then((why) => {
        if (why === 'owner-ended' && !this.#over.signal.aborted) this.#attempt = newAttempt();
        return why;
      });
      this.#attempt.resolve(queue);
      this.#worker.set(workerOf(queue));
      this.#opened.resolve(undefined);
      const gone = new AbortController();
      void this.#followSilence(queue, gone.signal);
      const why = await Promise.race([over, lost]);
      gone.abort();
      if (why === 'service-ended') {
        this.#serviceLost.resolve(undefined);
        await over;
      }
      if (why === 'owner-ended') this.#worker.set({ kind: 'none', failure: null });
      await queue.close();
      queue = why === 'owner-ended' ? await this.#open(false, over) : null;
    }
    this.#attempt.reject(new Error('The queue is closed.'));
  }

  async #followSilence(queue: Queue, signal: AbortSignal): Promise<void> {
    for await (const answers of queue.answering.values(signal)) {
      const { value } = this.#worker;
      if (value.kind === 'elsewhere' && value.answers !== answers)
        this.#worker.set(workerOf(queue));
    }
  }

  /** `null` when there is none to be opened any more. */
  async #open(isFirst: boolean, over: Promise<unknown>): Promise<Queue | null> {
    const { signal } = this.#over;
    const isOver = (): boolean => signal.aborted;
    for (let held = 0; !isOver(); held += ASK_AGAIN_MS) {
      try {
        return await this.#parts.open(isFirst, signal);
      } catch (error) {
        if (isOver()) return null;
        const isHeld = failureOf(error)?.code === 'in-use';
        const mayPass = isHeld || error instanceof DiskFullError;
        if (isFirst && !mayPass) {
          this.#opened.reject(error);
          this.#attempt.reject(error);
          this.#over.abort();
          return null;
        }
        if (!mayPass) this.#parts.onTrouble(error);
        const isToBeTold = held >= TELL_AFTER_MS || error instanceof PrimarySilentError;
        if (!isHeld || isToBeTold) this.#refuse(error);
        await Promise.race([over, this.#parts.pause(isHeld ? ASK_AGAIN_MS : TRY_AGAIN_MS)]);
      }
    }
    return null;
  }

  /**
   * Calls that wait for the queue need not wait any longer; those that come do for the next
   * attempt.
   */
  #refuse(error: unknown): void {
    this.#attempt.reject(error);
    this.#attempt = newAttempt();
    const unexpected = userMessage('went-wrong', { trouble: String(error) });
    const failure = failureOf(error) ?? { code: 'not-possible-now', ...unexpected };
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
    const commands = new ComputerCommands(records, computer, log);
    const relayed = relayRouter(contract, (call) => this.#answer(call)) as Router;
    return { ...relayed, computer: createComputerRouter(computer, commands) };
  }

  async #answer(call: RelayedCall): Promise<unknown> {
    const name = call.path.join('.');
    if (name === 'queue.worker') return this.#worker.values(call.signal);
    if (LASTING.has(name)) return this.#lastingStream(call);
    const queue = await this.#attempt.promise;
    // It would be done whenever the silence ends, which nobody who asks now can want.
    if (!queue.answering.value) throw new PrimarySilentError();
    try {
      const answer = await callOf(queue.client, call);
      return isStream(answer) ? streamOf(answer, queue) : answer;
    } catch (error) {
      throw whyFailed(error, queue);
    }
  }

  async *#lastingStream(call: RelayedCall): AsyncGenerator<unknown, void> {
    const signal = AbortSignal.any([this.#over.signal, ...(call.signal ? [call.signal] : [])]);
    const isOver = (): boolean => signal.aborted;
    let { input } = call;
    while (!isOver()) {
      // What is in the way of this attempt is told elsewhere; the next one may succeed.
      const queue = await this.#attempt.promise.catch(() => null);
      if (queue === null) continue;
      const silence = new SilenceWatch(queue, signal);
      try {
        const told = await callOf(queue.client, { ...call, input, signal: silence.isOver });
        yield* told as AsyncIterable<unknown>;
      } catch (error) {
        if (!queue.hasEnded && !silence.isOver.aborted) throw error;
      } finally {
        silence.stop();
      }
      if (queue.hasEnded) await queue.lost;
      else if (!silence.isOver.aborted) return;
      // The one that comes next knows nothing of what this one has told, and what was asked for in
      // a silence was refused.
      input = {};
    }
  }
}

/** Waits for a queue's owner to answer again after it was silent. */
class SilenceWatch {
  readonly #isOver = new AbortController();
  readonly #stopped = new AbortController();
  /** Aborted when a silence has ended, or together with `signal`. */
  readonly isOver: AbortSignal;

  constructor({ answering }: Queue, signal: AbortSignal) {
    this.isOver = AbortSignal.any([signal, this.#isOver.signal]);
    void this.#watch(answering.values(AbortSignal.any([this.isOver, this.#stopped.signal])));
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #watch(changes: AsyncIterable<boolean>): Promise<void> {
    let wasSilent = false;
    for await (const answers of changes) {
      if (answers && wasSilent) this.#isOver.abort();
      wasSilent = !answers;
    }
  }
}

function newAttempt(): PromiseWithResolvers<Queue> {
  const attempt = Promise.withResolvers<Queue>();
  attempt.promise.catch(() => undefined);
  return attempt;
}

function workerOf({ primary, answering }: Queue): Worker {
  if (primary === null) return { kind: 'here' };
  return { kind: 'elsewhere', pid: primary.pid, answers: answering.value };
}

function isStream(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

/** As it comes; where it breaks off, that is told for what it is. */
async function* streamOf(
  stream: AsyncIterable<unknown>,
  queue: Queue,
): AsyncGenerator<unknown, void> {
  try {
    yield* stream;
  } catch (error) {
    throw crossing(whyFailed(error, queue));
  }
}
