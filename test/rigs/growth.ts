/** Measures how the time of a reader grows with its text. */

/** Milliseconds that can be measured. */
const MEASURABLE = 2;
/** Of processor time, which some systems count in steps of 4 or 10 ms. */
const MEASURABLE_WORK = 100;
const TRIES = 5;
/** If two readings differ by less than this factor, no further ones are needed. */
const AGREEING = 1.1;
const SIZES = 4;
const SMALLEST = 1024;

/** Twice the input may take this many times as long. */
export const MAX_RATIO = 3;

export type Reader<Input> = (input: Input) => unknown;

/** Milliseconds of processor time that this thread has used, whatever other programs do. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Milliseconds of processor time for one reading: the best of several, since a reading may be
 * interrupted or compiled meanwhile.
 *
 * @param enough no more tries follow one that takes at most as long: the best of all would, too
 */
export async function timeOf<Input>(
  read: Reader<Input>,
  input: Input,
  { tries = TRIES, enough = 0 }: { readonly tries?: number; readonly enough?: number } = {},
): Promise<number> {
  let best = Infinity;
  for (let attempt = 0; attempt < tries && best > enough; attempt += 1) {
    const start = threadTime();
    try {
      await read(input);
    } catch {
      // Refusing an input counts as reading it.
    }
    const time = threadTime() - start;
    const isConfirmed = Math.max(time, best) <= AGREEING * Math.min(time, best);
    best = Math.min(best, time);
    if (isConfirmed) break;
  }
  return best;
}

/** Milliseconds of processor time for one reading: the mean of as many as can be measured well. */
async function workOf<Input>(read: Reader<Input>, input: Input): Promise<number> {
  const before = threadTime();
  for (let readings = 1; ; readings += 1) {
    await timeOf(read, input, { tries: 1 });
    const spent = threadTime() - before;
    if (spent >= MEASURABLE_WORK) return spent / readings;
  }
}

/**
 * The factor by which time grows when the input doubles: the smallest of several sizes, beginning
 * with the first measurable one. Superlinear growth shows at all of them; noise does not.
 *
 * @param inputOf an input of about so many characters or bytes
 * @param largest of the sizes that are tried
 * @param mostSizes tried before a reader counts as slow; fewer sizes are more sensitive to noise
 */
export async function ratioOf<Input>(
  read: Reader<Input>,
  inputOf: (size: number) => Input,
  largest: number,
  mostSizes = SIZES,
): Promise<number> {
  let least = Infinity;
  let sizes = 0;
  for (let size = SMALLEST; size < largest || sizes > 0;) {
    const once = await timeOf(read, inputOf(size), { enough: MEASURABLE });
    if (once <= MEASURABLE) {
      // Most inputs are never read slowly enough to be measured, and are read for nothing.
      // The next size is measurable, and not much larger: larger ones take as many times as long.
      const step = once > MEASURABLE / 2 ? 2 : 4;
      size = Math.max(2 * size, Math.min(step * size, largest / 2));
      continue;
    }
    sizes += 1;
    const twice = await timeOf(read, inputOf(2 * size), { enough: MAX_RATIO * once });
    least = Math.min(least, twice / once);
    // On a busy machine, the longer of two readings is the interrupted one.
    if (least > MAX_RATIO)
      least = Math.min(
        least,
        (await workOf(read, inputOf(2 * size))) / (await workOf(read, inputOf(size))),
      );
    if (least <= MAX_RATIO || sizes === mostSizes) break;
    size *= 2;
  }
  return sizes === 0 ? 1 : least;
}
