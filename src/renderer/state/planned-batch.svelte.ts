/** A batch that is planned again after each choice about it. */
import type { BatchPlan, BatchSource, ColumnChoice } from '../../contract/batch.ts';
import type { Client } from '../../contract/contract.ts';
import type { LostChoice } from '../../contract/moved-choices.ts';
import type { TableReading } from '../../contract/table-reading.ts';
import { BatchChoices, type ReadingChange } from './batch-choices.svelte.ts';
import type { BatchMemory } from './batch-memory.ts';
import { CoalescingRunner } from './coalescing-runner.ts';
import { CorrectedBatch } from './corrected-batch.svelte.ts';
import { Drafts } from './drafts.ts';
import { FramePreview } from './frame-preview.svelte.ts';
import type { AddProblem } from './offered-file.ts';
import type { PageEnvironment } from './page-environment.ts';
import { columnErrors, problemIn, problemOf } from './plan-problems.ts';
import { choicesBefore, type ChoicesBefore } from './used-before.ts';

/** The shown batch: the choices about it, and its plan, which follows them. */
export abstract class PlannedBatch extends CorrectedBatch {
  /** Whether the columns are matched as in an earlier file with the same columns. */
  recalled = $state(false);
  /** Whether the request uses the template that the user wrote for that earlier file. */
  recalledTemplate = $state(false);
  /** The last file like this one, if it was added with other choices; `null` once they are used. */
  usedBefore = $state.raw<ChoicesBefore>(null);
  /** Choices about rows and columns that are not in the file any more, and were dropped. */
  lost = $state.raw<readonly LostChoice[]>([]);
  /** Why the file as it is now cannot be read: its version before is shown. `null` otherwise. */
  unusable = $state.raw<AddProblem | null>(null);
  /** How each file of the batch was read last; `null` for one that was never read. */
  readings = $state.raw<readonly (TableReading | null)[]>([]);
  readonly frame: FramePreview;

  protected readonly client: Client;
  protected readonly memory: BatchMemory;
  /** Choices about batches that are not shown now. */
  protected readonly drafts = new Drafts();
  protected readonly planning = new CoalescingRunner(() => this.#planOnce());
  /** Counts what was shown: an answer about an earlier one is of no use. */
  protected generation = 0;
  /** Which draft is shown; `null` for none. */
  protected draft: string | null = null;
  /** Whether the shown draft was shown before. */
  #isResumed = false;
  /** Why it is not known where rows went that choices name; `null` if it is. */
  #unmoved: AddProblem | null = null;

  /** @param wait resolves after milliseconds, or when the signal is aborted */
  constructor(client: Client, memory: BatchMemory, wait: PageEnvironment['wait']) {
    super(wait);
    this.client = client;
    this.memory = memory;
    this.frame = new FramePreview(client);
  }

  /** Called with each plan that is shown. */
  protected abstract planned(plan: BatchPlan): void;

  /** Shows a problem in place of the plan. */
  protected abstract fail(problem: AddProblem): void;

  /** Shows a row. Plans again if the plan has no sample of it. */
  async show(row: number): Promise<void> {
    this.shown = row;
    const { now } = this;
    if (now.step !== 'checked' || now.plan.samples.some((sample) => sample.row === row)) return;
    await this.planning.request();
  }

  /**
   * Plans again after a choice. Choices made meanwhile lead to one more plan, not several.
   */
  async replan(): Promise<void> {
    if (this.now.step !== 'checked' || this.now.adding) return;
    this.now = { ...this.now, stale: true, problem: null };
    if (this.#canPlan()) await this.planning.request();
  }

  /**
   * Reads a file of the batch in another way.
   * @param file its place in the batch
   */
  async readAs(file: number, change: ReadingChange): Promise<void> {
    await this.readWith(() => {
      this.choices.setReading(file, change);
    });
  }

  /** Reads a file of the batch as if nothing had been chosen. */
  async readAutomatically(file: number): Promise<void> {
    await this.readWith(() => {
      this.choices.resetReading(file);
    });
  }

  /** Makes choices, and reads the batch again. */
  async readWith(choose: () => void): Promise<void> {
    if (this.now.step !== 'checked' || this.now.adding) return;
    this.stopTyping();
    choose();
    this.problem = null;
    this.shown = null;
    await this.replan();
    this.#showSection();
  }

  /** Columns that the user has to match come before rows. */
  #showSection(): void {
    if (this.now.step !== 'checked') return;
    this.section = columnErrors(this.now.plan).length > 0 ? 'columns' : 'rows';
  }

  /** Assigns columns to fields, in this file and in later ones with the same columns. */
  async matchColumns(columns: ColumnChoice): Promise<void> {
    this.choices.columns = columns;
    this.recalled = false;
    this.#remember();
    await this.replan();
  }

  /** Sets the request's template in the same files, as text; `null` for the profile's. */
  async writeRequest(templateText: string | null): Promise<void> {
    this.choices.templateText = templateText;
    this.recalledTemplate = false;
    this.#remember();
    await this.replan();
  }

  /**
   * Plans and shows a batch, with the choices made for an earlier file with these columns.
   * @returns why no row can be read; `null` otherwise
   */
  protected async showSource(source: BatchSource, generation: number): Promise<AddProblem | null> {
    const plan = await this.planFirst(source, generation);
    if (plan === null) return null;
    const problem = this.#unmoved ?? problemIn(plan);
    if (problem !== null) return problem;
    this.showPlan(source, plan);
    const remembered = this.#isResumed ? null : this.memory.recallFor(plan);
    if (remembered !== null) {
      this.choices.columns = remembered.columns;
      this.choices.templateText = remembered.templateText;
      this.recalled = true;
      this.recalledTemplate = remembered.templateText !== null;
      this.#remember();
      await this.replan();
    } else this.#showSection();
    if (this.#isResumed || source.further !== undefined) return null;
    const { reusable } = this.choices;
    const before = await choicesBefore(this.client, source.name, reusable, plan.origin);
    if (generation === this.generation) this.usedBefore = before;
    return null;
  }

  /**
   * Shows the version before of a file that cannot be read now, with the choices about it.
   * @param problem of the file as it is now
   * @returns false without such choices
   */
  protected async showEarlier(problem: AddProblem, generation: number): Promise<boolean> {
    const { earlierSource } = this.choices;
    if (earlierSource === null) return false;
    const plan = await this.planFirst(earlierSource, generation);
    if (plan === null) return true;
    if (problemIn(plan) !== null) return false;
    this.showPlan(earlierSource, plan);
    this.#showSection();
    this.unusable = problem;
    return true;
  }

  /**
   * Resets what is shown, and makes pending answers obsolete. The draft that was shown is kept.
   * @param draft the one to show, with the choices that were made about it
   */
  protected begin(draft: string | null): number {
    const { choices, recalled, recalledTemplate } = this;
    const { folder, nameTemplate, onCollision } = choices;
    this.drafts.keep(this.draft, { choices, recalled, recalledTemplate });
    const kept = this.drafts.take(draft);
    this.draft = draft;
    this.#isResumed = kept !== null;
    this.choices = kept?.choices ?? new BatchChoices();
    // Files that are added one after another usually go to the same folder.
    if (kept === null) Object.assign(this.choices, { folder, nameTemplate, onCollision });
    this.lost = [];
    this.unusable = null;
    this.usedBefore = null;
    this.video = null;
    this.section = 'rows';
    this.shown = null;
    this.problem = null;
    this.valuesOf = null;
    this.readings = [];
    this.stopTyping();
    this.recalled = kept?.recalled ?? false;
    this.recalledTemplate = kept?.recalledTemplate ?? false;
    this.frame.clear();
    return (this.generation += 1);
  }

  /** Also called before rows are added: the user may choose a corrected file first. */
  #remember(): void {
    const { columns, templateText } = this.choices;
    if (this.now.step !== 'checked' || !this.#canPlan()) return;
    const isDefault = Object.keys(columns).length === 0 && templateText === null;
    this.memory.keep(this.now.plan.fileColumns, isDefault ? null : { columns, templateText });
  }

  protected isAdding(): boolean {
    return this.now.step === 'checked' && this.now.adding;
  }

  #canPlan(): boolean {
    return this.choices.templateError === null;
  }

  protected showPlan(source: BatchSource, plan: BatchPlan): void {
    this.choices.areAhead = false;
    this.now = { step: 'checked', source, plan, stale: false, adding: false, problem: null };
    this.readings = plan.files.map(({ reading }, at) => reading ?? this.readings[at] ?? null);
    this.planned(plan);
  }

  async #planOnce(): Promise<void> {
    const generation = this.generation;
    const { now } = this;
    if (now.step !== 'checked' || this.isAdding() || !this.#canPlan()) return;
    const source = this.video?.source(now.plan.fields) ?? now.source;
    try {
      const plan = await this.#plan(source);
      if (generation !== this.generation || this.isAdding()) return;
      this.showPlan(source, plan);
      // The choices have changed since.
      if (this.planning.isRequested || !this.#canPlan()) this.#markStale(null);
    } catch (error) {
      if (generation === this.generation) this.#markStale(problemOf(error));
    }
  }

  #markStale(problem: AddProblem | null): void {
    if (this.now.step === 'checked') this.now = { ...this.now, stale: true, problem };
  }

  /** The first plan of a source; `null` when it fails or is no longer needed. */
  protected async planFirst(source: BatchSource, generation: number): Promise<BatchPlan | null> {
    try {
      const plan = await this.#plan(source);
      return generation === this.generation ? plan : null;
    } catch (error) {
      if (generation !== this.generation) return null;
      this.fail(problemOf(error));
      return null;
    }
  }

  async #plan(source: BatchSource): Promise<BatchPlan> {
    const { choices } = this;
    await this.#moveChoices(source);
    const plan = await this.client.batches.plan({
      source: choices.sourceOf(source),
      options: choices.options,
      ...(this.shown === null ? {} : { show: this.shown }),
    });
    const isReadable = plan.rows.length > 0;
    return isReadable && choices.dropOutdated(plan.rows) ? this.#plan(source) : plan;
  }

  /** Lets choices stay with their rows in a new version of the files, or as they are read now. */
  async #moveChoices(source: BatchSource): Promise<void> {
    const { choices } = this;
    this.#unmoved = null;
    for (;;) {
      const wanted = choices.toMove(source);
      const moved = wanted === null ? null : await this.client.batches.moveChoices(wanted);
      if (moved?.kind === 'unreadable') {
        this.#unmoved = { kind: 'failure', failure: moved.failure };
        return;
      }
      // The user may have chosen something else meanwhile.
      if (JSON.stringify(wanted) !== JSON.stringify(choices.toMove(source))) continue;
      choices.moveTo(source, moved);
      if (moved?.kind === 'moved') this.lost = [...this.lost, ...moved.lost];
      return;
    }
  }
}
