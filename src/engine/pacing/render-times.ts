import { z } from 'zod';

/**
 * How long the service takes to render, learned for each preset (the properties of a video that
 * make its render long or short). Render times are modelled as log-normal: they are positive, and
 * late ones are late by a factor.
 */
export const renderTimesSchema = z.object({
  version: z.literal(1),
  /** Least recently learned first. Sums are over the natural logarithms of seconds. */
  presets: z.array(
    z.object({
      preset: z.string(),
      count: z.number().nonnegative(),
      mean: z.number(),
      squares: z.number().nonnegative(),
    }),
  ),
});
export type RenderTimes = Readonly<z.infer<typeof renderTimesSchema>>;

type Learned = RenderTimes['presets'][number];

export const NO_RENDER_TIMES: RenderTimes = { version: 1, presets: [] };

/** The prior: half are done within two minutes, 95% within eight. */
export const USUAL_RENDER_MS = 120_000;
export const PRIOR_VARIANCE = 0.85 ** 2;
/** The prior weighs as much as this many renders. */
const PRIOR_WEIGHT = 3;
/** The same for averages, and how much one preset's renders usually differ. */
export const AVERAGE_PRIOR_WEIGHT = 0.3;
export const AVERAGE_VARIANCE = 0.4 ** 2;
/** Older renders count less, since services get faster and slower. */
const MEMORY = 50;
const KEPT_PRESETS = 1000;
/** The least deviation, even for a service whose render times have been constant: 5%. */
export const MIN_DEVIATION = 0.05;
const MIN_MS = 100;
/**
 * Beyond it the learned distribution says nothing; such a late render is assumed to take its age
 * again.
 */
const FAR_TAIL = 0.999;

/** Adds one render that took `ms` from being accepted to being finished. */
export function learnRenderTime(times: RenderTimes, preset: string, ms: number): RenderTimes {
  const value = Math.log(Math.max(ms, MIN_MS) / 1000);
  const known = learnedOf(times, preset);
  const { count, mean, squares } = known ?? { count: 0, mean: value, squares: 0 };
  const kept = Math.min(count, MEMORY - 1);
  const scale = count === 0 ? 0 : kept / count;
  const learned = {
    preset,
    count: kept + 1,
    mean: mean + (value - mean) / (kept + 1),
    squares: squares * scale + ((value - mean) ** 2 * kept) / (kept + 1),
  };
  const others = times.presets.filter((each) => each !== known);
  return { ...times, presets: [...others, learned].slice(-KEPT_PRESETS) };
}

function learnedOf({ presets }: RenderTimes, preset: string): Learned | undefined {
  return presets.find((each) => each.preset === preset);
}

/**
 * The expected duration of a preset's next render.
 * @param usualMs half of a service's renders take no longer, before any has been seen
 */
export function renderTimeOf(
  times: RenderTimes,
  preset: string,
  usualMs = USUAL_RENDER_MS,
): LogNormal {
  const prior = Math.log(usualMs / 1000);
  const known = learnedOf(times, preset);
  if (known === undefined) return new LogNormal(prior, Math.sqrt(PRIOR_VARIANCE));
  const weight = PRIOR_WEIGHT + known.count;
  const away = known.mean - prior;
  const variance =
    (PRIOR_WEIGHT * PRIOR_VARIANCE +
      known.squares +
      ((PRIOR_WEIGHT * known.count) / weight) * away ** 2) /
    weight;
  return new LogNormal(
    prior + (known.count / weight) * away,
    Math.max(MIN_DEVIATION, Math.sqrt(variance)),
  );
}

/**
 * How long a preset's renders take on average, which decides how many of them fit into a time. The
 * prior weighs less here than for a single render, because here it would shift every one of them.
 */
export function averageRenderOf(
  times: RenderTimes,
  preset: string,
  usualMs = USUAL_RENDER_MS,
): LogNormal {
  const prior = Math.log(usualMs / 1000);
  const known = learnedOf(times, preset);
  const { count, mean, squares } = known ?? { count: 0, mean: prior, squares: 0 };
  const weight = AVERAGE_PRIOR_WEIGHT + count;
  const variance = (AVERAGE_PRIOR_WEIGHT * AVERAGE_VARIANCE + squares) / weight;
  return new LogNormal(
    (AVERAGE_PRIOR_WEIGHT * prior + count * mean) / weight,
    Math.max(MIN_DEVIATION, Math.sqrt(variance)),
  );
}

/** A log-normal duration; arguments and results in milliseconds. */
export class LogNormal {
  /** Mean and standard deviation of the natural logarithm of the seconds. */
  readonly mean: number;
  readonly deviation: number;
  /** How uncertain `mean` itself is: the standard deviation of an error that all durations share. */
  readonly meanDeviation: number;

  constructor(mean: number, deviation: number, meanDeviation = 0) {
    this.mean = mean;
    this.deviation = deviation;
    this.meanDeviation = meanDeviation;
  }

  /** The share of durations that are at most `ms`. */
  cdf(ms: number): number {
    return ms <= 0 ? 0 : normalCdf((Math.log(ms / 1000) - this.mean) / this.deviation);
  }

  /** The duration that a share `p` of durations does not exceed. */
  quantile(p: number): number {
    return 1000 * Math.exp(this.mean + this.deviation * normalQuantile(p));
  }

  /** The mean of all durations. */
  get meanMs(): number {
    return 1000 * Math.exp(this.mean + this.deviation ** 2 / 2);
  }

  /** The duration that a share `p` of those that are longer than `ms` does not exceed. */
  quantileBeyond(ms: number, p: number): number {
    const gone = this.cdf(ms);
    return gone > FAR_TAIL ? 2 * ms : Math.max(ms, this.quantile(gone + (1 - gone) * p));
  }

  /**
   * How long, on average, a render that was unfinished after `checked` will have been finished by
   * `age`: the expected delay that a check at `age` ends.
   */
  expectedIdle(checked: number, age: number): number {
    const gone = this.cdf(checked);
    if (age <= checked) return 0;
    if (gone > FAR_TAIL) return (age - checked) ** 2 / (2 * checked);
    const area =
      age * this.cdf(age) - checked * gone - (this.#partialMean(age) - this.#partialMean(checked));
    return Math.max(0, area - gone * (age - checked)) / (1 - gone);
  }

  /** ∫ t·density(t) dt from 0 to `ms`. */
  #partialMean(ms: number): number {
    if (ms <= 0) return 0;
    const { mean, deviation } = this;
    const z = (Math.log(ms / 1000) - mean - deviation ** 2) / deviation;
    return this.meanMs * normalCdf(z);
  }
}

/** P(X ≤ z) of the standard normal distribution, to within 1.5e-7 (Abramowitz & Stegun 7.1.26). */
function normalCdf(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const poly =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const upper = (poly * Math.exp(-x * x)) / 2;
  return z >= 0 ? 1 - upper : upper;
}

/** The z with P(X ≤ z) = p, to within 4.5e-4 (Abramowitz & Stegun 26.2.23). Infinite at 0 and 1. */
function normalQuantile(p: number): number {
  if (p > 0.5) return -normalQuantile(1 - p);
  if (p <= 0) return -Infinity;
  const t = Math.sqrt(-2 * Math.log(p));
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return above / below - t;
}
