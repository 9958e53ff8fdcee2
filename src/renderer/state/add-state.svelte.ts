import type { AddedBatch, BatchPlan, BatchSource, ColumnChoice } from '../../contract/batch.ts';
import { MAX_BATCH_BYTES } from '../../contract/batch-limits.ts';
import type { Client } from '../../contract/contract.ts';
import { BatchChoices } from './batch-choices.svelte.ts';
import type { BatchMemory } from './batch-memory.ts';
import { columnFaults } from './column-faults.ts';
import { FramePreview } from './frame-preview.svelte.ts';
import { FileList, type ListedFile } from './file-list.svelte.ts';
import { LookAhead } from './look-ahead.ts';
import type { AddProblem, OfferedFile } from './offered-file.ts';
import { problemIn, problemOf, standingIn } from './plan-problems.ts';
import { Planning } from './planning.ts';
import { VideoForm } from './video-form.svelte.ts';

/** Where adding a batch stands. Nothing is stored or spent before `add`. */
export type AddStep =
  | { readonly step: 'choose'; readonly problem: AddProblem | null }
  /** `null`: several files together. */
  | { readonly step: 'checking'; readonly name: string | null }
  | {
      readonly step: 'checked';
      readonly source: BatchSource;
      readonly plan: BatchPlan;
      /** The plan is not yet, or cannot be, what the choices say. */
      readonly stale: boolean;
      readonly adding: boolean;
      readonly problem: AddProblem | null;
    }
  /** Of several files, none is given up for a problem that is none of their own. */
  | { readonly step: 'stuck'; readonly problem: AddProblem }
  /** Of several files, all that can be added are; some are not. */
  | { readonly step: 'done' };

export const ADD_SECTIONS = ['rows', 'columns', 'request', 'files'] as const;
export type AddSection = (typeof ADD_SECTIONS)[number];

/**
 * Batches on their way from files, a paste or a form to the queue, by way of plans the user sees.
 */
export class AddState {
  now = $state.raw<AddStep>({ step: 'choose', problem: null });
  choices = $state.raw(new BatchChoices());
  /** The form that the one video is described in; `null` for a batch. */
  video = $state.raw<VideoForm | null>(null);
  section = $state<AddSection>('rows');
  /** The row that is looked at; the first one when `null`. */
  shown = $state<number | null>(null);
  /** The columns are matched as they were for an earlier file like this one. */
  recalled = $state(false);
  /** The request is made from the template that the user wrote for that earlier file. */
  recalledTemplate = $state(false);
  readonly files = new FileList();
  readonly frame: FramePreview;
  /** The id of the file that is shown; `null` while none is, or all of them are. */
  shownFile = $state<number | null>(null);
  /** Several files are one batch. */
  together = $state(false);

  readonly #client: Client;
  readonly #memory: BatchMemory;
  readonly #lookAhead: LookAhead;
  #turn = 0;
  readonly #planning = new Planning(() => this.#planOnce());
  /** The ids of the files that the plan is of. */
  #planned: readonly number[] = [];
  /** Another service was shown while rows were on their way to the one that they were planned for. */
  #isOfOtherService = false;

  constructor(client: Client, memory: BatchMemory) {
    this.#client = client;
    this.#memory = memory;
    this.frame = new FramePreview(client);
    this.#lookAhead = new LookAhead(client, memory, this.files, () => this.shownFile);
  }

  startOver(): void {
    this.files.clear();
    this.together = false;
    this.shownFile = null;
    this.#begin();
    this.choices = new BatchChoices();
    this.now = { step: 'choose', problem: null };
  }

  /** Checks files, after those that wait already. */
  async take(offered: readonly OfferedFile[]): Promise<void> {
    if (this.video !== null || this.now.step === 'choose') this.startOver();
    const replaced = this.files.offer(offered, this.#isAdding() ? this.#planned : []);
    // What is added now is followed by the next file by itself.
    if (this.#isAdding()) return;
    if (this.together) await this.#showTogether();
    else if (this.shownFile === null || this.now.step === 'done') await this.#showNext();
    else if (replaced.includes(this.shownFile)) await this.checkAgain();
    else await this.#lookAhead.run();
  }

  /** Looks at another file of the list. */
  async showFile(id: number): Promise<void> {
    const file = this.files.byId(id);
    if (file === undefined || this.#isAdding()) return;
    if (!(await this.#showFile(file))) await this.#showNext();
    else await this.#lookAhead.run();
  }

  /** Checks what is shown again. */
  async checkAgain(): Promise<void> {
    if (this.together) await this.#showTogether();
    else if (this.shownFile === null) await this.#showNext();
    else await this.showFile(this.shownFile);
  }

  /** Whether several files become one batch, or one each. */
  async putTogether(together: boolean): Promise<void> {
    if (this.#isAdding()) return;
    this.together = together;
    this.shownFile = null;
    await this.checkAgain();
  }

  /** One of several files is not to be added. */
  async leaveOut(id: number): Promise<void> {
    if (this.#isAdding()) return;
    this.files.mark(id, { kind: 'left-out' });
    if (this.together) await this.#showTogether();
    else if (id === this.shownFile) await this.#showNext();
  }

  async takeBackIn(id: number): Promise<void> {
    if (this.#isAdding()) return;
    this.files.mark(id, { kind: 'waiting' });
    if (this.together) await this.#showTogether();
    else if (this.now.step === 'done') await this.#showNext();
    else await this.#lookAhead.run();
  }

  /** Leaves out whatever was not added yet. */
  stop(): void {
    if (this.#isAdding()) return;
    for (const { id } of this.files.open) this.files.mark(id, { kind: 'left-out' });
    if (this.files.count('added') === 0) this.startOver();
    else this.#finish();
  }

  /** Opens the form of a single video. @param batch the name of the batch that it is put in */
  async describeOne(batch: string): Promise<void> {
    await this.#describe(new VideoForm(batch));
  }

  /**
   * Plans again what was planned for another service. No plan of that one can be added after this.
   * @returns whether anything was planned
   */
  changeService(): boolean {
    const { now, video } = this;
    if (now.step === 'choose' || now.step === 'done') return false;
    this.#isOfOtherService = this.#isAdding();
    if (this.#isOfOtherService) return true;
    if (video !== null) {
      void this.#describe(video);
      return true;
    }
    for (const { id } of this.files.open) this.files.mark(id, { kind: 'waiting' });
    void this.checkAgain();
    return true;
  }

  /** @param form may have values already; those of fields that the plan does not have are not sent */
  async #describe(form: VideoForm): Promise<void> {
    this.startOver();
    const turn = this.#begin();
    if (form.touched.size > 0) {
      this.video = form;
      this.now = { step: 'checking', name: form.batch };
    }
    const plan = await this.#ask(form.source([]), turn);
    if (plan === null) return;
    this.video = form;
    this.#show(form.source(plan.fields), plan);
    await this.replan();
  }

  /** Shows a row, wherever it is in the file. */
  async show(row: number): Promise<void> {
    this.shown = row;
    const { now } = this;
    if (now.step !== 'checked' || now.plan.samples.some((sample) => sample.row === row)) return;
    await this.#planning.ask();
  }

  /**
   * Plans again after a choice. Choices made meanwhile lead to one more plan, not several.
   */
  async replan(): Promise<void> {
    if (this.now.step !== 'checked' || this.now.adding) return;
    this.now = { ...this.now, stale: true, problem: null };
    if (this.#canAsk()) await this.#planning.ask();
  }

  /** Chooses where fields take their values from, in this file and in later ones like it. */
  async matchColumns(columns: ColumnChoice): Promise<void> {
    this.choices.columns = columns;
    this.recalled = false;
    this.#remember();
    await this.replan();
  }

  /** The same for the request, as the user writes it; `null` for the profile's. */
  async writeRequest(templateText: string | null): Promise<void> {
    this.choices.templateText = templateText;
    this.recalledTemplate = false;
    this.#remember();
    await this.replan();
  }

  /**
   * Queues the batch as it is shown, and goes on to the next file if there is one. `null` when it
   * could not; the step then says why. A plan that the service's profile has overtaken is made again,
   * for the user to look at.
   */
  async add(): Promise<AddedBatch | null> {
    const checked = this.now;
    if (checked.step !== 'checked' || checked.adding || checked.stale) return null;
    const turn = this.#turn;
    this.now = { ...checked, adding: true, problem: null };
    const { options } = this.choices;
    try {
      const { source, plan } = checked;
      const { origin, profile } = plan;
      const added = await this.#client.batches.add({ origin, profile, source, options });
      if (turn === this.#turn) this.#goOn();
      return added;
    } catch (error) {
      if (turn !== this.#turn) return null;
      if (this.#isOfOtherService) {
        this.#fail(problemOf(error));
        return null;
      }
      const problem = problemOf(error);
      const isOutdated = problem.kind === 'failure' && problem.failure.code === 'plan-outdated';
      this.now = { ...checked, adding: false, stale: isOutdated, problem };
      if (isOutdated) await this.#planAgainAfter(problem, turn);
      void this.#lookAhead.run();
      return null;
    }
  }

  async #planAgainAfter(problem: AddProblem, turn: number): Promise<void> {
    await this.#planning.ask();
    const { now } = this;
    if (turn === this.#turn && now.step === 'checked')
      this.now = { ...now, problem: now.problem ?? problem };
  }

  #goOn(): void {
    for (const id of this.#planned) this.files.mark(id, { kind: 'added' });
    if (this.together && this.files.open.length > 0) void this.#showTogether();
    else void this.#showNext();
  }

  /** At once when nothing is left to show. */
  async #showNext(): Promise<void> {
    for (;;) {
      const file = this.files.next(this.shownFile);
      if (file === undefined) {
        this.#finish();
        return;
      }
      if (await this.#showFile(file)) break;
    }
    await this.#lookAhead.run();
  }

  #finish(): void {
    this.together = false;
    const [file] = this.files.all;
    if (!this.files.areSeveral && file?.standing.kind === 'unreadable') {
      this.startOver();
      this.now = { step: 'choose', problem: file.standing.problem };
    } else if (this.files.all.every(({ standing }) => standing.kind === 'added')) {
      this.startOver();
    } else {
      this.shownFile = null;
      this.#begin();
      this.now = { step: 'done' };
    }
  }

  /** @returns false when the file itself cannot be read or planned */
  async #showFile({ id, name, read }: ListedFile): Promise<boolean> {
    this.shownFile = id;
    this.#planned = [id];
    const turn = this.#begin();
    this.now = { step: 'checking', name };
    const found = await read();
    if (turn !== this.#turn) return true;
    const problem =
      found.kind === 'file' ? await this.#showSource(found.file, turn) : found.problem;
    if (problem === null) return true;
    this.files.mark(id, { kind: 'unreadable', problem });
    return false;
  }

  /** Those that can be read, as one batch. */
  async #showTogether(): Promise<void> {
    this.shownFile = null;
    const turn = this.#begin();
    this.now = { step: 'checking', name: null };
    const isAnswered = await this.#lookAhead.run();
    if (turn !== this.#turn) return;
    const { open } = this.files;
    this.#planned = open.map(({ id }) => id);
    if (!isAnswered) this.now = { step: 'stuck', problem: { kind: 'lost' } };
    else if (open.length === 0) this.#finish();
    else if (open.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BATCH_BYTES) {
      this.now = { step: 'stuck', problem: { kind: 'too-large-together' } };
    } else {
      const source = await this.files.readTogether(open);
      if (turn !== this.#turn) return;
      if (source === null) await this.#showTogether();
      else {
        const problem = await this.#showSource(source, turn);
        if (problem !== null) this.now = { step: 'stuck', problem };
      }
    }
  }

  /**
   * Reads and forecasts a batch, as an earlier one with these columns was read.
   * @returns why nothing of it can be read; `null` otherwise
   */
  async #showSource(source: BatchSource, turn: number): Promise<AddProblem | null> {
    const plan = await this.#ask(source, turn);
    if (plan === null) return null;
    const problem = problemIn(plan);
    if (problem !== null) return problem;
    this.#show(source, plan);
    const remembered = this.#memory.recallFor(plan);
    if (remembered !== null) {
      this.choices.columns = remembered.columns;
      this.choices.templateText = remembered.templateText;
      this.recalled = true;
      this.recalledTemplate = remembered.templateText !== null;
      this.#remember();
      await this.replan();
    } else if (columnFaults(plan).length > 0) this.section = 'columns';
    return null;
  }

  /** What is shown is forgotten, and so is every answer that is still on its way. */
  #begin(): number {
    const { folder, nameTemplate, onCollision } = this.choices;
    this.choices = new BatchChoices();
    // Files that are added one after another mostly go to the same place.
    Object.assign(this.choices, { folder, nameTemplate, onCollision });
    this.video = null;
    this.section = 'rows';
    this.shown = null;
    this.recalled = false;
    this.recalledTemplate = false;
    this.#isOfOtherService = false;
    this.frame.clear();
    return (this.#turn += 1);
  }

  /** Not only when rows are added: a corrected file may be chosen before that. */
  #remember(): void {
    const { columns, templateText } = this.choices;
    if (this.now.step !== 'checked' || !this.#canAsk()) return;
    const isUsual = Object.keys(columns).length === 0 && templateText === null;
    this.#memory.keep(this.now.plan.fileColumns, isUsual ? null : { columns, templateText });
  }

  #isAdding(): boolean {
    return this.now.step === 'checked' && this.now.adding;
  }

  /** Whether a choice was made since the last plan was asked for. */
  #isOutdated(): boolean {
    return this.#planning.isAskedFor || !this.#canAsk();
  }

  #canAsk(): boolean {
    return this.choices.templateFault === null;
  }

  #show(source: BatchSource, plan: BatchPlan): void {
    this.now = { step: 'checked', source, plan, stale: false, adding: false, problem: null };
    if (this.shownFile !== null) this.files.mark(this.shownFile, standingIn(plan));
  }

  async #planOnce(): Promise<void> {
    const turn = this.#turn;
    const { now } = this;
    if (now.step !== 'checked' || this.#isAdding() || !this.#canAsk()) return;
    const source = this.video?.source(now.plan.fields) ?? now.source;
    try {
      const plan = await this.#plan(source);
      if (turn !== this.#turn || this.#isAdding()) return;
      this.#show(source, plan);
      if (this.#isOutdated()) this.#markStale(null);
    } catch (error) {
      if (turn === this.#turn) this.#markStale(problemOf(error));
    }
  }

  #markStale(problem: AddProblem | null): void {
    if (this.now.step === 'checked') this.now = { ...this.now, stale: true, problem };
  }

  /** A first plan; `null` when there is none, or when it is no longer needed. */
  async #ask(source: BatchSource, turn: number): Promise<BatchPlan | null> {
    try {
      const plan = await this.#plan(source);
      return turn === this.#turn ? plan : null;
    } catch (error) {
      if (turn !== this.#turn) return null;
      this.#fail(problemOf(error));
      return null;
    }
  }

  /** Nothing of what was planned holds. */
  #fail(problem: AddProblem): void {
    if (this.files.areSeveral) this.now = { step: 'stuck', problem };
    else {
      this.startOver();
      this.now = { step: 'choose', problem };
    }
  }

  #plan(source: BatchSource): Promise<BatchPlan> {
    const { options } = this.choices;
    return this.#client.batches.plan({
      source,
      options,
      ...(this.shown === null ? {} : { show: this.shown }),
    });
  }
}
