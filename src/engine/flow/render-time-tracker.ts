import type { KeyValueStore } from '../jobs/key-value-store.ts';
import {
  averageRenderOf,
  learnRenderTime,
  LogNormal,
  NO_RENDER_TIMES,
  renderTimeOf,
  renderTimesSchema,
  type RenderTimes,
} from '../pacing/render-times.ts';
import { renderTimeByWork } from '../pacing/render-work.ts';

const NOTE = 'render-times';

/** Learned render times, stored, and the progress that they let us estimate. */
export class RenderTimeTracker {
  readonly #notes: KeyValueStore;
  readonly #known = new Map<string, LogNormal>();
  readonly #usualMs: number | undefined;
  readonly #isByWork: boolean;
  #times: RenderTimes;

  /**
   * @param usualMs half of this service's renders take no longer, before any was seen
   * @param isByWork render times depend only on the amount of work: they include no wait
   */
  constructor(notes: KeyValueStore, usualMs?: number, isByWork = false) {
    this.#isByWork = isByWork;
    this.#notes = notes;
    this.#usualMs = usualMs;
    this.#times = notes.read(NOTE, renderTimesSchema) ?? NO_RENDER_TIMES;
  }

  of(preset: string): LogNormal {
    let known = this.#known.get(preset);
    if (!known) {
      known = this.#isByWork
        ? totalOf(this.averageOf(preset))
        : renderTimeOf(this.#times, preset, this.#usualMs);
      this.#known.set(preset, known);
    }
    return known;
  }

  /** Half of the renders like the latest one take no longer; `null` before the first one. */
  get latestMs(): number | null {
    const latest = this.#times.presets.at(-1);
    return latest === undefined ? null : this.of(latest.preset).quantile(0.5);
  }

  /** How long its renders take on average, for forecasts of many. */
  averageOf(preset: string): LogNormal {
    const of = this.#isByWork ? renderTimeByWork : averageRenderOf;
    return of(this.#times, preset, this.#usualMs);
  }

  /** Joins the caller's transaction. */
  learn(preset: string, ms: number): void {
    this.#times = learnRenderTime(this.#times, preset, ms);
    if (this.#isByWork) this.#known.clear();
    else this.#known.delete(preset);
    this.#notes.write(NOTE, this.#times);
  }

  /**
   * An estimate of the share of a render that is done, 0 to 1, when the service gives none. It
   * never decreases and never reaches 1: linear up to nine tenths, then slower and slower.
   */
  progress(preset: string, ageMs: number): number {
    const share = Math.max(0, ageMs) / this.of(preset).quantile(0.5);
    return share <= 1 ? 0.9 * share : 0.9 + 0.09 * (1 - 1 / share);
  }
}

/** Of a single render: it may differ from the others, and all may differ from what is known. */
function totalOf({ mean, deviation, meanDeviation }: LogNormal): LogNormal {
  return new LogNormal(mean, Math.hypot(deviation, meanDeviation));
}
