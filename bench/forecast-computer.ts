/**
 * Compares the forecast of a batch on this computer, before it is added and while it renders, with
 * its real end. Part of `bench:forecast`.
 *
 * In each world a computer is up to three times as fast or slow as the usual one, renders one to
 * four videos at a time, and has 40 videos of one length or of several. The anchor is what a user
 * can calculate: the usual time of a render, then the pace so far.
 */
import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SeededRandom } from '../test/rigs/seeded-random.ts';
import { forecastsHere, ROWS_HERE } from '../test/rigs/renders-here.ts';

/** Videos that are saved when a forecast is made. */
const AFTER = [0, 3, 10, 30];
const LENGTHS = [[30], [20, 60, 180]];
const USUAL_MS = 5000;

interface Made {
  /** Relative to the time from the forecast until the end. */
  readonly error: number;
  readonly anchorError: number;
  readonly width: number;
  readonly isWithin: boolean;
}

async function simulate(seed: number): Promise<Made[]> {
  const random = new SeededRandom(seed + 7919);
  const rendersAtOnce = [1, 2, 4][seed % 3] ?? 1;
  const sizes = LENGTHS[seed % LENGTHS.length] ?? [4];
  const slowness = random.logBetween(1 / 3, 3);
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'forecast-'));
  await mkdir(path.join(folder.path, 'files'));
  const options = { rendersAtOnce, seed, sizes, slowness, folder: folder.path };
  const { forecasts, startedAt, endedAt } = await forecastsHere(options, AFTER);
  return forecasts.map(({ madeAt, promised, between }, index) => {
    const saved = AFTER[index] ?? 0;
    const left = endedAt - madeAt;
    const pace = saved === 0 ? USUAL_MS / rendersAtOnce : (madeAt - startedAt) / saved;
    return {
      error: Math.abs(promised - endedAt) / left,
      anchorError: Math.abs(pace * (ROWS_HERE - saved) - left) / left,
      width: (between.to - between.from) / left,
      isWithin: between.from <= endedAt && endedAt <= between.to,
    };
  });
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** Prints the table of `seeds` worlds. */
export async function benchComputerForecast(from: number, seeds: number): Promise<void> {
  const worlds: Made[][] = [];
  for (let seed = from; seed < from + seeds; seed += 1) worlds.push(await simulate(seed));
  console.log(`\nthis computer, ${seeds} worlds of ${ROWS_HERE} videos`);
  const titles = ['Spool', 'usual time, then pace', 'range is wide', 'ends within it'];
  console.log(`${'saved'.padEnd(12)}${titles.map((title) => title.padEnd(24)).join('')}`);
  console.log(
    `${''.padEnd(12)}${'median / p95'.padEnd(24).repeat(2)}${'median'.padEnd(24)}of 80 %`,
  );
  for (const [index, saved] of AFTER.entries()) {
    const made = worlds.flatMap((world) => world[index] ?? []);
    const errors = (of: (each: Made) => number): string =>
      [0.5, 0.95].map((share) => percent(quantile(made.map(of), share))).join(' / ');
    const within = made.filter(({ isWithin }) => isWithin).length / made.length;
    const width = percent(
      quantile(
        made.map((each) => each.width),
        0.5,
      ),
    );
    const cells = [errors(({ error }) => error), errors(({ anchorError }) => anchorError), width];
    console.log(
      `${String(saved).padEnd(12)}${cells.map((cell) => cell.padEnd(24)).join('')}${percent(within)}`,
    );
  }
}
