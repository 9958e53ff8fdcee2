import {
  rateServer,
  type InstantFormat,
  type RateDialect,
  type RateServer,
  type RateServerKind,
  type Verdict,
} from '../../test/rigs/rate-servers.ts';
import {
  DOCUMENTED_LIMITS,
  type Endpoint,
  type RateLimit,
} from '../../src/engine/pacing/rate-window-state.ts';
import { SeededRandom } from '../../test/rigs/seeded-random.ts';

/** A world in which a batch is run; the same for every client and for the lower bound. */
export interface Scenario {
  kind: RateServerKind;
  shared: boolean;
  seed: number;
  startAt: number;
  /** Service time (true time) − local time. */
  skewMs: number;
  format: InstantFormat;
  dialect: RateDialect;
  /** The mean round trip; single ones are within a fifth of it. */
  roundTripMs: number;
  renderMs: Float64Array;
  bytes: Float64Array;
  bytesPerMs: number;
  /** The service's limits, if they are not the documented ones. */
  limits?: Readonly<Record<Endpoint, RateLimit>>;
  /** Videos that the service renders at a time; unlimited when left out. */
  slots?: { readonly count: number; readonly medianRenderMs: number };
  /** Replaces other clients' random behaviour from a moment on. */
  redrawn?: Redrawn;
}

/** The moment from which random values are drawn with another seed. */
export interface Redrawn {
  readonly from: number;
  readonly seed: number;
}

/** The shortest round trip, as a share of the mean. */
export const MIN_TRIP = 0.8;

/** The shortest way there or back, as a share of its round trip. */
export const MIN_LEG = 0.3;

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
 * The same scenario with other random values from `redrawn.from` on.
 *
 * @param rendered number of videos that are rendered before that moment and keep their render times
 */
export function redraw(scenario: Scenario, rendered: number, redrawn: Redrawn): Scenario {
  const random = new SeededRandom(redrawn.seed);
  const drawAgain = (ms: number, job: number): number =>
    job < rendered ? ms : random.logNormal(medianOf(scenario), RENDER_SIGMA);
  return { ...scenario, renderMs: scenario.renderMs.map(drawAgain), redrawn };
}

function medianOf({ slots }: Scenario): number {
  return slots?.medianRenderMs ?? MEDIAN_RENDER_MS;
}

/**
 * A service that renders a few videos at a time. Half of these services also limit requests per
 * hour, so that either limit may delay a batch.
 */
export function slotScenarioOf(kind: RateServerKind, shared: boolean, seed: number): Scenario {
  const scenario = scenarioOf(kind, shared, seed);
  const random = new SeededRandom(seed + 32_452_843);
  const count = random.integer(1, 10);
  const medianRenderMs = random.logBetween(60_000, 600_000);
  const perHour = (count * 3_600_000) / medianRenderMs;
  const limit = Math.ceil(perHour * random.between(0.7, 1.5)) + 1;
  const isLimited = random.next() < 0.5;
  const jobs = scenario.renderMs.length + 30;
  const draw = (one: () => number) => Float64Array.from({ length: jobs }, one);
  return {
    ...scenario,
    renderMs: draw(() => random.logNormal(medianRenderMs, RENDER_SIGMA)),
    bytes: draw(() => random.logBetween(10e6, 200e6)),
    slots: { count, medianRenderMs },
    limits: {
      generate: isLimited ? { limit, windowMs: 3_600_000 } : { limit: 60, windowMs: 60_000 },
      status: DOCUMENTED_LIMITS.status,
      download: { limit: 60, windowMs: 60_000 },
    },
  };
}

/** Decides whether a service renders one more video. Calls must be in order of time. */
export interface SlotServer {
  /** Takes a slot for a render that begins at `at` and takes `renderMs`; false if none is free. */
  take(at: number, renderMs: number): boolean;
  /** The earliest moment from `at` on at which a slot is free. */
  opensAt(at: number): number;
}

/** The service's slots, some of which other clients use in a shared scenario. */
export function slotServerOf(scenario: Scenario): SlotServer | null {
  const { slots, shared, seed, startAt, redrawn } = scenario;
  if (slots === undefined) return null;
  const random = new SeededRandom(seed * 37 + 5);
  const load = shared ? random.between(0.1, 0.5) : 0;
  const meanRenderMs = slots.medianRenderMs * Math.exp(RENDER_SIGMA ** 2 / 2);
  const meanGapMs = load === 0 ? Infinity : meanRenderMs / slots.count / load;
  const from = startAt - 20 * meanRenderMs;
  return new Slots(slots, new OtherClients(random, meanGapMs, from, redrawn));
}

/** Other clients of the account, which send requests at random moments. */
class OtherClients {
  readonly #meanGapMs: number;
  #random: SeededRandom;
  #redrawn: Redrawn | undefined;
  #nextAt: number;

  constructor(random: SeededRandom, meanGapMs: number, from: number, redrawn: Redrawn | undefined) {
    this.#random = random;
    this.#meanGapMs = meanGapMs;
    this.#redrawn = redrawn;
    this.#nextAt = meanGapMs === Infinity ? Infinity : from + random.exponential(meanGapMs);
  }

  get nextAt(): number {
    return this.#nextAt;
  }

  /** Calls `act` for each request up to `until`. */
  actUntil(until: number, act: (at: number, random: SeededRandom) => void): void {
    while (this.#nextAt <= until) {
      if (this.#redrawn !== undefined && this.#nextAt > this.#redrawn.from) {
        // Exponential gaps are memoryless, so the rest of this gap can be drawn again.
        this.#random = new SeededRandom(this.#redrawn.seed);
        this.#nextAt = this.#redrawn.from + this.#random.exponential(this.#meanGapMs);
        this.#redrawn = undefined;
        continue;
      }
      act(this.#nextAt, this.#random);
      this.#nextAt += this.#random.exponential(this.#meanGapMs);
    }
  }
}

/** Slots that other clients use too; those do not retry when they are refused. */
class Slots implements SlotServer {
  readonly #slots: NonNullable<Scenario['slots']>;
  readonly #others: OtherClients;
  #endsAt: number[] = [];

  constructor(slots: NonNullable<Scenario['slots']>, others: OtherClients) {
    this.#slots = slots;
    this.#others = others;
  }

  take(at: number, renderMs: number): boolean {
    this.#othersTakeUntil(at);
    return this.#take(at, renderMs);
  }

  opensAt(at: number): number {
    for (let from = at; ;) {
      this.#othersTakeUntil(from);
      if (this.#endsAt.filter((end) => end > from).length < this.#slots.count) return from;
      from = Math.min(...this.#endsAt.filter((end) => end > from));
    }
  }

  #take(at: number, renderMs: number): boolean {
    this.#endsAt = this.#endsAt.filter((end) => end > at);
    if (this.#endsAt.length >= this.#slots.count) return false;
    this.#endsAt.push(at + renderMs);
    return true;
  }

  #othersTakeUntil(until: number): void {
    this.#others.actUntil(until, (at, random) => {
      this.#take(at, random.logNormal(this.#slots.medianRenderMs, RENDER_SIGMA));
    });
  }
}

/**
 * A new server for one endpoint, which other clients have used before the start if it is shared.
 */
export function serverOf(scenario: Scenario, endpoint: Endpoint): RateServer {
  const { limit, windowMs } = (scenario.limits ?? DOCUMENTED_LIMITS)[endpoint];
  const random = new SeededRandom(scenario.seed * 31 + endpoint.length);
  const server = rateServer(scenario.kind, limit, windowMs, random.next());
  // With slots, other clients only compete for these (`slotServerOf`).
  if (!scenario.shared || scenario.slots !== undefined) return server;
  const meanGapMs = windowMs / limit / random.between(0.1, 0.5);
  const from = scenario.startAt - 2 * windowMs;
  return new SharedServer(server, new OtherClients(random, meanGapMs, from, scenario.redrawn));
}

/** A server that other clients use too; those do not retry when they are refused. */
class SharedServer implements RateServer {
  readonly #server: RateServer;
  readonly #others: OtherClients;

  constructor(server: RateServer, others: OtherClients) {
    this.#server = server;
    this.#others = others;
  }

  ask(at: number): Verdict {
    this.#othersAskUntil(at);
    return this.#server.ask(at);
  }

  opensAt(at: number): number {
    this.#othersAskUntil(at);
    for (;;) {
      const opensAt = this.#server.opensAt(at);
      if (opensAt < this.#others.nextAt) return opensAt;
      this.#othersAskUntil(opensAt);
    }
  }

  #othersAskUntil(until: number): void {
    this.#others.actUntil(until, (at) => void this.#server.ask(at));
  }
}
