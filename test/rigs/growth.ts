/** Measures how the time of a reader grows with its text. */

/** The shortest reading that can be measured, in milliseconds. */
const MIN_READING_MS = 2;
/** The least processor time for a mean, in milliseconds: some systems count in steps of 4 or 10. */
const MIN_TOTAL_MS = 100;
const TRIES = 5;
/** If two readings differ by less than this factor, no further ones are needed. */
const AGREEING = 1.1;
const SIZES = 4;
const SMALLEST = 1024;

/** Twice the input may take this many times as long. */
export const MAX_RATIO = 3;

export type Reader<Input> = (input: Input) => unknown;

/** Milliseconds of processor time that this thread has used. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Milliseconds of processor time for one reading: the best of several, since a reading may be
 * interrupted or compiled meanwhile.
 *
 * @param enough milliseconds; a try that takes at most this long is the last one
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
    if (spent >= MIN_TOTAL_MS) return spent / readings;
  }
}

/**
 * The factor by which time grows when the input doubles: the smallest of several sizes, beginning
 * with the first measurable one. Superlinear growth shows at all of them; noise does not.
 *
 * @param inputOf makes an input of about `size` characters or bytes
 * @param largest the largest size that is tried
 * @param mostSizes number of sizes tried before a reader counts as slow; noise affects fewer more
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
    const once = await timeOf(read, inputOf(size), { enough: MIN_READING_MS });
    if (once <= MIN_READING_MS) {
      // Too fast to be measured. The next size should be measurable and not much larger, since
      // larger ones only take longer.
      const step = once > MIN_READING_MS / 2 ? 2 : 4;
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
