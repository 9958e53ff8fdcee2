import type { KeyValueStore } from '../jobs/key-value-store.ts';
import {
  averageRenderOf,
  learnRenderTime,
  NO_RENDER_TIMES,
  renderTimeByWork,
  renderTimeOf,
  renderTimesSchema,
  type LogNormal,
  type RenderTimes,
} from '../pacing/render-times.ts';

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
      const of = this.#isByWork ? renderTimeByWork : renderTimeOf;
      known = of(this.#times, preset, this.#usualMs);
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
    // Every render says something about all of them.
    return this.#isByWork ? this.of(preset) : averageRenderOf(this.#times, preset, this.#usualMs);
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
