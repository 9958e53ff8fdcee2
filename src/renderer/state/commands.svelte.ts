import type { Changed, Client, RetryPlan } from '../../contract/contract.ts';
import type { Failure } from '../../contract/failure.ts';
import type { JobCommandName } from '../../contract/job-commands.ts';
import { failureOf } from '../connection/failure-of.ts';
import { translateMessage } from '../formatting/translate-message.ts';
import type { Texts } from '../texts/en.ts';
import type { Toasts } from './toasts.svelte.ts';

/** The jobs to retry: those with `ids`, or all that failed in a batch; in any batch if `null`. */
type RetryScope = { readonly ids: readonly string[] } | { readonly batchId: string | null };

/** A command that needs confirmation, because it can spend quota or cancel jobs. */
export type Question =
  | { readonly verb: 'cancel'; readonly ids: readonly string[] }
  | {
      readonly verb: 'retry';
      readonly scope: RetryScope;
      readonly plan: RetryPlan;
      /** Whether to render again the paid videos that the service no longer has. */
      readonly payAgain: boolean;
    };

/** The user's commands to the engine, and toasts with their results. */
export class Commands {
  asking = $state.raw<Question | null>(null);

  readonly #client: Client;
  readonly #toasts: Toasts;
  readonly #texts: () => Texts;
  /** Counts what the user asked for, so that a plan that arrives after a later one is dropped. */
  #asked = 0;

  constructor(client: Client, toasts: Toasts, texts: () => Texts) {
    this.#client = client;
    this.#toasts = toasts;
    this.#texts = texts;
  }

  /** Runs a command of the table. First asks for confirmation where it has a question or a cost. */
  async runOn(command: JobCommandName, ids: readonly string[]): Promise<void> {
    if (command === 'retry') await this.#askToRetry({ ids });
    else if (command === 'cancel') this.askToCancel(ids);
    else await this.#change(command, ids);
  }

  /**
   * Downloads a video that the service has, or asks the service again whether it has the video.
   * Costs no quota, so it needs no confirmation.
   */
  async retryForFree(id: string): Promise<void> {
    await this.#retryJobs([id], false);
  }

  /** Archives all videos of these batches. */
  async archiveBatches(batchIds: readonly string[]): Promise<void> {
    const answers = await this.run(async ({ jobs }) => {
      const archived: Changed[] = [];
      for (const batchId of batchIds) {
        const { ids } = await jobs.ids({ batchId, archived: false });
        if (ids.length > 0) archived.push(await jobs.archive({ ids }));
      }
      return archived;
    });
    if (answers === null) return;
    const changed = answers.reduce((sum, answer) => sum + answer.changed, 0);
    this.#showResult('archive', { changed, refused: answers.flatMap(({ refused }) => refused) });
  }

  /** Moves rows before another one, or to the end. No toast: the list shows the result. */
  async move(ids: readonly string[], before: string | null): Promise<void> {
    await this.run((client) => client.jobs.move({ ids: [...ids], before }));
  }

  /** Moves rows to the top of the whole queue, whatever filter the list has. */
  async moveToTop(ids: readonly string[]): Promise<void> {
    await this.run(async (client) => {
      const { jobs } = await client.jobs.list({ archived: false, limit: 1 });
      await client.jobs.move({ ids: [...ids], before: jobs[0]?.id ?? null });
    });
  }

  /** @param priority -1, 0 or 1; higher goes first */
  async prioritise(ids: readonly string[], priority: number): Promise<void> {
    await this.run((client) => client.jobs.prioritise({ ids: [...ids], priority }));
  }

  askToCancel(ids: readonly string[]): void {
    this.#asked += 1;
    this.asking = { verb: 'cancel', ids };
  }

  /** @param batchId every batch when `null` */
  askToRetryFailed(batchId: string | null): Promise<void> {
    return this.#askToRetry({ batchId });
  }

  /** Asks for confirmation before anything that costs quota; does the rest immediately. */
  async #askToRetry(scope: RetryScope): Promise<void> {
    const asked = (this.#asked += 1);
    const input = 'ids' in scope ? { ids: [...scope.ids] } : ofBatch(scope.batchId);
    const plan = await this.run((client) => client.jobs.planRetry(input));
    if (plan === null) return;
    const others = plan.downloads + plan.renders;
    if (plan.renders + plan.gone === 0) await this.#retry(scope, plan, false);
    // If the service has none of the videos any more, the user must mean to render them again.
    else if (asked === this.#asked)
      this.asking = { verb: 'retry', scope, plan, payAgain: others === 0 };
  }

  /**
   * Changes a refused job and queues it. A failure is shown.
   * @param isShown see `run`
   * @returns whether the change was saved
   */
  async sendEdited(
    edit: Parameters<Client['jobs']['edit']>[0],
    isShown?: (failure: Failure) => boolean,
  ): Promise<boolean> {
    const saved = await this.run(({ jobs }) => jobs.edit(edit), isShown);
    if (saved !== null) await this.#retryJobs([edit.id], false);
    return saved !== null;
  }

  async confirm(): Promise<void> {
    const question = this.asking;
    this.asking = null;
    if (question?.verb === 'cancel') await this.#change('cancel', question.ids);
    if (question?.verb === 'retry') {
      const { scope, plan, payAgain } = question;
      await this.#retry(scope, plan, payAgain);
    }
  }

  /**
   * Runs a command. On failure, shows a toast and returns `null`.
   * @param isShown shows the failure elsewhere; then there is no toast
   */
  async run<Answer>(
    command: (client: Client) => Promise<Answer>,
    isShown: (failure: Failure) => boolean = () => false,
  ): Promise<Answer | null> {
    try {
      return await command(this.#client);
    } catch (error) {
      const texts = this.#texts();
      const failure = failureOf(error);
      if (failure === null) this.#toasts.bad(texts.problems.lost, texts.problems.lostMeans);
      else if (!isShown(failure))
        this.#toasts.bad(texts.failures[failure.code].happened, translateMessage(failure, texts));
      return null;
    }
  }

  /** Retries no more failed jobs than the plan counted, since the user confirmed that number. */
  async #retry(scope: RetryScope, plan: RetryPlan, payAgain: boolean): Promise<void> {
    if ('ids' in scope) return this.#retryJobs(scope.ids, payAgain);
    const { origin, downloads, renders, gone } = plan;
    const limit = downloads + renders + gone;
    if (limit === 0) {
      const { refused, refusedLeftOut } = this.#texts().actions;
      this.#toasts.bad(refused(plan.contentRefused), refusedLeftOut(plan.contentRefused));
      return;
    }
    const answer = await this.run(({ jobs }) =>
      jobs.retryFailed({ origin, ...ofBatch(scope.batchId), limit, payAgain }),
    );
    if (answer !== null) this.#showResult('retry', answer);
  }

  async #retryJobs(ids: readonly string[], payAgain: boolean): Promise<void> {
    const answer = await this.run(({ jobs }) => jobs.retry({ ids: [...ids], payAgain }));
    if (answer !== null) this.#showResult('retry', answer);
  }

  async #change(verb: JobCommandName, ids: readonly string[]): Promise<void> {
    const answer = await this.run((client) => client.jobs[verb]({ ids: [...ids] }));
    if (answer !== null) this.#showResult(verb, answer);
  }

  #showResult(verb: JobCommandName, answer: Changed): void {
    const { did, refused } = this.#texts().actions;
    if (answer.changed > 0) this.#toasts.good(did[verb](answer.changed));
    const [first] = answer.refused;
    if (first !== undefined) {
      this.#toasts.bad(
        refused(answer.refused.length),
        translateMessage(first.failure, this.#texts()),
      );
    }
  }
}

function ofBatch(batchId: string | null): { readonly batchId?: string } {
  return batchId === null ? {} : { batchId };
}
