import type { AddedBatch, BatchPlan, BatchSource } from '../../contract/batch.ts';
import { decodeText } from '../../contract/batch-text.ts';
import type { Client } from '../../contract/contract.ts';
import type { Failure } from '../../contract/failure.ts';
import { failureOf } from '../connection/failure-of.ts';
import { BatchChoices } from './batch-choices.svelte.ts';
import type { BatchMemory } from './batch-memory.ts';
import { columnFaults } from './column-faults.ts';
import { Planning } from './planning.ts';
import { VideoForm } from './video-form.svelte.ts';

/** The contract takes 16 MiB of text. */
const LARGEST_TEXT = 16 * 1024 * 1024;

/** Where adding a batch stands. Nothing is stored or spent before `add`. */
export type AddStep =
  | { readonly step: 'choose'; readonly problem: AddProblem | null }
  | { readonly step: 'checking'; readonly source: BatchSource }
  | {
      readonly step: 'checked';
      readonly source: BatchSource;
      readonly plan: BatchPlan;
      /** The plan is not yet, or cannot be, what the choices say. */
      readonly stale: boolean;
      readonly adding: boolean;
      readonly problem: AddProblem | null;
    };

export type AddProblem =
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'lost' | 'too-large' | 'not-text' };

export const ADD_SECTIONS = ['rows', 'columns', 'request', 'files'] as const;
export type AddSection = (typeof ADD_SECTIONS)[number];

/** A batch on its way from a file, a paste or a form to the queue, by way of a plan its owner sees. */
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

  readonly #client: Client;
  readonly #memory: BatchMemory;
  #turn = 0;
  readonly #planning = new Planning(() => this.#planOnce());

  constructor(client: Client, memory: BatchMemory) {
    this.#client = client;
    this.#memory = memory;
  }

  startOver(): void {
    this.#begin();
    this.now = { step: 'choose', problem: null };
  }

  async takeFile(file: File): Promise<void> {
    this.#begin();
    if (file.size > LARGEST_TEXT) {
      this.now = { step: 'choose', problem: { kind: 'too-large' } };
      return;
    }
    const content = decodeText(new Uint8Array(await file.arrayBuffer()));
    if (content.includes('\0')) {
      this.now = { step: 'choose', problem: { kind: 'not-text' } };
      return;
    }
    await this.check({ name: file.name, content });
  }

  /** Reads and forecasts a batch, as an earlier one with these columns was read. */
  async check(source: BatchSource): Promise<void> {
    const turn = this.#begin();
    this.now = { step: 'checking', source };
    const plan = await this.#ask(source, turn);
    if (plan === null) return;
    const [fault] = plan.faults;
    if (fault !== undefined && plan.fileColumns.length === 0) {
      this.now = { step: 'choose', problem: { kind: 'failure', failure: fault } };
      return;
    }
    this.#show(source, plan);
    const needsColumns = columnFaults(plan).length > 0;
    const remembered = this.#memory.recall(plan.fileColumns);
    const isField = (name: string): boolean => plan.fields.some((field) => field.name === name);
    if (remembered !== null && Object.keys(remembered.columns).every(isField)) {
      this.choices.columns = remembered.columns;
      this.choices.templateText = remembered.templateText;
      this.recalled = true;
      await this.replan();
    } else if (needsColumns) {
      this.section = 'columns';
    }
  }

  /** Opens the form of a single video. @param batch the name of the batch that it is put in */
  async describeOne(batch: string): Promise<void> {
    const turn = this.#begin();
    const form = new VideoForm(batch);
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

  /** Plans anew after a choice. Choices that are made meanwhile come to one more plan, not several. */
  async replan(): Promise<void> {
    if (this.now.step !== 'checked' || this.now.adding) return;
    this.now = { ...this.now, stale: true, problem: null };
    if (this.#canAsk()) await this.#planning.ask();
  }

  /** Queues the batch as it is shown. `null` when it could not; the step then says why. */
  async add(): Promise<AddedBatch | null> {
    const checked = this.now;
    if (checked.step !== 'checked' || checked.adding || checked.stale) return null;
    this.now = { ...checked, adding: true, problem: null };
    const { options, columns, templateText } = this.choices;
    try {
      const added = await this.#client.batches.add({ source: checked.source, options });
      const usual = Object.keys(columns).length === 0 && templateText === null;
      this.#memory.keep(checked.plan.fileColumns, usual ? null : { columns, templateText });
      this.startOver();
      return added;
    } catch (error) {
      this.now = { ...checked, adding: false, problem: problemOf(error) };
      return null;
    }
  }

  /** Whatever was before is forgotten, and so is every answer that is still on its way. */
  #begin(): number {
    this.choices = new BatchChoices();
    this.video = null;
    this.section = 'rows';
    this.shown = null;
    this.recalled = false;
    return (this.#turn += 1);
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

  /** A first plan; `null` when there is none, or when nobody waits for it any more. */
  async #ask(source: BatchSource, turn: number): Promise<BatchPlan | null> {
    try {
      const plan = await this.#plan(source);
      return turn === this.#turn ? plan : null;
    } catch (error) {
      if (turn === this.#turn) this.now = { step: 'choose', problem: problemOf(error) };
      return null;
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

function problemOf(error: unknown): AddProblem {
  const failure = failureOf(error);
  return failure === null ? { kind: 'lost' } : { kind: 'failure', failure };
}
