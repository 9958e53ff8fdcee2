/**
 * Compares the forecast before a batch is added with what then happens.
 *
 *     npm run bench:forecast [-- --seeds 60 --from 0 --misses --lives 5 --rests 5 --worlds windows|slots|computer]
 *
 * Worlds, virtual time and the whole engine are those of `bench:pacing` (`pacing/engine-run.ts`).
 * Each engine first renders a batch of ten videos (forty in the worlds of `slots`), so that it has
 * a history, and rests for up to two hours. Then it plans a second batch, which adds nothing; the
 * batch is added, and the world runs until its last file is saved. Half of the worlds are in the
 * last days of a month whose quota suffices for six of ten videos. The kinds of rate limiter
 * alternate.
 *
 * An error is the difference between promised and real, divided by the real time from adding to
 * saving. Two simple forecasts are measured in the same worlds: rows divided by the hourly limit,
 * and the pace of the first batch. Render times are random, so that the first rows of a batch
 * cannot be forecast to within a few per cent. `--misses` lists the worlds where the batch's error
 * is above 5 %, with the first row that missed.
 *
 * In the worlds of `slots`, the service renders one to ten videos at a time, with a median of one
 * to ten minutes, and every second service also limits requests per hour. In shared worlds, other
 * clients use a tenth to half of the slots. Where none do, the real time is also compared with the
 * least possible (`pacing/lower-bound.ts`), which knows every render time beforehand.
 *
 * The worlds of `computer` are this computer's (`forecast-computer.ts`).
 *
 * `--lives 5` simulates each world five times more: identical until the plan is made, then with
 * other render times and other request times of the other clients. The median of these outcomes is
 * the forecast of somebody who knows all distributions: the remaining error is chance. `--rests 5`
 * does the same from the end of the first batch on: an engine that sends nothing during its rest
 * cannot know what other clients use meanwhile.
 */
import { parseArgs } from 'node:util';
import { RATE_SERVER_KINDS } from '../test/rigs/rate-servers.ts';
import { benchComputerForecast } from './forecast-computer.ts';
import { lowerBound } from './pacing/lower-bound.ts';
import { SeededRandom } from '../test/rigs/seeded-random.ts';
import { batchOf, openEngineRun, ORIGIN } from './pacing/engine-run.ts';
import {
  scenarioOf,
  slotScenarioOf,
  redraw,
  type Redrawn,
  type Scenario,
} from './pacing/scenario.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '60' },
    from: { type: 'string', default: '0' },
    misses: { type: 'boolean', default: false },
    lives: { type: 'string', default: '0' },
    rests: { type: 'string', default: '0' },
    worlds: { type: 'string' },
  },
});

const HOUR = 3_600_000;
/**
 * Videos of the first batch. With hourly limits a few suffice: render times matter little there.
 */
const PAST = { windows: 10, slots: 40 };
const PER_HOUR = 10;
const USUAL_RENDER_MS = 120_000;
const MONTH_ENDS = Date.UTC(2026, 5, 1);

/** The forecast for a row: when it is saved, and whether it is sent this month. */
interface Promised {
  /** Milliseconds after the plan was made; `null` when nothing was promised. */
  readonly savedAfterMs: number | null;
  readonly thisMonth: boolean;
}

interface Outcome {
  /** When the last file of the first batch was saved. */
  readonly restedFrom: number;
  readonly plannedAt: number;
  /** Describes the world, for people. */
  readonly title: string;
  readonly promised: Readonly<Record<Forecaster, readonly Promised[]>>;
  readonly real: readonly { readonly savedAfterMs: number; readonly thisMonth: boolean }[];
  /** The batch's real time ÷ the least possible; `null` where the latter is not known. */
  readonly overLeast: number | null;
  /**
   * When the batch is done in other simulations of the world, in ms after the plan; their median.
   */
  readonly medianEnds: Readonly<Partial<Record<Forecaster, number>>>;
}

const OTHER_LIVES = 'other lives';
const OTHER_RESTS = 'other rests';
const FORECASTERS = [
  'Spool',
  'rows ÷ limit',
  'pace of the past',
  OTHER_RESTS,
  OTHER_LIVES,
] as const;
type Forecaster = (typeof FORECASTERS)[number];

const WORLD_KINDS = ['windows', 'slots'] as const;
type WorldKind = (typeof WORLD_KINDS)[number];

interface WorldRequest {
  readonly of: WorldKind;
  readonly seed: number;
  readonly shared: boolean;
}

function scenarioFor({ of, seed, shared }: WorldRequest): { scenario: Scenario; quota: number } {
  const kind = RATE_SERVER_KINDS[seed % RATE_SERVER_KINDS.length]!;
  const scenario = (of === 'slots' ? slotScenarioOf : scenarioOf)(kind, shared, seed);
  const rows = scenario.renderMs.length - PAST[of];
  if (Math.floor(seed / RATE_SERVER_KINDS.length) % 2 === 0)
    return { scenario, quota: 10 * scenario.renderMs.length };
  const random = new SeededRandom(seed + 104_729);
  // Early enough to send within the month what the quota allows.
  const hours = random.between(1.5, 3) * (rows / perHourIn(scenario)) + 6;
  return {
    scenario: { ...scenario, startAt: MONTH_ENDS - hours * HOUR },
    quota: PAST[of] + Math.ceil(0.6 * rows),
  };
}

/** What the documentation promises, if a render takes two minutes. */
function perHourIn({ slots, limits }: Scenario): number {
  if (slots === undefined) return PER_HOUR;
  const { limit, windowMs } = limits!.generate;
  return Math.min((limit * HOUR) / windowMs, (slots.count * HOUR) / USUAL_RENDER_MS);
}

async function simulate(request: WorldRequest, redrawn?: Redrawn): Promise<Outcome> {
  const { of, seed } = request;
  const past = PAST[of];
  const { scenario: drawn, quota } = scenarioFor(request);
  const scenario = redrawn === undefined ? drawn : redraw(drawn, past, redrawn);
  const run = await openEngineRun(scenario, quota);
  const { engine, world, time } = run;
  try {
    await engine.commands.batches.add({
      origin: ORIGIN,
      source: batchOf('Past', past),
      options: {},
    });
    await time.runUntil(() => world.savedAt.size === past);
    const savedBefore = [...world.savedAt.values()].toSorted((one, other) => one - other);
    const rest = new SeededRandom(seed + 15_485_863).between(0, 2 * HOUR);
    const restedFrom = time.now;
    const restsUntil = restedFrom + rest;
    let isRested = false;
    void time.sleep(rest).then(() => (isRested = true));
    await time.runUntil(() => isRested || time.now > restsUntil);

    const rows = scenario.renderMs.length - PAST[of];
    const batch = batchOf('New', rows);
    const plannedAt = time.now;
    const plan = await engine.commands.batches.plan({ source: batch, options: {} });
    await engine.commands.batches.add({ origin: ORIGIN, source: batch, options: {} });
    await time.runUntil(() => world.savedAt.size === past + rows);
    run.check();

    const isThisMonth = (at: number): boolean => at < MONTH_ENDS;
    const simple = (savedAfterMs: number): Promised => ({
      savedAfterMs,
      thisMonth: isThisMonth(plannedAt + savedAfterMs),
    });
    const [first = 0] = savedBefore;
    const gap = ((savedBefore.at(-1) ?? first) - first) / (past - 1);
    const each = Array.from({ length: rows }, (_, row) => row);
    const least = lowerBound({
      ...scenario,
      startAt: plannedAt,
      renderMs: scenario.renderMs.slice(past),
      bytes: scenario.bytes.slice(past),
    });
    return {
      restedFrom,
      plannedAt,
      overLeast:
        of === 'slots' && !request.shared && quota > scenario.renderMs.length
          ? (time.now - plannedAt) / least
          : null,
      title: `seed ${seed}, ${scenario.kind}, ${atOnce(scenario)}${rows} rows after ${inMinutes(rest)}`,
      promised: {
        Spool: plan.rows.map(({ forecast: { sendAt, savedAt } }) => ({
          // By the computer's clock, which is not the service's.
          savedAfterMs: savedAt === null ? null : savedAt + scenario.skewMs - plannedAt,
          thisMonth: sendAt !== null && isThisMonth(sendAt + scenario.skewMs),
        })),
        'rows ÷ limit': each.map((row) => simple(((row + 1) / perHourIn(scenario)) * HOUR)),
        'pace of the past': each.map((row) => simple(first - scenario.startAt + row * gap)),
        [OTHER_LIVES]: [],
        [OTHER_RESTS]: [],
      },
      medianEnds: {},
      real: each.map((row) => ({
        savedAfterMs: (world.savedAt.get(past + row) ?? Infinity) - plannedAt,
        thisMonth: isThisMonth(world.acceptedAt[past + row] ?? Infinity),
      })),
    };
  } finally {
    await run.close();
  }
}

function atOnce({ slots, limits }: Scenario): string {
  if (slots === undefined) return '';
  const { limit, windowMs } = limits!.generate;
  return `${slots.count} at a time, ${limit} per ${inMinutes(windowMs)}, median ${inMinutes(slots.medianRenderMs)}, `;
}

/** Simulates a world, and adds the medians of `--rests` and `--lives`. */
async function simulateWithOthers(request: WorldRequest): Promise<Outcome> {
  const world = await simulate(request);
  const withRests = await withMedian(world, request, OTHER_RESTS, world.restedFrom, rests);
  return withMedian(withRests, request, OTHER_LIVES, world.plannedAt, lives);
}

async function withMedian(
  world: Outcome,
  request: WorldRequest,
  who: Forecaster,
  from: number,
  count: number,
): Promise<Outcome> {
  const others: Outcome['real'][] = [];
  for (let life = 1; life <= count; life += 1) {
    const redrawn = { from, seed: request.seed * 1009 + life };
    others.push((await simulate(request, redrawn)).real);
  }
  if (others.length === 0) return world;
  const rows = world.promised.Spool.map(({ savedAfterMs }, row) => ({
    savedAfterMs:
      savedAfterMs === null ? null : medianOf(others.map((real) => real[row]!.savedAfterMs)),
    thisMonth: 2 * others.filter((real) => real[row]!.thisMonth).length > others.length,
  }));
  const ends = others.map((real) => lastOf(world.promised.Spool, real));
  return {
    ...world,
    promised: { ...world.promised, [who]: rows },
    medianEnds: { ...world.medianEnds, [who]: medianOf(ends) },
  };
}

const medianOf = (values: readonly number[]): number =>
  quantile(
    values.toSorted((one, other) => one - other),
    0.5,
  );

/** When the last row with a forecast is saved, in ms after the plan. */
function lastOf(promised: readonly Promised[], real: Outcome['real']): number {
  return Math.max(
    ...real.flatMap(({ savedAfterMs }, row) =>
      promised[row]!.savedAfterMs === null ? [] : savedAfterMs,
    ),
  );
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function summaryOf(errors: readonly number[]): string {
  const sorted = errors.toSorted((one, other) => one - other);
  const within = sorted.filter((error) => error <= 0.05).length / sorted.length;
  return [quantile(sorted, 0.5), quantile(sorted, 0.95), within].map(percent).join(' / ');
}

const inMinutes = (ms: number): string => `${(ms / 60_000).toFixed(1)} min`;

/** When the last row with a forecast was promised and was saved, in ms after the plan. */
function batchOfWorld({ promised, real, medianEnds }: Outcome, who: Forecaster) {
  const last = lastOf(promised[who], real);
  const promisedLast =
    medianEnds[who] ?? Math.max(...promised[who].map(({ savedAfterMs }) => savedAfterMs ?? 0));
  return { promised: promisedLast, real: last, error: Math.abs(promisedLast - last) / last };
}

function report(worlds: readonly Outcome[], who: Forecaster): string {
  const rows: number[] = [];
  const batches: number[] = [];
  let [silent, wrong, all] = [0, 0, 0];
  for (const world of worlds) {
    for (const [row, { savedAfterMs, thisMonth }] of world.promised[who].entries()) {
      const happened = world.real[row]!;
      all += 1;
      if (thisMonth !== happened.thisMonth) wrong += 1;
      if (savedAfterMs === null) silent += 1;
      else rows.push(Math.abs(savedAfterMs - happened.savedAfterMs) / happened.savedAfterMs);
    }
    batches.push(batchOfWorld(world, who).error);
  }
  return [
    who.padEnd(20),
    summaryOf(batches).padEnd(28),
    summaryOf(rows).padEnd(28),
    `${wrong} of ${all}`.padEnd(28),
    percent(silent / all),
  ].join('');
}

/**
 * Describes a world where the batch's error is above 5 %, and its first row that missed by half as
 * much.
 */
function describeMiss(world: Outcome): string[] {
  const { promised, real, error } = batchOfWorld(world, 'Spool');
  if (error <= 0.05) return [];
  const tooMuchMs = Math.abs(promised - real) / 2;
  const rows = world.promised.Spool.map(({ savedAfterMs }, row) => ({
    row,
    promised: savedAfterMs ?? NaN,
    real: world.real[row]!.savedAfterMs,
  }));
  const first = rows.find((row) => Math.abs(row.promised - row.real) >= tooMuchMs);
  const pair = (one: { promised: number; real: number }): string =>
    `${inMinutes(one.promised)} promised, ${inMinutes(one.real)} real`;
  const where = first === undefined ? '' : `; from row ${first.row} on: ${pair(first)}`;
  return [`  ${percent(error)}: ${world.title}: ${pair({ promised, real })}${where}`];
}

const seeds = Number(values.seeds);
const from = Number(values.from);
const lives = Number(values.lives);
const rests = Number(values.rests);
const startedAt = performance.now();
const cells = WORLD_KINDS.filter((of) => of === (values.worlds ?? of)).flatMap((of) =>
  [false, true].map((shared) => ({ of, shared })),
);
for (const { of, shared } of cells) {
  const worlds: Outcome[] = [];
  for (let seed = from; seed < from + seeds; seed += 1)
    worlds.push(await simulateWithOthers({ of, seed, shared }));
  const limited = of === 'slots' ? 'renders at a time, ' : '';
  console.log(`\n${limited}${shared ? 'shared with others' : 'alone'}, ${seeds} worlds`);
  const titles = ['batch done', 'single rows', 'wrong month'].map((title) => title.padEnd(28));
  console.log(`${''.padEnd(20)}${titles.join('')}not promised`);
  console.log(`${''.padEnd(20)}${'median / p95 / within 5 %'.padEnd(28).repeat(2)}`);
  const complete = FORECASTERS.filter((who) =>
    worlds.every(({ promised }) => promised[who].length > 0),
  );
  for (const who of complete) console.log(report(worlds, who));
  const overLeast = worlds.flatMap((world) => world.overLeast ?? []);
  if (overLeast.length > 0) {
    const mean = overLeast.reduce((sum, ratio) => sum + ratio, 0) / overLeast.length;
    const worst = Math.max(...overLeast);
    console.log(
      `makespan ÷ least possible: mean ${mean.toFixed(3)}, worst ${worst.toFixed(3)}, ${overLeast.length} worlds without a quota`,
    );
  }
  if (values.misses) console.log(worlds.flatMap(describeMiss).join('\n'));
}
if ((values.worlds ?? 'computer') === 'computer') await benchComputerForecast(from, seeds);
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
