/**
 * Render times of a service that reports when each render begins, as the one on this computer does:
 * they include no wait and depend on the amount of work, so that renders of any size say how long
 * those of another size take.
 */
import {
  AVERAGE_PRIOR_WEIGHT,
  AVERAGE_VARIANCE,
  LogNormal,
  MIN_DEVIATION,
  PRIOR_VARIANCE,
  USUAL_RENDER_MS,
  type RenderTimes,
} from './render-times.ts';

/** The video that takes the usual time of a service, as a preset. */
const USUAL_VIDEO = 'resolution=1080 aspect=16:9 fps=30 seconds=10+';

/**
 * What every render takes besides drawing and encoding, as a share of the usual video's work. By
 * measurements of processor time (docs/measured.md); the number of scenes made no difference.
 */
const FIXED_WORK = 0.05;

/**
 * The work of a video with a clip, which is decoded, scaled and, since every picture differs, encoded
 * as a whole: this many times that of one without.
 */
const CLIP_WORK = 3;
const WITH_CLIP = 'clip=yes';

/** Time grows with work, but not with every renderer and resolution alike. */
const SLOPE_VARIANCE = 0.3 ** 2;
/** How far renders of one size are from what the other sizes show. */
const SIZE_VARIANCE = 0.1 ** 2;

/**
 * The expected duration of a preset's next render, with the uncertainty of what is known about it.
 * A Bayesian linear regression of the logarithm of time on that of work; the renders of the preset
 * itself then correct what those of other sizes show.
 *
 * @param usualMs half of the renders of a video of 10 s at 1080p take no longer, before any was seen
 */
export function renderTimeByWork(
  times: RenderTimes,
  preset: string,
  usualMs = USUAL_RENDER_MS,
): LogNormal {
  const own = workOf(preset);
  const origin = own.isKnown ? 0 : own.log;
  const priorOf = (log: number): number => Math.log(usualMs / 1000) + log - origin;
  const alike = times.presets.flatMap((learned) => {
    const { numbers, log } = workOf(learned.preset);
    return numbers === own.numbers ? [{ ...learned, log }] : [];
  });
  const count = alike.reduce((sum, each) => sum + each.count, 0);
  const squares = alike.reduce((sum, each) => sum + each.squares, 0);
  const variance =
    (AVERAGE_PRIOR_WEIGHT * AVERAGE_VARIANCE + squares) / (AVERAGE_PRIOR_WEIGHT + count);

  // Precisions of the offset from the prior and of the slope, and of both together.
  let [offset, slope, both] = [1 / PRIOR_VARIANCE, 1 / SLOPE_VARIANCE, 0];
  let [offsetSum, slopeSum] = [0, 0];
  for (const { preset: other, count: renders, log, mean } of alike) {
    if (other === preset) continue;
    const weight = 1 / (variance / renders + SIZE_VARIANCE);
    const away = log - origin;
    const residual = mean - priorOf(log);
    offset += weight;
    slope += weight * away ** 2;
    both += weight * away;
    offsetSum += weight * residual;
    slopeSum += weight * away * residual;
  }
  const determinant = offset * slope - both ** 2;
  const away = own.log - origin;
  const expected =
    priorOf(own.log) +
    (slope * offsetSum - both * slopeSum + away * (offset * slopeSum - both * offsetSum)) /
      determinant;
  const uncertainty = (slope - 2 * away * both + away ** 2 * offset) / determinant + SIZE_VARIANCE;

  const seen = alike.find((each) => each.preset === preset);
  const seenWeight = (seen?.count ?? 0) / variance;
  const precision = 1 / uncertainty + seenWeight;
  return new LogNormal(
    (expected / uncertainty + seenWeight * (seen?.mean ?? 0)) / precision,
    Math.max(MIN_DEVIATION, Math.sqrt(variance)),
    // Other programs may use the computer more or less than before.
    Math.hypot(MIN_DEVIATION, Math.sqrt(1 / precision)),
  );
}

interface Work {
  /** Names of the numbers: a preset without one of them is not comparable. */
  readonly numbers: string;
  /** The natural logarithm of the work, 0 for the usual video if that is comparable. */
  readonly log: number;
  /** Whether it is comparable with the usual video. */
  readonly isKnown: boolean;
}

function workOf(preset: string): Work {
  const { numbers, product } = productOf(preset);
  const usual = productOf(USUAL_VIDEO);
  const isKnown = numbers === usual.numbers;
  const work = isKnown ? (product / usual.product + FIXED_WORK) / (1 + FIXED_WORK) : product;
  return { numbers, isKnown, log: Math.log(work) };
}

/** A video's pixels, frames and the like: all numbers and ratios in its preset, multiplied. */
function productOf(preset: string): { readonly numbers: string; readonly product: number } {
  const numbers: string[] = [];
  let product = 1;
  for (const property of preset.split(' ')) {
    if (property === WITH_CLIP) product *= CLIP_WORK;
    const [name = '', value = ''] = property.split('=');
    const [, one, other] = /^(\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?\+?$/.exec(value) ?? [];
    if (one === undefined) continue;
    numbers.push(name);
    // Upright or not, a picture of one resolution has as many pixels.
    const ratio = other === undefined ? null : Number(one) / Number(other);
    if (ratio !== null) product *= Math.max(ratio, 1 / ratio);
    else product *= Math.max(Number(one), 0.5) ** (name === 'resolution' ? 2 : 1);
  }
  return { numbers: numbers.join(' '), product };
}
