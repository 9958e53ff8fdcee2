import type { Job } from '../../contract/job.ts';
import { videoTitle } from '../../contract/video-title.ts';
import type { JobState } from '../../contract/job-states.ts';
import { paint, type Canvas } from './canvas.ts';
import { nextStepText } from './job-line.ts';
import { formatCount } from './numbers.ts';
import { jobLabel, stateLabel } from './state-labels.ts';
import { plainText } from './safe-text.ts';
import { cells, cutTo, fit } from './text-cells.ts';

const STATE_WIDTH = 14;

const MAX_TITLE = 44;
const MAX_BATCH = 20;

/** Below this width in cells, the next step is omitted in favour of the title. */
const MIN_WIDTH_FOR_DETAILS = 72;

/** Jobs, one line each: id, title, batch, state, and the next step or the outcome. */
export class JobTable {
  readonly #canvas: Canvas;
  readonly #idWidth: number;
  readonly #titleWidth: number;
  readonly #batchWidth: number;
  #before: Job | undefined;

  /** @param jobs determine the column widths; later ones are cut to fit */
  constructor(jobs: readonly Job[], canvas: Canvas) {
    this.#canvas = canvas;
    this.#idWidth = widest(['id', ...jobs.map(({ id }) => id)]);
    const names = new Set(jobs.map(({ batchName }) => plainText(batchName)));
    this.#batchWidth = Math.min(MAX_BATCH, widest(['batch', ...names]));
    const taken = this.#idWidth + this.#batchWidth + STATE_WIDTH + 6;
    const room =
      canvas.width >= MIN_WIDTH_FOR_DETAILS ? (canvas.width - taken) * 0.6 : canvas.width - taken;
    const titles = jobs.map((job) => plainText(videoTitle(job)));
    const most = Math.max(8, Math.floor(Math.min(MAX_TITLE, room)));
    this.#titleWidth = Math.min(most, widest(['video', ...titles]));
  }

  get head(): string {
    return paint(
      this.#canvas,
      'dim',
      this.#line('id', 'video', 'batch', fit('state', STATE_WIDTH), ''),
    );
  }

  row(job: Job, now: number): string {
    const { shape, word, colour } = jobLabel(job);
    const state = paint(this.#canvas, colour, fit(`${shape} ${word}`, STATE_WIDTH));
    const name = plainText(job.batchName);
    const title = isInRowOf(this.#before, job) ? `  ${job.variant ?? ''}` : videoTitle(job);
    this.#before = job;
    return this.#line(job.id, plainText(title), name, state, nextStepText(job, now));
  }

  /** @param state padded by the caller, because it may contain styles */
  #line(id: string, title: string, batch: string, state: string, more: string): string {
    const { width } = this.#canvas;
    const before = [
      fit(id, this.#idWidth, 'right'),
      fit(title, this.#titleWidth),
      fit(batch, this.#batchWidth),
    ].join('  ');
    const left = width - cells(before) - STATE_WIDTH - 4;
    const end = width >= MIN_WIDTH_FOR_DETAILS ? `  ${cutTo(more, left)}` : '';
    return `${before}  ${state}${end}`.trimEnd();
  }
}

/** `6 videos: 4 saved, 1 rendering, 1 failed.` */
export function countsLine(counts: ReadonlyMap<JobState, number>): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const byWord = new Map<string, number>();
  for (const [state, count] of counts) {
    const { word } = stateLabel(state);
    byWord.set(word, (byWord.get(word) ?? 0) + count);
  }
  const parts = [...byWord].map(([word, count]) => `${count} ${word}`);
  return `${formatCount(total, 'video')}: ${parts.join(', ')}.`;
}

/** Whether a job is another video of the row of the one above it, with the same title. */
function isInRowOf(above: Job | undefined, { rowId, title }: Job): boolean {
  return rowId !== null && above?.rowId === rowId && above.title === title;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, cells(text)), 0);
}
