import type { Changed, Client } from '../../contract/contract.ts';
import { failureOf } from '../connection/failure-of.ts';
import { inWordsOf } from '../formatting/in-words-of.ts';
import type { Texts } from '../texts/en.ts';
import type { Toasts } from './toasts.svelte.ts';

type Verb = 'hold' | 'resume' | 'cancel' | 'retry' | 'fetch';

/** A command that spends or gives up something, and so asks first. */
export type Question =
  | { readonly verb: 'cancel' | 'retry'; readonly ids: readonly string[] }
  | {
      /** Every failed or refused one, of a batch or of all. */
      readonly verb: 'retry-failed';
      readonly batchId: string | null;
      readonly count: number;
    };

/** What an owner can tell the engine to do, with a word on what came of it. */
export class Commands {
  asking = $state.raw<Question | null>(null);

  readonly #client: Client;
  readonly #toasts: Toasts;
  readonly #texts: () => Texts;

  constructor(client: Client, toasts: Toasts, texts: () => Texts) {
    this.#client = client;
    this.#toasts = toasts;
    this.#texts = texts;
  }

  hold(ids: readonly string[]): Promise<void> {
    return this.#change('hold', ids);
  }

  resume(ids: readonly string[]): Promise<void> {
    return this.#change('resume', ids);
  }

  /** Fetches saved videos again whose files are gone. Costs no quota. */
  fetch(ids: readonly string[]): Promise<void> {
    return this.#change('fetch', ids);
  }

  /** Tries again what was made and could not be saved. Costs no quota, so it does not ask. */
  saveAgain(id: string): Promise<void> {
    return this.#change('retry', [id]);
  }

  /** Moves rows before another one, or to the end. Seen in the list, so nothing is said. */
  async move(ids: readonly string[], before: string | null): Promise<void> {
    await this.give((client) => client.jobs.move({ ids: [...ids], before }));
  }

  /** Moves rows before every other one, whatever the list shows at the moment. */
  async moveToTop(ids: readonly string[]): Promise<void> {
    await this.give(async (client) => {
      const { jobs } = await client.jobs.list({ limit: 1 });
      await client.jobs.move({ ids: [...ids], before: jobs[0]?.id ?? null });
    });
  }

  /** @param priority -1, 0 or 1; higher goes first */
  async prioritise(ids: readonly string[], priority: number): Promise<void> {
    await this.give((client) => client.jobs.prioritise({ ids: [...ids], priority }));
  }

  /** Lets sending pause by itself at a row's turn; `null` takes the mark away. */
  async stopBefore(id: string | null): Promise<void> {
    await this.give((client) => client.queue.stopBefore({ id }));
  }

  askToCancel(ids: readonly string[]): void {
    this.asking = { verb: 'cancel', ids };
  }

  askToRetry(ids: readonly string[]): void {
    this.asking = { verb: 'retry', ids };
  }

  /** @param count of the videos it concerns; no more than these are paid for */
  askToRetryFailed(batchId: string | null, count: number): void {
    this.asking = { verb: 'retry-failed', batchId, count };
  }

  async confirm(): Promise<void> {
    const question = this.asking;
    this.asking = null;
    if (question === null) return;
    if (question.verb !== 'retry-failed') {
      await this.#change(question.verb, question.ids);
      return;
    }
    const { batchId, count } = question;
    const scope = batchId === null ? {} : { batchId };
    const answer = await this.give((client) => client.jobs.retryFailed({ ...scope, limit: count }));
    if (answer !== null) this.#say('retry', answer);
  }

  /** Gives any command; tells its owner when it did not work. `null` then. */
  async give<Answer>(command: (client: Client) => Promise<Answer>): Promise<Answer | null> {
    try {
      return await command(this.#client);
    } catch (error) {
      const texts = this.#texts();
      const failure = failureOf(error);
      if (failure === null) this.#toasts.bad(texts.problems.lost, texts.problems.lostMeans);
      else this.#toasts.bad(texts.failures[failure.code].happened, inWordsOf(failure, texts));
      return null;
    }
  }

  async #change(verb: Verb, ids: readonly string[]): Promise<void> {
    const answer = await this.give((client) => client.jobs[verb]({ ids: [...ids] }));
    if (answer !== null) this.#say(verb, answer);
  }

  #say(verb: Verb, answer: Changed): void {
    const { did, refused } = this.#texts().actions;
    if (answer.changed > 0) this.#toasts.good(did[verb](answer.changed));
    const [first] = answer.refused;
    if (first !== undefined) {
      this.#toasts.bad(refused(answer.refused.length), inWordsOf(first.failure, this.#texts()));
    }
  }
}
