import type { AddedBatch, BatchPlan, BatchSource, ColumnChoice } from '../../contract/batch.ts';
import { MAX_BATCH_BYTES } from '../../contract/batch-limits.ts';
import type { Client } from '../../contract/contract.ts';
import type { FailureCode } from '../../contract/failure.ts';
import type { TableCopyWanted } from '../../contract/table-copy.ts';
import type { TableReading } from '../../contract/table-reading.ts';
import { BatchChoices, type ReadingChange } from './batch-choices.svelte.ts';
import type { BatchMemory } from './batch-memory.ts';
import { columnFaults } from './column-faults.ts';
import { FramePreview } from './frame-preview.svelte.ts';
import { FileList, type ListedFile } from './file-list.svelte.ts';
import { LookAhead } from './look-ahead.ts';
import type { AddProblem, OfferedFile } from './offered-file.ts';
import type { PageEnvironment } from './page-environment.ts';
import { problemAfter, rowProblems, type ProblemPlace, type RowProblem } from './problem-groups.ts';
import type { CellPlace, RowRepairs } from './row-repairs.svelte.ts';
import { fileStatusOf, problemIn, problemOf } from './plan-problems.ts';
import { CoalescingRunner } from './coalescing-runner.ts';
import { VideoForm } from './row-form.svelte.ts';

/** A step of adding a batch. Nothing is stored or spent before `add`. */
export type AddStep =
  | { readonly step: 'choose'; readonly problem: AddProblem | null }
  /** `null` for several files as one batch. */
  | { readonly step: 'checking'; readonly name: string | null }
  | {
      readonly step: 'checked';
      readonly source: BatchSource;
      readonly plan: BatchPlan;
      /** The choices have changed since the plan: a new one is pending, or cannot be made. */
      readonly stale: boolean;
      readonly adding: boolean;
      readonly problem: AddProblem | null;
    }
  /** Of several files: a problem that no single file causes. All stay in the list. */
  | { readonly step: 'stuck'; readonly problem: AddProblem }
  /** Of several files: every file that could be added was; some were not. */
  | { readonly step: 'done' };

/** Failures to add a batch that was planned without errors: the queue or the profile changed. */
const OUTDATED: readonly FailureCode[] = ['plan-outdated', 'value-invalid'];

/** How long the user has stopped typing into a cell before the batch is checked again. */
const TYPING_MS = 150;

export const ADD_SECTIONS = ['rows', 'columns', 'request', 'files'] as const;
export type AddSection = (typeof ADD_SECTIONS)[number];

/** Adds batches from files, pasted text or a form, each after the user has seen its plan. */
export class AddState {
  now = $state.raw<AddStep>({ step: 'choose', problem: null });
  choices = $state.raw(new BatchChoices());
  /** The form of a single video; `null` for a batch. */
  video = $state.raw<VideoForm | null>(null);
  section = $state<AddSection>('rows');
  /** The row whose request is shown; the first one when `null`. */
  shown = $state<number | null>(null);
  /** The column whose values are shown; `null` for none. */
  valuesOf = $state<string | null>(null);
  /** The error whose cell is open. A new object each time it is opened. */
  problem = $state.raw<ProblemPlace | null>(null);
  /** Whether the columns are matched as in an earlier file with the same columns. */
  recalled = $state(false);
  /** Whether the request uses the template that the user wrote for that earlier file. */
  recalledTemplate = $state(false);
  /** How each file of the batch was read last; `null` for one that was never read. */
  readings = $state.raw<readonly (TableReading | null)[]>([]);
  readonly files = new FileList();
  readonly frame: FramePreview;
  /** The id of the shown file; `null` when none is shown, or all are as one batch. */
  shownFile = $state<number | null>(null);
  /** Whether several files become one batch. */
  together = $state(false);

  readonly #client: Client;
  readonly #wait: PageEnvironment['wait'];
  #typing = new AbortController();
  readonly #memory: BatchMemory;
  readonly #lookAhead: LookAhead;
  #generation = 0;
  readonly #planning = new CoalescingRunner(() => this.#planOnce());
  /** The ids of the files in the plan. */
  #planned: readonly number[] = [];
  /** Whether the shown service changed during `add`: if that fails, the plan is of no use. */
  #serviceChanged = false;

  /** @param wait resolves after milliseconds, or when the signal is aborted */
  constructor(client: Client, memory: BatchMemory, wait: PageEnvironment['wait']) {
    this.#client = client;
    this.#wait = wait;
    this.#memory = memory;
    this.frame = new FramePreview(client);
    this.#lookAhead = new LookAhead(client, memory, this.files, () => this.shownFile);
  }

  /** Whether rows of the shown batch have errors. */
  get hasProblems(): boolean {
    return (
      this.now.step === 'checked' && this.video === null && rowProblems(this.now.plan).length > 0
    );
  }

  startOver(): void {
    this.files.clear();
    this.together = false;
    this.shownFile = null;
    this.#begin();
    this.choices = new BatchChoices();
    this.now = { step: 'choose', problem: null };
  }

  /** Checks files, after those that are already waiting. */
  async take(offered: readonly OfferedFile[]): Promise<void> {
    if (this.video !== null || this.now.step === 'choose') this.startOver();
    const replaced = this.files.offer(offered, this.#isAdding() ? this.#planned : []);
    // When `add` has finished, it shows the next file.
    if (this.#isAdding()) return;
    if (this.together) await this.#showTogether();
    else if (this.shownFile === null || this.now.step === 'done') await this.#showNext();
    else if (replaced.includes(this.shownFile)) await this.checkAgain();
    else await this.#lookAhead.run();
  }

  /** Shows another file of the list. */
  async showFile(id: number): Promise<void> {
    const file = this.files.byId(id);
    if (file === undefined || this.#isAdding()) return;
    if (!(await this.#showFile(file))) await this.#showNext();
    else await this.#lookAhead.run();
  }

  /** Checks the shown file again, or all files if they become one batch. */
  async checkAgain(): Promise<void> {
    if (this.together) await this.#showTogether();
    else if (this.shownFile === null) await this.#showNext();
    else await this.showFile(this.shownFile);
  }

  /** Sets whether several files become one batch, or one each. */
  async setTogether(together: boolean): Promise<void> {
    if (this.#isAdding()) return;
    this.together = together;
    this.shownFile = null;
    await this.checkAgain();
  }

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

  /** Leaves out every file that was not added yet. */
  stop(): void {
    if (this.#isAdding()) return;
    for (const { id } of this.files.open) this.files.mark(id, { kind: 'left-out' });
    if (this.files.count('added') === 0) this.startOver();
    else this.#finish();
  }

  /**
   * Opens the form of a single video.
   * @param batch name of the batch that gets the video
   * @param values by field, of a video that is to be rendered again with a change
   */
  async openVideoForm(batch: string, values: Readonly<Record<string, string>> = {}): Promise<void> {
    const form = new VideoForm(batch);
    for (const [field, value] of Object.entries(values)) form.write(field, value);
    await this.#planForm(form);
  }

  /**
   * Plans again for the service that is shown now. Plans for another one can no longer be added.
   * @returns whether anything was planned
   */
  changeService(): boolean {
    const { now, video } = this;
    if (now.step === 'choose' || now.step === 'done') return false;
    this.#serviceChanged = this.#isAdding();
    if (this.#serviceChanged) return true;
    if (video !== null) {
      void this.#planForm(video);
      return true;
    }
    for (const { id } of this.files.open) this.files.mark(id, { kind: 'waiting' });
    void this.checkAgain();
    return true;
  }

  /** @param form may have values already; those without a field in the plan are not sent */
  async #planForm(form: VideoForm): Promise<void> {
    this.startOver();
    const generation = this.#begin();
    if (form.touched.size > 0) {
      this.video = form;
      this.now = { step: 'checking', name: form.batch };
    }
    const plan = await this.#planFirst(form.source([]), generation);
    if (plan === null) return;
    this.video = form;
    this.#show(form.source(plan.fields), plan);
    await this.replan();
  }

  /** Shows a row. Plans again if the plan has no sample of it. */
  async show(row: number): Promise<void> {
    this.shown = row;
    const { now } = this;
    if (now.step !== 'checked' || now.plan.samples.some((sample) => sample.row === row)) return;
    await this.#planning.request();
  }

  /**
   * Plans again after a choice. Choices made meanwhile lead to one more plan, not several.
   */
  async replan(): Promise<void> {
    if (this.now.step !== 'checked' || this.now.adding) return;
    this.now = { ...this.now, stale: true, problem: null };
    if (this.#canPlan()) await this.#planning.request();
  }

  /**
   * Corrects a cell that the user types into, and plans again once they stop for a moment.
   * @param before the cell's text until now
   */
  async type(place: CellPlace, text: string, before: string): Promise<void> {
    if (this.now.step !== 'checked' || this.now.adding) return;
    this.choices.repairs.type(place, text, before);
    this.shown = place.row;
    this.now = { ...this.now, stale: true };
    this.#typing.abort();
    const typing = new AbortController();
    this.#typing = typing;
    await this.#wait(TYPING_MS, typing.signal);
    if (!typing.signal.aborted) await this.replan();
  }

  /** Corrects the cells of a column in several rows. */
  async setCells(rows: readonly number[], column: string, text: string): Promise<void> {
    await this.#repair((repairs) => {
      repairs.set(rows, column, text);
    });
  }

  async leaveRowsOut(rows: readonly number[]): Promise<void> {
    await this.#repair((repairs) => {
      repairs.leaveRowsOut(rows);
    });
  }

  async takeRowsBackIn(rows: readonly number[]): Promise<void> {
    await this.#repair((repairs) => {
      repairs.takeBackIn(rows);
    });
  }

  /** Undoes the last correction. */
  async undo(): Promise<void> {
    await this.#repair((repairs) => {
      repairs.undo();
    });
  }

  /** The shown batch with the choices about it; `null` before it is checked. */
  get request(): Pick<TableCopyWanted, 'source' | 'options'> | null {
    const { now, choices } = this;
    if (now.step !== 'checked') return null;
    return { source: choices.sourceOf(now.source), options: choices.options };
  }

  async #repair(change: (repairs: RowRepairs) => void): Promise<void> {
    if (this.now.step !== 'checked' || this.now.adding) return;
    this.#typing.abort();
    change(this.choices.repairs);
    await this.replan();
  }

  /** Shows the next row with an error, from the last one to the first, and opens its cell. */
  async showNextProblem(): Promise<void> {
    if (this.now.step !== 'checked') return;
    const from =
      this.problem ?? (this.shown === null ? null : { row: this.shown, column: undefined });
    const next = problemAfter(rowProblems(this.now.plan), from);
    if (next !== undefined) await this.showProblem(next);
  }

  async showProblem({ row, column }: RowProblem): Promise<void> {
    this.section = 'rows';
    this.problem = { row, column };
    await this.show(row);
  }

  /**
   * Reads a file of the batch in another way.
   * @param file its place in the batch
   */
  async readAs(file: number, change: ReadingChange): Promise<void> {
    await this.#readAgain(() => {
      this.choices.setReading(file, change);
    });
  }

  /** Reads a file of the batch as if nothing had been chosen. */
  async readAutomatically(file: number): Promise<void> {
    await this.#readAgain(() => {
      this.choices.resetReading(file);
    });
  }

  async #readAgain(choose: () => void): Promise<void> {
    if (this.now.step !== 'checked' || this.now.adding) return;
    this.#typing.abort();
    choose();
    this.problem = null;
    this.shown = null;
    await this.replan();
    this.#showSection();
  }

  /** Columns that the user has to match come before rows. */
  #showSection(): void {
    if (this.now.step !== 'checked') return;
    this.section = columnFaults(this.now.plan).length > 0 ? 'columns' : 'rows';
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
   * Queues the batch as it is shown, and shows the next file. Returns `null` on failure; the step
   * then has the problem. If the service's profile has changed since the plan, plans again, so that
   * the user can check.
   */
  async add(): Promise<AddedBatch | null> {
    const checked = this.now;
    if (checked.step !== 'checked' || checked.adding || checked.stale) return null;
    const generation = this.#generation;
    this.now = { ...checked, adding: true, problem: null };
    const { options } = this.choices;
    try {
      const { plan } = checked;
      const source = this.choices.sourceOf(checked.source);
      const { origin, profile } = plan;
      const added = await this.#client.batches.add({ origin, profile, source, options });
      if (generation === this.#generation) this.#showNextAfterAdding();
      return added;
    } catch (error) {
      if (generation !== this.#generation) return null;
      if (this.#serviceChanged) {
        this.#fail(problemOf(error));
        return null;
      }
      const problem = problemOf(error);
      const isOutdated = problem.kind === 'failure' && OUTDATED.includes(problem.failure.code);
      this.now = { ...checked, adding: false, stale: isOutdated, problem };
      if (isOutdated) await this.#planAgainAfter(problem, generation);
      void this.#lookAhead.run();
      return null;
    }
  }

  async #planAgainAfter(problem: AddProblem, generation: number): Promise<void> {
    await this.#planning.request();
    const { now } = this;
    if (generation === this.#generation && now.step === 'checked')
      this.now = { ...now, problem: now.problem ?? problem };
  }

  #showNextAfterAdding(): void {
    for (const id of this.#planned) this.files.mark(id, { kind: 'added' });
    if (this.together && this.files.open.length > 0) void this.#showTogether();
    else void this.#showNext();
  }

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
    if (!this.files.hasSeveral && file?.status.kind === 'unreadable') {
      this.startOver();
      this.now = { step: 'choose', problem: file.status.problem };
    } else if (this.files.all.every(({ status }) => status.kind === 'added')) {
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
    const generation = this.#begin();
    this.now = { step: 'checking', name };
    const found = await read();
    if (generation !== this.#generation) return true;
    const problem =
      found.kind === 'file' ? await this.#showSource(found.file, generation) : found.problem;
    if (problem === null) return true;
    this.files.mark(id, { kind: 'unreadable', problem });
    return false;
  }

  /** Shows all readable files as one batch. */
  async #showTogether(): Promise<void> {
    this.shownFile = null;
    const generation = this.#begin();
    this.now = { step: 'checking', name: null };
    const isAnswered = await this.#lookAhead.run();
    if (generation !== this.#generation) return;
    const { open } = this.files;
    this.#planned = open.map(({ id }) => id);
    if (!isAnswered) this.now = { step: 'stuck', problem: { kind: 'lost' } };
    else if (open.length === 0) this.#finish();
    else if (open.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BATCH_BYTES) {
      this.now = { step: 'stuck', problem: { kind: 'too-large-together' } };
    } else {
      const source = await this.files.readTogether(open);
      if (generation !== this.#generation) return;
      if (source === null) await this.#showTogether();
      else {
        const problem = await this.#showSource(source, generation);
        if (problem !== null) this.now = { step: 'stuck', problem };
      }
    }
  }

  /**
   * Plans and shows a batch, with the choices made for an earlier file with these columns.
   * @returns why no row can be read; `null` otherwise
   */
  async #showSource(source: BatchSource, generation: number): Promise<AddProblem | null> {
    const plan = await this.#planFirst(source, generation);
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
    } else this.#showSection();
    return null;
  }

  /** Resets what is shown, and makes pending answers obsolete. */
  #begin(): number {
    const { folder, nameTemplate, onCollision } = this.choices;
    this.choices = new BatchChoices();
    // Files that are added one after another usually go to the same folder.
    Object.assign(this.choices, { folder, nameTemplate, onCollision });
    this.video = null;
    this.section = 'rows';
    this.shown = null;
    this.problem = null;
    this.valuesOf = null;
    this.readings = [];
    this.#typing.abort();
    this.recalled = false;
    this.recalledTemplate = false;
    this.#serviceChanged = false;
    this.frame.clear();
    return (this.#generation += 1);
  }

  /** Also called before rows are added: the user may choose a corrected file first. */
  #remember(): void {
    const { columns, templateText } = this.choices;
    if (this.now.step !== 'checked' || !this.#canPlan()) return;
    const isDefault = Object.keys(columns).length === 0 && templateText === null;
    this.#memory.keep(this.now.plan.fileColumns, isDefault ? null : { columns, templateText });
  }

  #isAdding(): boolean {
    return this.now.step === 'checked' && this.now.adding;
  }

  #canPlan(): boolean {
    return this.choices.templateFault === null;
  }

  #show(source: BatchSource, plan: BatchPlan): void {
    this.now = { step: 'checked', source, plan, stale: false, adding: false, problem: null };
    this.readings = plan.files.map(({ reading }, at) => reading ?? this.readings[at] ?? null);
    if (this.shownFile !== null) this.files.mark(this.shownFile, fileStatusOf(plan));
  }

  async #planOnce(): Promise<void> {
    const generation = this.#generation;
    const { now } = this;
    if (now.step !== 'checked' || this.#isAdding() || !this.#canPlan()) return;
    const source = this.video?.source(now.plan.fields) ?? now.source;
    try {
      const plan = await this.#plan(source);
      if (generation !== this.#generation || this.#isAdding()) return;
      this.#show(source, plan);
      // The choices have changed since.
      if (this.#planning.isRequested || !this.#canPlan()) this.#markStale(null);
    } catch (error) {
      if (generation === this.#generation) this.#markStale(problemOf(error));
    }
  }

  #markStale(problem: AddProblem | null): void {
    if (this.now.step === 'checked') this.now = { ...this.now, stale: true, problem };
  }

  /** The first plan of a source; `null` when it fails or is no longer needed. */
  async #planFirst(source: BatchSource, generation: number): Promise<BatchPlan | null> {
    try {
      const plan = await this.#plan(source);
      return generation === this.#generation ? plan : null;
    } catch (error) {
      if (generation !== this.#generation) return null;
      this.#fail(problemOf(error));
      return null;
    }
  }

  /** Shows a problem in place of the plan. */
  #fail(problem: AddProblem): void {
    if (this.files.hasSeveral) this.now = { step: 'stuck', problem };
    else {
      this.startOver();
      this.now = { step: 'choose', problem };
    }
  }

  async #plan(source: BatchSource): Promise<BatchPlan> {
    const { choices } = this;
    const plan = await this.#client.batches.plan({
      source: choices.sourceOf(source),
      options: choices.options,
      ...(this.shown === null ? {} : { show: this.shown }),
    });
    const isReadable = plan.rows.length > 0;
    return isReadable && choices.dropOutdated(plan.rows) ? this.#plan(source) : plan;
  }
}
