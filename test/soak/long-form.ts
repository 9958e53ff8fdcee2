/** True in `npm run test:soak`, which takes hours; `npm test` takes minutes. */
const IS_LONG = process.env.SPOOL_SOAK === '1';

/** The number of cases that a test runs in the current form. */
export function casesOf({
  short,
  long,
}: {
  readonly short: number;
  readonly long: number;
}): number {
  return IS_LONG ? long : short;
}

/** How long a fuzz test runs, and its first seed, which differs in each long run. */
export function fuzzing(): {
  readonly firstSeed: number;
  readonly isLong: boolean;
  readonly hasTime: boolean;
} {
  const minutes = Number(process.env.SPOOL_SOAK_MINUTES ?? 10);
  const until = performance.now() + minutes * 60_000;
  return {
    firstSeed: Number(process.env.SPOOL_SOAK_SEED ?? (IS_LONG ? Date.now() % 1_000_000_000 : 1)),
    isLong: IS_LONG,
    get hasTime() {
      return IS_LONG && performance.now() < until;
    },
  };
}
