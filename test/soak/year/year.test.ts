import { describe, expect, test } from 'vitest';
import { casesOf } from '../long-form.ts';
import { EPISODES, type EpisodeKind } from './episodes.ts';
import { simulateYear } from './simulate-year.ts';

/**
 * Years of the whole engine on virtual time, with a model of the service that is written from
 * the API document only (`model-service.ts`). `SPOOL_YEAR_SEED=7` repeats one year,
 * `SPOOL_YEAR_EPISODES=sleep,restarts` restricts the user's actions, and `SPOOL_YEAR_TRACE=1` adds
 * every exchange to the history.
 *
 * The simulation includes: wrong clocks on both sides that are corrected; names that are not
 * resolved for a while after a computer woke; limits and quotas that reset later than the service
 * says; videos that one replica knows and another does not yet; “done” minutes before there is a
 * link; timers that fire late while a program is throttled. It does not include: partial bodies and
 * slow transfers (`test/integration/engine/downloads`), TLS and sockets (`…/engine/service`), power
 * cuts, two computers on one data folder.
 */
const YEARS = casesOf({ short: 0, long: 200 });

const IS_LONG = YEARS > 0;

/** Sessions at the computer in a year; a year of few sessions has 365 days too. */
const SESSIONS = { short: 24, long: 55 };

/** A year that once failed. The defect also has a separate test. */
interface FailedYear {
  readonly seed: number;
  readonly defect: string;
  readonly kinds?: readonly EpisodeKind[];
  /** Takes too long for `npm test`. */
  readonly isSlow?: boolean;
  /** Failed with the number of sessions of the long form. */
  readonly isLong?: boolean;
}

const FAILED_YEARS: readonly FailedYear[] = [
  {
    seed: 2,
    defect: 'after weeks of sleep, forecasts placed earlier charges weeks in the future',
  },
  {
    seed: 14,
    defect: 'a window with fixed starts was forecast to begin with the next request',
    isSlow: true,
  },
  {
    seed: 11,
    defect: 'after sleep, a wrong clock let a video be sent seconds before a month began',
  },
  {
    seed: 16,
    defect: 'a video sent when a month began counted for another month after the clock was set',
    isSlow: true,
  },
  {
    seed: 1,
    defect: 'a video counted for another month: the service’s clock was half a minute ahead',
    isSlow: true,
  },
  {
    seed: 14,
    kinds: ['clock-wrong'],
    defect: 'after the clock was set back, earlier videos were not polled for as long',
    isSlow: true,
  },
  {
    seed: 9,
    kinds: ['calm', 'busy'],
    defect: 'the rig allowed one video for two retried rows with the same request',
    isSlow: true,
  },
  {
    seed: 29,
    defect: 'one video without a link for hours delayed all other links by ten minutes',
    isSlow: true,
  },
  {
    seed: 13,
    defect: 'one video without a link for hours delayed all other links by ten minutes',
    isLong: true,
  },
  {
    seed: 23,
    defect: 'after a 500 the queue waited for most of an hour although the bucket had tokens',
    isLong: true,
  },
  {
    seed: 3,
    defect:
      "after sleep over a month's end, last month's quota was shown until the service answered",
    isLong: true,
  },
];

/** Short years that pass, so that each plan is covered. */
const OTHER_SEEDS = [0, 3];

const { SPOOL_YEAR_SEED: ONE_SEED, SPOOL_YEAR_EPISODES: ONLY } = process.env;

async function runYear(
  seed: number,
  sessions: number,
  kinds?: readonly EpisodeKind[],
): Promise<void> {
  const { accepted, saved } = await simulateYear(seed, { sessions, kinds });

  // A year in which nothing happens proves nothing.
  expect(accepted).toBeGreaterThan(10);
  expect(saved).toBeGreaterThan(10);
}

if (ONE_SEED === undefined) {
  describe('a simulated year violates no invariant', () => {
    const failed = FAILED_YEARS.filter(
      ({ isSlow = false, isLong = false }) => IS_LONG || !(isSlow || isLong),
    );
    test.each(failed)(
      'with seed $seed, which once failed: $defect',
      async ({ seed, kinds, isLong = false }) =>
        runYear(seed, isLong ? SESSIONS.long : SESSIONS.short, kinds),
    );

    test.each(OTHER_SEEDS)('with few sessions (seed %i)', async (seed) =>
      runYear(seed, SESSIONS.short),
    );

    const others = Array.from({ length: YEARS }, (_, seed) => seed).filter(
      (each) => !FAILED_YEARS.some(({ seed, isLong = false }) => isLong && seed === each),
    );
    test.each(others)('with many sessions (seed %i)', async (seed) => runYear(seed, SESSIONS.long));
  });
} else {
  test(`simulated year ${ONE_SEED} violates no invariant`, async () => {
    const wanted = ONLY?.split(',');
    const kinds = wanted && EPISODES.filter((kind) => wanted.includes(kind));
    await runYear(Number(ONE_SEED), IS_LONG ? SESSIONS.long : SESSIONS.short, kinds);
  });
}
