/** A batch on a simulated service on this computer, and what is forecast of its end meanwhile. */
import path from 'node:path';
import type { EndRange } from '../../src/contract/batch.ts';
import type { AccountLimits } from '../../src/engine/pacing/service-limits.ts';
import { EngineRig } from './engine-rig.ts';
import { FakeService } from './fake-service.ts';
import { SeededRandom } from './seeded-random.ts';
import { VirtualClock } from './virtual-clock.ts';

export const ROWS_HERE = 40;

export interface HereOptions {
  readonly rendersAtOnce: number;
  readonly seed: number;
  /** Lengths of the rows' videos, in seconds, one after the other. */
  readonly sizes: readonly number[];
  /** How many times as long as measured a render takes; 2 if left out. */
  readonly slowness?: number;
  /** What a render takes whatever its length, in milliseconds before `slowness`; 250 if left out. */
  readonly fixedMs?: number;
  /** A folder to work in; a temporary one of the test if left out. */
  readonly folder?: string;
}

/** As of a service on this computer, with an account without limits. */
function limitsHere(rendersAtOnce: number): AccountLimits {
  const concurrent = rendersAtOnce + 2;
  const any = { count: 100, perMs: 1000 };
  return {
    windows: [
      { endpoint: 'generate', ...any },
      { endpoint: 'status', count: 5 * concurrent, perMs: 1000 },
      { endpoint: 'download', ...any },
    ],
    hasQuota: false,
    concurrent,
    rendersAtOnce: () => rendersAtOnce,
  };
}

/**
 * Opens an engine with an empty queue. A render takes a fixed time and a time for each frame, as
 * measured at 480p (docs/measured.md).
 */
export async function openHere({
  rendersAtOnce,
  seed,
  slowness = 2,
  fixedMs = 250,
  folder,
}: HereOptions) {
  const clock = new VirtualClock();
  const service = new FakeService(clock);
  const random = new SeededRandom(seed);
  service.latencyMs = 5;
  service.rendersAtOnce = rendersAtOnce;
  service.renderMsOf = (body) => {
    const { duration } = JSON.parse(body) as { duration: number };
    return slowness * (fixedMs + 75 * duration) * random.logBetween(0.9, 1 / 0.9);
  };
  return EngineRig.open({
    ...(folder !== undefined && {
      folder: path.join(folder, 'files'),
      stateDir: folder,
      endsWithTest: false,
    }),
    clock,
    service,
    accountLimits: limitsHere(rendersAtOnce),
    usualRenderMs: 5000,
    // As measured: a copy on one disk.
    downloadMs: 30,
  });
}

/** The batch, for `batches.plan` and `batches.add`. */
export function batchHere({ sizes }: Pick<HereOptions, 'sizes'>) {
  const rows = Array.from(
    { length: ROWS_HERE },
    (_, row) => `Row ${row},480,${sizes[row % sizes.length]}`,
  );
  const content = ['title,resolution,seconds', ...rows].join('\n');
  return { source: { name: 'Here.csv', content }, options: {} };
}

export const savedHere = (rig: EngineRig): number => rig.engine.summary().counts.done;

/** A forecast of the batch's end. Moments are by the rig's clock. */
export interface EndForecast {
  readonly madeAt: number;
  readonly promised: number;
  readonly between: EndRange;
}

/**
 * Renders the batch.
 * @param after how many videos are saved when a forecast is made, ascending; 0 is the plan
 * @returns the forecasts, and when the last video was saved
 */
export async function forecastsHere(options: HereOptions, after: readonly number[]) {
  const rig = await openHere(options);
  const { origin } = rig.engine.summary().service;
  const watcher = new AbortController();
  try {
    const forecasts: EndForecast[] = [];
    const keep = (promised: number | null, between: EndRange | null): void => {
      if (promised === null || between === null) throw new Error('The end is not forecast.');
      forecasts.push({ madeAt: rig.clock.now(), promised, between });
    };
    const startedAt = rig.clock.now();
    const plan = await rig.engine.commands.batches.plan(batchHere(options));
    if (after[0] === 0) keep(plan.savedBy, plan.savedBetween);
    await rig.engine.commands.batches.add({ origin, ...batchHere(options) });
    void (async () => {
      for await (const update of rig.engine.watch(undefined, watcher.signal)) void update;
    })();
    for (const count of after.filter((each) => each > 0)) {
      await rig.until(() => savedHere(rig) >= count);
      // Of a watched queue, forecasts are calculated every second.
      await rig.clock.advance(1000);
      const [batch] = rig.engine.summary().batches;
      keep(batch?.savedBy ?? null, batch?.savedBetween ?? null);
    }
    await rig.until(() => savedHere(rig) === ROWS_HERE);
    return { forecasts, startedAt, endedAt: rig.clock.now() };
  } finally {
    watcher.abort();
    await rig.close();
  }
}
