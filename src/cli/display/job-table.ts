import type { Batch } from '../../contract/batch.ts';
import type { Job } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-states.ts';
import { paint, type Canvas } from './canvas.ts';
import { tellMore } from './job-line.ts';
import { countWords } from './numbers.ts';
import { jobWords, stateWords } from './state-words.ts';
import { cells, cutTo, fit, plainText } from './text-cells.ts';

const STATE_WIDTH = 14;

const MAX_TITLE = 44;
const MAX_BATCH = 20;

/** Narrower than this, what happens next is left out for the title's sake. */
const WIDE = 72;

/** Jobs on a line each: id, title, batch, state, and what happens next or came of it. */
export class JobTable {
  readonly #canvas: Canvas;
  readonly #names: ReadonlyMap<string, string>;
  readonly #idWidth: number;
  readonly #titleWidth: number;
  readonly #batchWidth: number;

  /** @param jobs by which the columns are made; later ones are cut to fit */
  constructor(jobs: readonly Job[], batches: readonly Batch[], canvas: Canvas) {
    this.#canvas = canvas;
    this.#names = new Map(batches.map(({ id, name }) => [id, plainText(name)]));
    this.#idWidth = widest(['id', ...jobs.map(({ id }) => id)]);
    const names = new Set(jobs.map(({ batchId }) => this.#names.get(batchId) ?? ''));
    this.#batchWidth = Math.min(MAX_BATCH, widest(['batch', ...names]));
    const taken = this.#idWidth + this.#batchWidth + STATE_WIDTH + 6;
    const room = canvas.width >= WIDE ? (canvas.width - taken) * 0.6 : canvas.width - taken;
    const titles = jobs.map(({ title }) => plainText(title));
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
    const { shape, word, colour } = jobWords(job);
    const state = paint(this.#canvas, colour, fit(`${shape} ${word}`, STATE_WIDTH));
    const name = this.#names.get(job.batchId) ?? '';
    return this.#line(job.id, plainText(job.title), name, state, tellMore(job, now));
  }

  /** @param state as wide as it is to be: it may be styled */
  #line(id: string, title: string, batch: string, state: string, more: string): string {
    const { width } = this.#canvas;
    const before = [
      fit(id, this.#idWidth, 'right'),
      fit(title, this.#titleWidth),
      fit(batch, this.#batchWidth),
    ].join('  ');
    const left = width - cells(before) - STATE_WIDTH - 4;
    const end = width >= WIDE ? `  ${cutTo(more, left)}` : '';
    return `${before}  ${state}${end}`.trimEnd();
  }
}

/** `6 videos: 4 saved, 1 rendering, 1 failed.` */
export function countsLine(counts: ReadonlyMap<JobState, number>): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return 'There are no such videos.';
  const byWord = new Map<string, number>();
  for (const [state, count] of counts) {
    const { word } = stateWords(state);
    byWord.set(word, (byWord.get(word) ?? 0) + count);
  }
  const parts = [...byWord].map(([word, count]) => `${count} ${word}`);
  return `${countWords(total, 'video')}: ${parts.join(', ')}.`;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, cells(text)), 0);
}
