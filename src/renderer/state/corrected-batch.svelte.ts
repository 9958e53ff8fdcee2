/** A batch that the user checks and corrects before it is added: its rows, cells and errors. */
import type { BatchPlan, BatchSource } from '../../contract/batch.ts';
import type { TableCopyWanted } from '../../contract/table-copy.ts';
import { BatchChoices } from './batch-choices.svelte.ts';
import type { AddProblem } from './offered-file.ts';
import type { PageEnvironment } from './page-environment.ts';
import { problemAfter, rowProblems, type ProblemPlace, type RowProblem } from './problem-groups.ts';
import type { CellPlace, RowRepairs } from './row-repairs.svelte.ts';
import type { VideoForm } from './row-form.svelte.ts';

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

/** How long the user has stopped typing into a cell before the batch is checked again. */
const TYPING_MS = 150;

export const ADD_SECTIONS = ['rows', 'columns', 'request', 'files'] as const;
export type AddSection = (typeof ADD_SECTIONS)[number];

export abstract class CorrectedBatch {
  now = $state.raw<AddStep>({ step: 'choose', problem: null });
  choices = $state.raw(new BatchChoices());
  section = $state<AddSection>('rows');
  /** The row whose request is shown; the first one when `null`. */
  shown = $state<number | null>(null);
  /** The column whose values are shown; `null` for none. */
  valuesOf = $state<string | null>(null);
  /** The error whose cell is open. A new object each time it is opened. */
  problem = $state.raw<ProblemPlace | null>(null);
  /** The form of a single video; `null` for a batch. */
  video = $state.raw<VideoForm | null>(null);

  readonly #wait: PageEnvironment['wait'];
  #typing = new AbortController();

  /** @param wait resolves after milliseconds, or when the signal is aborted */
  constructor(wait: PageEnvironment['wait']) {
    this.#wait = wait;
  }

  /** Plans again after a choice. */
  abstract replan(): Promise<void>;

  /** Shows a row. Plans again if the plan has no sample of it. */
  abstract show(row: number): Promise<void>;

  /** Resolves after milliseconds. */
  protected waitFor(ms: number): Promise<void> {
    return this.#wait(ms, new AbortController().signal);
  }

  /** What was typed is checked with the next plan, or not at all. */
  protected stopTyping(): void {
    this.#typing.abort();
  }

  /** Whether rows of the shown batch have errors. */
  get hasProblems(): boolean {
    return (
      this.now.step === 'checked' && this.video === null && rowProblems(this.now.plan).length > 0
    );
  }

  /**
   * Corrects a cell that the user types into, and plans again once they stop for a moment.
   * @param before the cell's text until now
   */
  async type(place: CellPlace, text: string, before: string): Promise<void> {
    if (this.now.step !== 'checked' || this.now.adding || this.choices.areAhead) return;
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
  async setCells(
    rows: readonly number[],
    column: string,
    text: string,
    before?: string,
  ): Promise<void> {
    await this.#repair((repairs) => {
      repairs.set(rows, column, text, before);
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
    if (this.now.step !== 'checked' || this.now.adding || this.choices.areAhead) return;
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
}
