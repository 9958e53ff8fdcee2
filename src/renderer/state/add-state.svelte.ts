import type { AddedBatch, BatchPlan } from '../../contract/batch.ts';
import { MAX_BATCH_BYTES } from '../../contract/batch-limits.ts';
import type { Client } from '../../contract/contract.ts';
import type { FailureCode } from '../../contract/failure.ts';
import { BatchChoices } from './batch-choices.svelte.ts';
import type { BatchMemory } from './batch-memory.ts';
import { FileList, type ListedFile } from './file-list.svelte.ts';
import { LookAhead } from './look-ahead.ts';
import type { AddProblem, OfferedFile } from './offered-file.ts';
import type { PageEnvironment } from './page-environment.ts';
import { fileStatusOf, problemOf } from './plan-problems.ts';
import { PlannedBatch } from './planned-batch.svelte.ts';
import { VideoForm } from './row-form.svelte.ts';

/** Failures to add a batch that was planned without errors: the queue or the profile changed. */
const OUTDATED: readonly FailureCode[] = ['plan-outdated', 'value-invalid'];

/** How often the shown file is looked at, in milliseconds. */
const WATCH_MS = 1500;

/** Adds batches from files, pasted text or a form, each after the user has seen its plan. */
export class AddState extends PlannedBatch {
  /** Rows that the user pasted into the field and has not checked yet. */
  pasted = $state('');
  readonly files = new FileList();
  /** The id of the shown file; `null` when none is shown, or all are as one batch. */
  shownFile = $state<number | null>(null);
  /** Whether several files become one batch. */
  together = $state(false);

  /** The form of a single video that the user left. */
  #leftForm: VideoForm | null = null;
  readonly #lookAhead: LookAhead;
  /** The ids of the files in the plan. */
  #planned: readonly number[] = [];
  /** Whether the shown service changed during `add`: if that fails, the plan is of no use. */
  #serviceChanged = false;

  /** @param wait resolves after milliseconds, or when the signal is aborted */
  constructor(client: Client, memory: BatchMemory, wait: PageEnvironment['wait']) {
    super(client, memory, wait);
    this.#lookAhead = new LookAhead(client, memory, this.files, () => this.shownFile);
  }

  /** Discards every file and form. */
  startOver(): void {
    this.files.clear();
    this.drafts.clear();
    this.#leftForm = null;
    this.together = false;
    this.shownFile = null;
    this.begin(null);
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
    if (this.isAdding()) return;
    this.together = false;
    this.#leave();
    this.now = { step: 'choose', problem: null };
  }

  /** Leaves the shown draft, which waits. */
  #leave(): number {
    if (this.video !== null && this.video.touched.size > 0) this.#leftForm = this.video;
    this.shownFile = null;
    this.#planned = [];
    return this.begin(null);
  }

  /** Checks files, and shows the first new one; a draft that is shown until then waits. */
  async take(offered: readonly OfferedFile[]): Promise<void> {
    if (this.now.step === 'choose' && this.files.open.length === 0) this.files.clear();
    const before = this.files.all.map(({ id }) => id);
    const replaced = this.files.offer(offered, this.isAdding() ? this.#planned : []);
    // When `add` has finished, it shows the next file.
    if (this.isAdding()) return;
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
    if (known === undefined || this.isAdding()) return;
    this.files.offer([offered]);
    if (known.id === this.shownFile || this.together) await this.checkAgain();
    else await this.#lookAhead.run();
  }

  /** Looks now and then whether the shown file has been saved again. */
  async #watch({ newVersion }: OfferedFile): Promise<void> {
    if (newVersion === undefined) return;
    const generation = this.generation;
    for (;;) {
      await this.waitFor(WATCH_MS);
      if (generation !== this.generation) return;
      const next = this.isAdding() ? null : await newVersion();
      if (next !== null && generation === this.generation) {
        await this.readAgain(next);
        return;
      }
    }
  }

  /** Shows another file of the list. */
  async showFile(id: number): Promise<void> {
    const file = this.files.byId(id);
    if (file === undefined || this.isAdding()) return;
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
    if (this.isAdding()) return;
    this.together = together;
    this.shownFile = null;
    await this.checkAgain();
  }

  async leaveOut(id: number): Promise<void> {
    if (this.isAdding()) return;
    this.files.mark(id, { kind: 'left-out' });
    if (this.together) await this.#showTogether();
    else if (id === this.shownFile) await this.#showNext();
  }

  async takeBackIn(id: number): Promise<void> {
    if (this.isAdding()) return;
    this.files.mark(id, { kind: 'waiting' });
    if (this.together) await this.#showTogether();
    else if (this.now.step === 'done') await this.#showNext();
    else await this.#lookAhead.run();
  }

  /** Leaves out every file that was not added yet. */
  stop(): void {
    if (this.isAdding()) return;
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
    const left = isNew ? null : this.#leftForm;
    const form = left ?? new VideoForm(batch, values);
    this.#leftForm = null;
    await this.#planForm(form);
  }

  /**
   * Plans again for the service that is shown now. Plans for another one can no longer be added.
   * @returns whether anything was planned
   */
  changeService(): boolean {
    const { now, video } = this;
    if (now.step === 'choose' || now.step === 'done') return false;
    this.#serviceChanged = this.isAdding();
    if (this.#serviceChanged) return true;
    if (video !== null) {
      void this.#planForm(video);
      return true;
    }
    for (const { id } of this.files.open) this.files.mark(id, { kind: 'waiting' });
    this.choices.forgetService();
    this.drafts.forgetService();
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
    const plan = await this.planFirst(form.source([]), generation);
    if (plan === null) return;
    this.video = form;
    this.showPlan(form.source(plan.fields), plan);
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
    const generation = this.generation;
    this.now = { ...checked, adding: true, problem: null };
    const { options } = this.choices;
    try {
      const { plan } = checked;
      const source = this.choices.sourceOf(checked.source);
      const { origin, profile } = plan;
      const added = await this.client.batches.add({ origin, profile, source, options });
      if (generation === this.generation) this.#showNextAfterAdding();
      return added;
    } catch (error) {
      if (generation !== this.generation) return null;
      if (this.#serviceChanged) {
        this.fail(problemOf(error));
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
    await this.planning.request();
    const { now } = this;
    if (generation === this.generation && now.step === 'checked')
      this.now = { ...now, problem: now.problem ?? problem };
  }

  #showNextAfterAdding(): void {
    for (const id of this.#planned) this.files.mark(id, { kind: 'added' });
    // What was added is no draft any more.
    this.draft = null;
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
      this.begin(null);
      this.now = { step: 'done' };
    }
  }

  /** @returns false when the file itself cannot be read or planned */
  async #showFile({ id, name, read }: ListedFile): Promise<boolean> {
    this.shownFile = id;
    this.#planned = [id];
    const generation = this.begin(`file ${id}`);
    this.now = { step: 'checking', name };
    const found = await read();
    if (generation !== this.generation) return true;
    const problem =
      found.kind === 'file' ? await this.showSource(found.file, generation) : found.problem;
    if (problem === null || (await this.showEarlier(problem, generation))) {
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
    const before = this.#planned;
    const generation = this.begin('together');
    this.now = { step: 'checking', name: null };
    const isAnswered = await this.#lookAhead.run();
    if (generation !== this.generation) return;
    const broken = before
      .map((id) => this.files.byId(id)?.status)
      .find((status) => status?.kind === 'unreadable');
    if (broken !== undefined && (await this.showEarlier(broken.problem, generation))) return;
    const { open } = this.files;
    this.#planned = open.map(({ id }) => id);
    if (!isAnswered) this.now = { step: 'stuck', problem: { kind: 'lost' } };
    else if (open.length === 0) this.#finish();
    else if (open.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BATCH_BYTES) {
      this.now = { step: 'stuck', problem: { kind: 'too-large-together' } };
    } else {
      const source = await this.files.readTogether(open);
      if (generation !== this.generation) return;
      if (source === null) await this.#showTogether();
      else {
        const problem = await this.showSource(source, generation);
        if (problem !== null && !(await this.showEarlier(problem, generation)))
          this.now = { step: 'stuck', problem };
      }
    }
  }

  protected fail(problem: AddProblem): void {
    if (this.files.hasSeveral) this.now = { step: 'stuck', problem };
    else {
      this.startOver();
      this.now = { step: 'choose', problem };
    }
  }

  protected planned(plan: BatchPlan): void {
    if (this.shownFile !== null) this.files.mark(this.shownFile, fileStatusOf(plan));
  }

  protected override begin(draft: string | null): number {
    this.#serviceChanged = false;
    return super.begin(draft);
  }
}
