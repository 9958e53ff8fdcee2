/** True in `npm run test:soak`, which takes hours; `npm test` has minutes for everything. */
const IS_LONG = process.env.SPOOL_SOAK === '1';

/** How much of a test of `test/soak` to run. */
export function casesOf({
  short,
  long,
}: {
  readonly short: number;
  readonly long: number;
}): number {
  return IS_LONG ? long : short;
}

/** How long one fuzz test runs, and from which seed: each long run has another one. */
export function fuzzing(): {
  readonly firstSeed: number;
  readonly isLong: boolean;
  readonly isAhead: boolean;
} {
  const minutes = Number(process.env.SPOOL_SOAK_MINUTES ?? 10);
  const until = performance.now() + minutes * 60_000;
  return {
    firstSeed: Number(process.env.SPOOL_SOAK_SEED ?? (IS_LONG ? Date.now() % 1_000_000_000 : 1)),
    isLong: IS_LONG,
    get isAhead() {
      return IS_LONG && performance.now() < until;
    },
  };
}
