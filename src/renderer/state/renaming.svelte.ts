import type { Client } from '../../contract/contract.ts';
import type { Failure } from '../../contract/failure.ts';
import type { Renamed, RenamePlan } from '../../contract/files.ts';
import { failureOf } from '../connection/failure-of.ts';
import { translateMessage } from '../formatting/translate-message.ts';
import type { Texts } from '../texts/en.ts';
import { CoalescingRunner } from './coalescing-runner.ts';
import type { Toasts } from './toasts.svelte.ts';

/** Files that a plan lists one by one; the others are counted. */
const MAX_LISTED = 200;

/** Why a plan or a renaming failed. */
export type RenamingProblem = Failure | 'lost';

/** Renames saved files after the user has seen a preview. */
export class Renaming {
  /** Ids of jobs; `null` while the dialog is closed. */
  ids = $state.raw<readonly string[] | null>(null);
  template = $state('');
  plan = $state.raw<RenamePlan | null>(null);
  /** The template has changed since the plan: a new one is pending, or cannot be made. */
  stale = $state(false);
  busy = $state(false);
  problem = $state.raw<RenamingProblem | null>(null);
  /** Set when some files kept their names, until the user has seen which. */
  outcome = $state.raw<Renamed | null>(null);

  readonly #client: Client;
  readonly #toasts: Toasts;
  readonly #texts: () => Texts;
  #generation = 0;
  readonly #planning = new CoalescingRunner(() => this.#planOnce());

  readonly #showDone: (text: string, step: string | null) => void;

  /** @param showDone says what was done, and offers to undo it */
  constructor(
    client: Client,
    toasts: Toasts,
    texts: () => Texts,
    showDone: (text: string, step: string | null) => void,
  ) {
    this.#showDone = showDone;
    this.#client = client;
    this.#toasts = toasts;
    this.#texts = texts;
  }

  /** @param template the initial one */
  open(ids: readonly string[], template: string): Promise<void> {
    this.close();
    if (ids.length === 0) return Promise.resolve();
    this.ids = ids;
    return this.write(template);
  }

  /** A running renaming continues in the background and is reported at its end. */
  close(): void {
    this.#generation += 1;
    this.ids = null;
    this.busy = false;
    this.plan = null;
    this.problem = null;
    this.outcome = null;
  }

  /** Sets the template and plans again. */
  write(template: string): Promise<void> {
    this.template = template;
    this.stale = true;
    return this.#planning.request();
  }

  /** Renames as shown, once, however often it is called. */
  async apply(): Promise<void> {
    const { ids, plan } = this;
    if (ids === null || plan === null || this.stale || this.busy || this.outcome !== null) return;
    if (plan.counts.renamed + plan.counts.numbered === 0) return;
    const generation = this.#generation;
    this.busy = true;
    this.problem = null;
    try {
      const input = { ids: [...ids], nameTemplate: this.template };
      this.#report(await this.#client.files.rename(input), generation);
    } catch (error) {
      this.#fail(failureOf(error) ?? 'lost', generation);
    }
  }

  #report(outcome: Renamed, generation: number): void {
    const texts = this.#texts();
    const { renamed, refused, step } = outcome;
    const isSeen = generation === this.#generation;
    const [first] = refused;
    if (first === undefined) {
      this.#showDone(texts.saved.rename.done(renamed), step);
      if (isSeen) this.close();
    } else if (isSeen) {
      this.busy = false;
      this.outcome = outcome;
    } else {
      this.#toasts.bad(
        texts.saved.rename.partly(renamed, refused.length),
        translateMessage(first.failure, texts),
      );
    }
  }

  #fail(problem: RenamingProblem, generation: number): void {
    const texts = this.#texts();
    if (generation === this.#generation) {
      this.busy = false;
      this.problem = problem;
    } else if (problem === 'lost') {
      this.#toasts.bad(texts.problems.lost, texts.problems.lostMeans);
    } else
      this.#toasts.bad(texts.failures[problem.code].happened, translateMessage(problem, texts));
  }

  async #planOnce(): Promise<void> {
    const { ids, template } = this;
    if (ids === null || template.trim() === '') return;
    const generation = this.#generation;
    try {
      const input = { ids: [...ids], nameTemplate: template, limit: MAX_LISTED };
      const plan = await this.#client.files.planRename(input);
      if (generation !== this.#generation) return;
      this.plan = plan;
      this.problem = null;
      this.stale = this.template !== template;
    } catch (error) {
      if (generation === this.#generation) this.problem = failureOf(error) ?? 'lost';
    }
  }
}
