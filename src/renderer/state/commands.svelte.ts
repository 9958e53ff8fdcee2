import { SvelteSet } from 'svelte/reactivity';
import type { Changed, Client, RetryPlan } from '../../contract/contract.ts';
import type { RowsEdit } from '../../contract/job.ts';
import type { Failure } from '../../contract/failure.ts';
import type { JobCommandName } from '../../contract/job-commands.ts';
import { STATE_GROUPS } from '../../contract/job-states.ts';
import type { UndoStep } from '../../contract/undo.ts';
import type { UndoCommand } from '../../contract/undo-words.ts';
import { failureOf } from '../connection/failure-of.ts';
import { translateMessage } from '../formatting/translate-message.ts';
import type { Texts } from '../texts/en.ts';
import type { Toasts } from './toasts.svelte.ts';

/** The jobs to retry: those with `ids`, or all that failed in a batch; in any batch if `null`. */
type RetryScope = { readonly ids: readonly string[] } | { readonly batchId: string | null };

/** A command that needs confirmation, because it can spend quota or cancel jobs. */
export type Question =
  | { readonly verb: 'cancel' | 'trash'; readonly ids: readonly string[] }
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
  /** What was done lately, newest first, as last read. */
  steps = $state.raw<readonly UndoStep[]>([]);

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
    else if (command === 'cancel') await this.#cancel(ids);
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
    const refused = answers.flatMap((answer) => answer.refused);
    this.#showResult('archive', { changed, refused, step: answers.at(-1)?.step ?? null });
  }

  /** Moves rows before another one, or to the end. */
  async move(ids: readonly string[], before: string | null): Promise<void> {
    const answer = await this.run((client) => client.jobs.move({ ids: [...ids], before }));
    if (answer !== null) this.#showResult('move', answer);
  }

  /** Moves rows to the top of the whole queue, whatever filter the list has. */
  async moveToTop(ids: readonly string[]): Promise<void> {
    const answer = await this.run(async (client) => {
      const { jobs } = await client.jobs.list({ archived: false, limit: 1 });
      return client.jobs.move({ ids: [...ids], before: jobs[0]?.id ?? null });
    });
    if (answer !== null) this.#showResult('move', answer);
  }

  /** @param priority -1, 0 or 1; higher goes first */
  async prioritise(ids: readonly string[], priority: number): Promise<void> {
    const answer = await this.run(({ jobs }) => jobs.prioritise({ ids: [...ids], priority }));
    if (answer !== null) this.#showResult('prioritise', answer);
  }

  /** Changes the row of a job that has not been sent. A failure is shown. */
  async edit(
    edit: Parameters<Client['jobs']['edit']>[0],
    isShown?: (failure: Failure) => boolean,
  ): Promise<boolean> {
    const saved = await this.run(({ jobs }) => jobs.edit(edit), isShown);
    if (saved === null) return false;
    this.showDone(this.#texts().undo.did.edit(1), saved.step);
    return true;
  }

  /**
   * Changes the rows of several jobs. What is refused is shown.
   * @param isShown see `run`
   * @returns whether all is done that is possible
   */
  async editMany(edit: RowsEdit, isShown: (failure: Failure) => boolean): Promise<boolean> {
    const answer = await this.run(({ jobs }) => jobs.editMany(edit));
    if (answer === null) return false;
    const [first] = answer.refused;
    // A value that no row can have is an error of the form.
    if (answer.changed === 0 && first !== undefined && isShown(first.failure)) return false;
    if (answer.changed + answer.refused.length === 0)
      this.#toasts.note(this.#texts().editMany.nothingFound, null);
    this.#showResult('edit', answer);
    return true;
  }

  /** Undoes a step, the last one when it is left out, and says what was undone and what was not. */
  async undo(step?: string): Promise<void> {
    const undone = await this.run(async ({ jobs }) => {
      const wanted = step ?? (await jobs.undoSteps()).find(({ undoneAt }) => undoneAt === null)?.id;
      return wanted === undefined ? undefined : await jobs.undo({ step: wanted });
    });
    const texts = this.#texts();
    const { undo, actions } = texts;
    if (undone === undefined) this.#toasts.good(undo.nothing, 'change');
    if (!undone) return;
    const { command, changed, refused } = undone;
    if (changed > 0) this.#toasts.good(undo.undid(undo.did[command](changed)), 'change');
    const [first] = refused;
    if (first !== undefined)
      this.#toasts.bad(actions.refused(refused.length), translateMessage(first.failure, texts));
    if (this.steps.length > 0) await this.readSteps();
  }

  async readSteps(): Promise<void> {
    this.steps = (await this.run(({ jobs }) => jobs.undoSteps())) ?? this.steps;
  }

  /**
   * A toast about a change, with a button that undoes it. It replaces the one before.
   * @param step `null` for a change that cannot be undone
   */
  showDone(text: string, step: string | null): void {
    const action =
      step === null ? null : { label: this.#texts().undo.undo, run: () => this.undo(step) };
    this.#toasts.good(text, 'change', action);
  }

  /** Removes saved videos together with their files. */
  askToTrash(ids: readonly string[]): void {
    this.#asked += 1;
    this.asking = { verb: 'trash', ids };
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
    if (question?.verb === 'trash') await this.#trash(question.ids);
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

  /** A video whose file stays is not removed either. */
  async #trash(ids: readonly string[]): Promise<void> {
    const removed = await this.run(async ({ computer, jobs }) => {
      const { refused } = await computer.trashFiles({ ids: [...ids] });
      const kept = new SvelteSet(refused.map(({ id }) => id));
      const gone = ids.filter((id) => !kept.has(id));
      const none: Changed = { changed: 0, refused: [], step: null };
      const answer = gone.length === 0 ? none : await jobs.remove({ ids: gone });
      return { ...answer, refused: [...refused, ...answer.refused] };
    });
    if (removed === null) return;
    const { changed, refused } = removed;
    // Spool cannot take files out of the trash, so it does not offer to undo this.
    if (changed > 0) this.showDone(this.#texts().actions.trashed(changed), null);
    this.#showResult('remove', { changed: 0, refused, step: null });
  }

  /** Asks first if it spends: videos that the service has count as spent. */
  async #cancel(ids: readonly string[]): Promise<void> {
    const asked = (this.#asked += 1);
    const accepted = await this.run(({ jobs }) => jobs.ids({ states: STATE_GROUPS.accepted }));
    if (accepted === null || asked !== this.#asked) return;
    if (accepted.ids.some((id) => ids.includes(id))) this.asking = { verb: 'cancel', ids };
    else {
      // One that is sent meanwhile is not abandoned without a question.
      const input = { ids: [...ids], onlyUnsent: true };
      const answer = await this.run(({ jobs }) => jobs.cancel(input));
      if (answer !== null) this.#showResult('cancel', answer);
    }
  }

  async #change(verb: JobCommandName, ids: readonly string[]): Promise<void> {
    const answer = await this.run((client) => client.jobs[verb]({ ids: [...ids] }));
    if (answer !== null) this.#showResult(verb, answer);
  }

  #showResult(verb: JobCommandName | UndoCommand, answer: Changed): void {
    const { actions, undo } = this.#texts();
    const { refused } = actions;
    const did = { ...actions.did, ...undo.did }[verb];
    if (answer.changed > 0) this.showDone(did(answer.changed), answer.step);
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
