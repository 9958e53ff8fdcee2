import type {
  AddedBatch,
  BatchPlan,
  BatchSource,
  ColumnChoice,
  UnfitEdit,
} from '../../contract/batch.ts';
import { MAX_BATCH_BYTES } from '../../contract/batch-limits.ts';
import type { Client } from '../../contract/contract.ts';
import type { FailureCode } from '../../contract/failure.ts';
import type { TableReading } from '../../contract/table-reading.ts';
import { BatchChoices, type ReadingChange } from './batch-choices.svelte.ts';
import { choicesBefore, type ChoicesBefore } from './used-before.ts';
import type { BatchMemory } from './batch-memory.ts';
import { Drafts } from './drafts.ts';
import { FramePreview } from './frame-preview.svelte.ts';
import { FileList, type ListedFile } from './file-list.svelte.ts';
import { LookAhead } from './look-ahead.ts';
import type { AddProblem, OfferedFile } from './offered-file.ts';
import type { PageEnvironment } from './page-environment.ts';
import { columnErrors, fileStatusOf, problemIn, problemOf } from './plan-problems.ts';
import { CorrectedBatch } from './corrected-batch.svelte.ts';
import { CoalescingRunner } from './coalescing-runner.ts';
import { VideoForm } from './row-form.svelte.ts';

/** Failures to add a batch that was planned without errors: the queue or the profile changed. */
const OUTDATED: readonly FailureCode[] = ['plan-outdated', 'value-invalid'];

/** How often the shown file is looked at, in milliseconds. */
const WATCH_MS = 1500;

/** Adds batches from files, pasted text or a form, each after the user has seen its plan. */
export class AddState extends CorrectedBatch {
  /** Whether the columns are matched as in an earlier file with the same columns. */
  recalled = $state(false);
  /** Whether the request uses the template that the user wrote for that earlier file. */
  recalledTemplate = $state(false);
  /** The last file like this one, if it was added with other choices; `null` once they are used. */
  usedBefore = $state.raw<ChoicesBefore>(null);
  /** Corrections that no longer fit the file, and were dropped. */
  unfit = $state.raw<readonly UnfitEdit[]>([]);
  /** How each file of the batch was read last; `null` for one that was never read. */
  readings = $state.raw<readonly (TableReading | null)[]>([]);
  /** Rows that the user pasted into the field and has not checked yet. */
  pasted = $state('');
  readonly files = new FileList();
  readonly frame: FramePreview;
  /** The id of the shown file; `null` when none is shown, or all are as one batch. */
  shownFile = $state<number | null>(null);
  /** Whether several files become one batch. */
  together = $state(false);

  readonly #client: Client;
  readonly #memory: BatchMemory;
  readonly #drafts = new Drafts();
  /** Whether the shown draft was shown before. */
  #isResumed = false;
  /** Which draft is shown; `null` for none. */
  #draft: string | null = null;
  /** The form of a single video that the user left. */
  #leftForm: VideoForm | null = null;
  readonly #lookAhead: LookAhead;
  #generation = 0;
  readonly #planning = new CoalescingRunner(() => this.#planOnce());
  /** The ids of the files in the plan. */
  #planned: readonly number[] = [];
  /** Whether the shown service changed during `add`: if that fails, the plan is of no use. */
  #serviceChanged = false;

  /** @param wait resolves after milliseconds, or when the signal is aborted */
  constructor(client: Client, memory: BatchMemory, wait: PageEnvironment['wait']) {
    super(wait);
    this.#client = client;
    this.#memory = memory;
    this.frame = new FramePreview(client);
    this.#lookAhead = new LookAhead(client, memory, this.files, () => this.shownFile);
  }

  /** Discards every file and form. */
  startOver(): void {
    this.files.clear();
    this.#drafts.clear();
    this.#leftForm = null;
    this.together = false;
    this.shownFile = null;
    this.#begin(null);
    this.choices = new BatchChoices();
    this.now = { step: 'choose', problem: null };
  }

  /** Whether leaving the shown draft for good loses something that the user did. */
  get hasChanges(): boolean {
    if (this.video !== null) return this.video.touched.size > 0;
    return this.files.hasSeveral || !this.choices.isEmpty;
  }

  /** Goes to choose another file. What is shown waits in the list. */
  chooseAnother(): void {
    if (this.#isAdding()) return;
    this.together = false;
    this.#leave();
    this.now = { step: 'choose', problem: null };
  }

  /** Leaves the shown draft, which waits. */
  #leave(): number {
    if (this.video !== null && this.video.touched.size > 0) this.#leftForm = this.video;
    this.shownFile = null;
    this.#planned = [];
    return this.#begin(null);
  }

  /** Checks files, and shows the first new one; a draft that is shown until then waits. */
  async take(offered: readonly OfferedFile[]): Promise<void> {
    if (this.now.step === 'choose' && this.files.open.length === 0) this.files.clear();
    const before = this.files.all.map(({ id }) => id);
    const replaced = this.files.offer(offered, this.#isAdding() ? this.#planned : []);
    // When `add` has finished, it shows the next file.
    if (this.#isAdding()) return;
    // Files that are opened together come one by one: the first is shown, the others wait.
    const { shownFile, now } = this;
    if (now.step === 'checking' && shownFile !== null && !replaced.includes(shownFile)) return;
    const fresh = this.files.open.find(({ id }) => !before.includes(id));
    const again = this.files.byId(
      replaced.find((id) => id === this.shownFile) ?? replaced[0] ?? null,
    );
    if (this.video !== null) this.#leave();
    if (this.together) await this.#showTogether();
    else if (fresh ?? again) await this.showFile((fresh ?? again)?.id ?? 0);
    else if (this.shownFile === null) await this.#showNext();
    else await this.#lookAhead.run();
  }

  /** Replaces a file that another program saved by its new version, if it is still to be added. */
  async readAgain(offered: OfferedFile): Promise<void> {
    const known = this.files.open.find(({ key }) => key === offered.key);
    if (known === undefined || this.#isAdding()) return;
    this.files.offer([offered]);
    if (known.id === this.shownFile || this.together) await this.checkAgain();
    else await this.#lookAhead.run();
  }

  /** Looks now and then whether the shown file has been saved again. */
  async #watch({ newVersion }: OfferedFile): Promise<void> {
    if (newVersion === undefined) return;
    const generation = this.#generation;
    for (;;) {
      await this.waitFor(WATCH_MS);
      if (generation !== this.#generation) return;
      const next = this.#isAdding() ? null : await newVersion();
      if (next !== null && generation === this.#generation) {
        await this.readAgain(next);
        return;
      }
    }
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
    const isNew = this.#leftForm === null || Object.keys(values).length > 0;
    const form = isNew ? new VideoForm(batch) : (this.#leftForm ?? new VideoForm(batch));
    this.#leftForm = null;
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
    this.choices.forgetService();
    this.#drafts.forgetService();
    void this.checkAgain();
    return true;
  }

  /** @param form may have values already; those without a field in the plan are not sent */
  async #planForm(form: VideoForm): Promise<void> {
    const generation = this.#leave();
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
    // What was added is no draft any more.
    this.#draft = null;
    this.video = null;
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
      this.#begin(null);
      this.now = { step: 'done' };
    }
  }

  /** @returns false when the file itself cannot be read or planned */
  async #showFile({ id, name, read }: ListedFile): Promise<boolean> {
    this.shownFile = id;
    this.#planned = [id];
    const generation = this.#begin(`file ${id}`);
    this.now = { step: 'checking', name };
    const found = await read();
    if (generation !== this.#generation) return true;
    const problem =
      found.kind === 'file' ? await this.#showSource(found.file, generation) : found.problem;
    if (problem === null) {
      const shown = this.files.byId(id);
      if (shown !== undefined) void this.#watch(shown);
      return true;
    }
    this.files.mark(id, { kind: 'unreadable', problem });
    return false;
  }

  /** Shows all readable files as one batch. */
  async #showTogether(): Promise<void> {
    this.shownFile = null;
    const generation = this.#begin(`files ${this.files.open.map(({ id }) => id).join()}`);
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
    const isOutdated = this.choices.dropColumns(plan.fileColumns);
    const remembered = this.#isResumed ? null : this.#memory.recallFor(plan);
    if (isOutdated) await this.replan();
    else if (remembered !== null) {
      this.choices.columns = remembered.columns;
      this.choices.templateText = remembered.templateText;
      this.recalled = true;
      this.recalledTemplate = remembered.templateText !== null;
      this.#remember();
      await this.replan();
    } else this.#showSection();
    if (this.#isResumed || source.further !== undefined) return null;
    const { reusable } = this.choices;
    const before = await choicesBefore(this.#client, source.name, reusable, plan.origin);
    if (generation === this.#generation) this.usedBefore = before;
    return null;
  }

  /**
   * Resets what is shown, and makes pending answers obsolete. The draft that was shown is kept.
   * @param draft the one to show, with the choices that were made about it
   */
  #begin(draft: string | null): number {
    const { choices, recalled, recalledTemplate } = this;
    const { folder, nameTemplate, onCollision } = choices;
    this.#drafts.keep(this.#draft, { choices, recalled, recalledTemplate });
    const kept = this.#drafts.take(draft);
    this.#draft = draft;
    this.#isResumed = kept !== null;
    this.choices = kept?.choices ?? new BatchChoices();
    // Files that are added one after another usually go to the same folder.
    if (kept === null) Object.assign(this.choices, { folder, nameTemplate, onCollision });
    this.unfit = [];
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
    return this.choices.templateError === null;
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
    if (plan.unfitEdits.length > 0) {
      this.unfit = [...this.unfit, ...plan.unfitEdits];
      choices.repairs.drop(plan.unfitEdits);
    }
    const isReadable = plan.rows.length > 0;
    return isReadable && choices.dropOutdated(plan.rows) ? this.#plan(source) : plan;
  }
}
