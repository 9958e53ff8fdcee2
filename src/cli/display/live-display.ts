import { createLogUpdate } from 'log-update';
import type { BatchPlan } from '../../contract/batch.ts';
import type { BatchProgress } from '../batch-progress.ts';
import type { RowAccount } from '../left-out-rows.ts';
import type { ExitCode } from '../exit-codes.ts';
import { progressView } from './progress-view.ts';
import { canvasOf, type Canvas } from './canvas.ts';
import type { Display } from './display.ts';
import { forecastTable } from './forecast.ts';
import type { HumanOutput } from './human-output.ts';
import { report } from './report.ts';
import { failureText } from './failure-text.ts';
import { accountText, endingText, planText } from './summary-text.ts';

/** Milliseconds between two redraws, so that "in 12 s" counts down. */
const REDRAW_MS = 200;

/** A batch that is redrawn in place on a terminal. */
export class LiveDisplay implements Display {
  readonly #to: HumanOutput;
  readonly #startedAt: number;
  readonly #draw;
  #latest: BatchProgress | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(to: HumanOutput) {
    this.#to = to;
    this.#startedAt = to.now();
    this.#draw = createLogUpdate(to.stream, { showCursor: false });
  }

  note(sentence: string): void {
    if (this.#latest) this.#draw.persist(sentence);
    else this.#to.stream.write(`${sentence}\n`);
  }

  failed(failure: Parameters<Display['failed']>[0]): void {
    this.#to.errors.write(`${failureText(failure)}\n`);
  }

  accounted(account: RowAccount): void {
    this.note(accountText(account, this.#to.cwd));
  }

  planned(plan: BatchPlan, now: number): void {
    this.note(planText(plan, now));
  }

  forecast(plan: BatchPlan, now: number): void {
    this.note(`${forecastTable(plan, now, this.#canvas())}\n`);
    this.planned(plan, now);
  }

  progressed(progress: BatchProgress): void {
    this.#latest = progress;
    this.#timer ??= setInterval(() => this.#redraw(), REDRAW_MS);
  }

  ended(exitCode: ExitCode, progress?: BatchProgress): void {
    clearInterval(this.#timer);
    this.#latest = undefined;
    this.#draw.clear();
    this.#draw.done();
    if (!progress) return;
    const { cwd, now, stream } = this.#to;
    const words = endingText(exitCode, progress, now() - this.#startedAt, this.#to);
    stream.write(`\n${report(progress, cwd, now(), this.#canvas())}\n\n${words}\n`);
  }

  #redraw(): void {
    if (this.#latest) this.#draw(`\n${progressView(this.#latest, this.#to.now(), this.#canvas())}`);
  }

  #canvas(): Canvas & { readonly height: number } {
    const { stream } = this.#to;
    // Two lines are not available: the one above the view, and the one with the cursor.
    return { ...canvasOf(stream), height: Math.max(8, (stream.rows || 24) - 2) };
  }
}
