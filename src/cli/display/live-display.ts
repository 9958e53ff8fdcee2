import { createLogUpdate } from 'log-update';
import type { BatchProgress } from '../batch-progress.ts';
import type { ExitCode } from '../exit-codes.ts';
import { canvasOf, type Canvas } from './canvas.ts';
import type { HumanOutput } from './human-output.ts';
import { progressView } from './progress-view.ts';
import { TextDisplay } from './text-display.ts';

/** Milliseconds between two redraws, so that "in 12 s" counts down. */
const REDRAW_MS = 200;

/** A batch that is redrawn in place on a terminal. */
export class LiveDisplay extends TextDisplay {
  readonly #draw;
  #latest: BatchProgress | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(to: HumanOutput) {
    super(to);
    this.#draw = createLogUpdate(to.stream, { showCursor: false });
  }

  note(sentence: string): void {
    if (this.#latest) this.#draw.persist(sentence);
    else this.to.stream.write(`${sentence}\n`);
  }

  progressed(progress: BatchProgress): void {
    this.#latest = progress;
    this.#timer ??= setInterval(() => this.#redraw(), REDRAW_MS);
  }

  override ended(exitCode: ExitCode, progress?: BatchProgress): void {
    clearInterval(this.#timer);
    this.#latest = undefined;
    this.#draw.clear();
    this.#draw.done();
    super.ended(exitCode, progress);
  }

  #redraw(): void {
    if (this.#latest) this.#draw(`\n${progressView(this.#latest, this.to.now(), this.canvas)}`);
  }

  protected override get canvas(): Canvas & { readonly height: number } {
    const { stream } = this.to;
    // Two lines are not available: the one above the view, and the one with the cursor.
    return { ...canvasOf(stream), height: Math.max(8, (stream.rows || 24) - 2) };
  }
}
