/**
 * What is promised before a batch is added, against what then happens.
 *
 *     npm run bench:forecast [-- --seeds 60 --from 0 --misses --lives 5 --rests 5 --worlds windows|slots]
 *
 * Worlds, virtual time and the whole engine are those of `bench:pacing` (`pacing/engine-run.ts`).
 * Each engine first takes a batch of ten videos, forty in the worlds of `slots`, as somebody has who used it before, and rests for
 * up to two hours. Then the plan of a second batch is asked for, which adds nothing, and the batch is
 * added and left alone to its last file. Half of the worlds are in the last days of a month whose quota
 * has room for six of ten videos. The kinds of rate limiter take turns.
 *
 * An error is the distance from promised to real, divided by the real time from adding to saving.
 * Beside it, in the same worlds, what a spreadsheet would say: rows divided by the hourly limit, and
 * the pace of the batch before. How long a single video takes to render is drawn at random, so that
 * the first rows of a batch cannot be forecast to within a few percent. `--misses` lists the
 * worlds whose batch was missed by more than 5 %, with the first row that was.
 *
 * In the worlds of `slots`, the service renders one to ten videos at a time, within a median of one to ten
 * minutes, and every second one limits requests by the hour as well. In shared ones, others have a tenth
 * to half of the slots. There, what the batch really took is also set against the least that it could
 * take (`pacing/lower-bound.ts`), with every render time known beforehand.
 *
 * `--lives 5` lives each world five times more: the same until the plan is asked for, then with other
 * render times and other moments at which others ask. The median of what happens there is what somebody
 * would promise who knows the service, the others and all of their habits, and not what chance will do: the
 * distance from there to what happened cannot be forecast. `--rests 5` does the same from the end of the
 * first batch on: without a request, the use by others during the rest cannot be known.
 */
import { parseArgs } from 'node:util';
import { RATE_SERVER_KINDS } from '../test/rigs/rate-servers.ts';
import { lowerBound } from './pacing/lower-bound.ts';
import { SeededRandom } from '../test/rigs/seeded-random.ts';
import { batchOf, openEngineRun, ORIGIN } from './pacing/engine-run.ts';
import {
  scenarioOf,
  slotScenarioOf,
  withOtherChances,
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
/** Videos of before: where hourly limits are what is waited for, how long renders take matters little. */
const PAST = { windows: 10, slots: 40 };
const PER_HOUR = 10;
const USUAL_RENDER_MS = 120_000;
const MONTH_ENDS = Date.UTC(2026, 5, 1);

/** What was promised of a row: when it is saved, and whether it is sent this month. */
interface Promised {
  /** Milliseconds after the plan was made; `null` when nothing was promised. */
  readonly savedAfterMs: number | null;
  readonly thisMonth: boolean;
}

interface World {
  /** When the last file of the first batch was saved. */
  readonly restedFrom: number;
  readonly plannedAt: number;
  /** What sets it apart, for people. */
  readonly title: string;
  readonly promised: Readonly<Record<Forecaster, readonly Promised[]>>;
  readonly real: readonly { readonly savedAfterMs: number; readonly thisMonth: boolean }[];
  /** How long the batch took, as a multiple of the least possible; `null` where that is not known. */
  readonly overLeast: number | null;
  /** Milliseconds after the plan when the batch is done in the middle one of the other lives, or rests. */
  readonly lastOfOthers: Readonly<Partial<Record<Forecaster, number>>>;
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
  // Early enough for what has room to be sent before the month is over.
  const hours = random.between(1.5, 3) * (rows / perHourIn(scenario)) + 6;
  return {
    scenario: { ...scenario, startAt: MONTH_ENDS - hours * HOUR },
    quota: PAST[of] + Math.ceil(0.6 * rows),
  };
}

/** What somebody would expect who reads the documentation and knows that a render takes two minutes. */
function perHourIn({ slots, limits }: Scenario): number {
  if (slots === undefined) return PER_HOUR;
  const { limit, windowMs } = limits!.generate;
  return Math.min((limit * HOUR) / windowMs, (slots.count * HOUR) / USUAL_RENDER_MS);
}

async function live(request: WorldRequest, redrawn?: Redrawn): Promise<World> {
  const { of, seed } = request;
  const past = PAST[of];
  const { scenario: drawn, quota } = scenarioFor(request);
  const scenario = redrawn === undefined ? drawn : withOtherChances(drawn, past, redrawn);
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
      lastOfOthers: {},
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

/** The world, and the median of others that part from it at the rest, and when the plan is asked for. */
async function liveWithOthers(request: WorldRequest): Promise<World> {
  const world = await live(request);
  const withRests = await withMedian(world, request, OTHER_RESTS, world.restedFrom, rests);
  return withMedian(withRests, request, OTHER_LIVES, world.plannedAt, lives);
}

async function withMedian(
  world: World,
  request: WorldRequest,
  who: Forecaster,
  from: number,
  count: number,
): Promise<World> {
  const others: World['real'][] = [];
  for (let life = 1; life <= count; life += 1) {
    const redrawn = { from, seed: request.seed * 1009 + life };
    others.push((await live(request, redrawn)).real);
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
    lastOfOthers: { ...world.lastOfOthers, [who]: medianOf(ends) },
  };
}

const medianOf = (values: readonly number[]): number =>
  quantile(
    values.toSorted((one, other) => one - other),
    0.5,
  );

/** When the last of the rows that were promised anything is saved. */
function lastOf(promised: readonly Promised[], real: World['real']): number {
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

/** When the last row was promised of those that were, and when that really was. */
function batchOfWorld({ promised, real, lastOfOthers }: World, who: Forecaster) {
  const last = lastOf(promised[who], real);
  const promisedLast =
    lastOfOthers[who] ?? Math.max(...promised[who].map(({ savedAfterMs }) => savedAfterMs ?? 0));
  return { promised: promisedLast, real: last, error: Math.abs(promisedLast - last) / last };
}

function report(worlds: readonly World[], who: Forecaster): string {
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

/** A world whose batch was missed by more than 5 %, and its first row that was missed by as much time. */
function missed(world: World): string[] {
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
  const worlds: World[] = [];
  for (let seed = from; seed < from + seeds; seed += 1)
    worlds.push(await liveWithOthers({ of, seed, shared }));
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
  if (values.misses) console.log(worlds.flatMap(missed).join('\n'));
}
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
