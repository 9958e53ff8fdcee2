import type { BatchPlan } from '../../contract/batch.ts';
import type { BatchProgress } from '../batch-progress.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { RowAccount } from '../left-out-rows.ts';
import type { Canvas } from './canvas.ts';
import type { Display } from './display.ts';
import { failureText } from './failure-text.ts';
import { forecastTable } from './forecast.ts';
import type { HumanOutput } from './human-output.ts';
import { report } from './report.ts';
import { accountText, endingText, planText } from './summary-text.ts';

/** The maximum number of errors and of warnings that people read. */
export const MAX_LISTED_ERRORS = 10;

/** What people read of a batch, on a terminal or in a log. */
export abstract class TextDisplay implements Display {
  protected readonly to: HumanOutput;
  readonly #startedAt: number;

  constructor(to: HumanOutput) {
    this.to = to;
    this.#startedAt = to.now();
  }

  protected abstract get canvas(): Canvas;

  abstract note(sentence: string): void;

  abstract progressed(progress: BatchProgress): void;

  failed(failures: Parameters<Display['failed']>[0]): void {
    for (const failure of failures.slice(0, MAX_LISTED_ERRORS)) {
      this.to.errors.write(`${failureText(failure)}\n`);
    }
    const more = failures.length - MAX_LISTED_ERRORS;
    if (more > 0) this.note(`… and ${more} more.`);
  }

  accounted(account: RowAccount): void {
    this.note(accountText(account, this.to.cwd));
  }

  planned(plan: BatchPlan, now: number): void {
    this.note(planText(plan, now));
  }

  forecast(plan: BatchPlan, now: number): void {
    this.note(`${forecastTable(plan, now, this.canvas)}\n`);
    this.planned(plan, now);
  }

  ended(exitCode: ExitCode, progress?: BatchProgress): void {
    if (!progress) return;
    const { cwd, now } = this.to;
    const words = endingText(exitCode, progress, now() - this.#startedAt, this.to);
    this.note(`\n${report(progress, cwd, now(), this.canvas)}\n\n${words}`);
  }
}
