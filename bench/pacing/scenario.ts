import { rateServer } from '../../test/rigs/rate-servers.ts';
import type {
  InstantFormat,
  RateDialect,
  RateServer,
  RateServerKind,
  Verdict,
} from '../../test/rigs/rate-servers.ts';
import { DOCUMENTED_LIMITS } from '../../src/engine/pacing/rate-window.ts';
import type { Endpoint } from '../../src/engine/pacing/rate-window.ts';
import { SeededRandom } from '../../test/rigs/seeded-random.ts';

/** One world to finish a batch in; the same for every client and for the lower bound. */
export interface Scenario {
  kind: RateServerKind;
  shared: boolean;
  seed: number;
  startAt: number;
  /** Service time (true time) − local time. */
  skewMs: number;
  format: InstantFormat;
  dialect: RateDialect;
  /** The middle of round trips; single ones are within a fifth of it. */
  roundTripMs: number;
  renderMs: Float64Array;
  bytes: Float64Array;
  bytesPerMs: number;
  /** From here on, the behaviour of other clients is drawn again. */
  redrawn?: Redrawn;
}

/** The same world up to a moment, and other chances from then on. */
export interface Redrawn {
  readonly from: number;
  readonly seed: number;
}

/** Single round trips take this share of the middle one, at the least. */
export const MIN_TRIP = 0.8;

const MEDIAN_RENDER_MS = 120_000;
const RENDER_SIGMA = 0.5;

export function scenarioOf(
  kind: RateServerKind,
  shared: boolean,
  seed: number,
  dialect: RateDialect = 'documented',
): Scenario {
  const random = new SeededRandom(seed);
  const jobs = random.integer(15, 150);
  return {
    kind,
    shared,
    seed,
    dialect,
    startAt: Date.UTC(2026, 4, 4) + random.between(0, 86_400_000),
    skewMs: random.between(-600_000, 600_000),
    format: random.pick(['millis', 'seconds-floor', 'seconds-ceil']),
    roundTripMs: random.logBetween(50 / MIN_TRIP, 5000 / (2 - MIN_TRIP)),
    renderMs: Float64Array.from({ length: jobs }, () =>
      random.logNormal(MEDIAN_RENDER_MS, RENDER_SIGMA),
    ),
    bytes: Float64Array.from({ length: jobs }, () => random.logBetween(10e6, 200e6)),
    bytesPerMs: 10_000,
  };
}

/**
 * The same world in which `redrawn.from` is followed by other draws; the first videos are rendered
 * by then.
 */
export function withOtherChances(scenario: Scenario, rendered: number, redrawn: Redrawn): Scenario {
  const random = new SeededRandom(redrawn.seed);
  const drawAgain = (ms: number, job: number): number =>
    job < rendered ? ms : random.logNormal(MEDIAN_RENDER_MS, RENDER_SIGMA);
  return { ...scenario, renderMs: scenario.renderMs.map(drawAgain), redrawn };
}

/** A fresh server for one endpoint, as others have left it at the start if they share it. */
export function serverOf(scenario: Scenario, endpoint: Endpoint): RateServer {
  const { limit, windowMs } = DOCUMENTED_LIMITS[endpoint];
  const random = new SeededRandom(scenario.seed * 31 + endpoint.length);
  const server = rateServer(scenario.kind, limit, windowMs, random.next());
  if (!scenario.shared) return server;
  const meanGapMs = windowMs / limit / random.between(0.1, 0.5);
  return new SharedServer(
    server,
    random,
    meanGapMs,
    scenario.startAt - 2 * windowMs,
    scenario.redrawn,
  );
}

/** Others ask as well, at random moments, and give up when they are refused. */
class SharedServer implements RateServer {
  readonly #server: RateServer;
  readonly #meanGapMs: number;
  #random: SeededRandom;
  #redrawn: Redrawn | undefined;
  #othersAt: number;

  constructor(
    server: RateServer,
    random: SeededRandom,
    meanGapMs: number,
    from: number,
    redrawn: Redrawn | undefined,
  ) {
    this.#server = server;
    this.#random = random;
    this.#meanGapMs = meanGapMs;
    this.#redrawn = redrawn;
    this.#othersAt = from + random.exponential(meanGapMs);
  }

  ask(at: number): Verdict {
    this.#others(at);
    return this.#server.ask(at);
  }

  opensAt(at: number): number {
    this.#others(at);
    for (;;) {
      const opensAt = this.#server.opensAt(at);
      if (opensAt < this.#othersAt) return opensAt;
      this.#others(opensAt);
    }
  }

  #others(until: number): void {
    while (this.#othersAt <= until) {
      if (this.#redrawn !== undefined && this.#othersAt > this.#redrawn.from) {
        // Gaps of an exponential distribution do not remember: what is left of this one is drawn,
        // too.
        this.#random = new SeededRandom(this.#redrawn.seed);
        this.#othersAt = this.#redrawn.from + this.#random.exponential(this.#meanGapMs);
        this.#redrawn = undefined;
        continue;
      }
      this.#server.ask(this.#othersAt);
      this.#othersAt += this.#random.exponential(this.#meanGapMs);
    }
  }
}
