/**
 * `npm run mutate -- PART`: mutates a part's code (Stryker), one place at a time, and counts the
 * mutants that survive the part's tests. They are printed, and saved in
 * coverage/mutation/PART.json. Fails below the score that each part must have. `npm run mutate --
 * PART FILE` mutates one file only, or some of its lines (`FILE:10-20`). `npm run mutate -- all`
 * does the same for every part, in a process for each, and names those that fail.
 */
import { spawnSync } from 'node:child_process';
import { Stryker } from '@stryker-mutator/core';

/** Per cent of the mutants that the tests must kill. */
const MIN_SCORE = 85;

interface Part {
  readonly sources: readonly string[];
  /** The tests of these sources: each of them runs for every mutant that it reaches. */
  readonly tests: readonly string[];
}

const PARTS: Readonly<Record<string, Part>> = {
  lifecycle: {
    sources: ['src/engine/jobs/lifecycle.ts'],
    tests: ['test/unit/engine/jobs/lifecycle.test.ts'],
  },
  classification: {
    sources: ['src/engine/service/{response-classifier,response-class,list-page}.ts'],
    tests: ['test/unit/engine/service/{response-classifier,list-page,redaction}.test.ts'],
  },
  'rate-headers': {
    sources: ['src/engine/pacing/{rate-headers,ietf-rate-limit}.ts'],
    tests: ['test/unit/engine/pacing/{rate-headers,ietf-rate-limit,reported-limits}.test.ts'],
  },
  quota: {
    sources: ['src/engine/pacing/quota.ts'],
    tests: ['test/unit/engine/pacing/{quota,quota-days}.test.ts'],
  },
  ranges: {
    sources: ['src/local-service/videos/byte-range.ts'],
    tests: ['test/unit/local-service/byte-range.test.ts'],
  },
  'service-limits': {
    sources: [
      'src/local-service/accounts/{rate-limits,rate-window,billing-cycle}.ts',
      'src/local-service/sqlite/sqlite-request-counters.ts',
    ],
    tests: [
      'test/unit/local-service/{sqlite-request-counters,rate-window,billing-cycle}.test.ts',
      'test/integration/local-service/limits.test.ts',
    ],
  },
  submitter: {
    sources: ['src/engine/flow/{submitter,submission-outcome}.ts'],
    tests: ['test/unit/engine/flow/submitter.test.ts'],
  },
  downloads: {
    sources: ['src/engine/downloads/range-response.ts'],
    tests: ['test/unit/engine/downloads/range-response.test.ts'],
  },
  ledger: {
    sources: ['src/engine/jobs/ledger.ts'],
    tests: ['test/unit/engine/jobs/ledger.test.ts'],
  },
  'rate-window': {
    sources: ['src/engine/pacing/{rate-window,rate-responses,next-slot,reset-meaning}.ts'],
    // Without the property tests: their random inputs would change the score from run to run.
    tests: [
      'test/unit/engine/pacing/{rate-window,rate-window-state,next-slot,reset-meaning}.test.ts',
    ],
  },
  'send-forecast': {
    sources: ['src/engine/pacing/send-forecast.ts'],
    tests: ['test/unit/engine/pacing/send-forecast.test.ts'],
  },
  'service-clock': {
    sources: ['src/engine/pacing/{server-clock,rate-window-state}.ts'],
    tests: ['test/unit/engine/pacing/{server-clock,clock-set-back,rate-window-state}.test.ts'],
  },
  polling: {
    sources: ['src/engine/pacing/polling.ts'],
    tests: ['test/unit/engine/pacing/polling.test.ts'],
  },
  planner: {
    sources: ['src/engine/pacing/planner.ts'],
    tests: ['test/unit/engine/pacing/{planner,planner-slots}.test.ts'],
  },
  scenes: {
    sources: ['src/local-service/rendering/scenes/*.ts'],
    tests: ['test/integration/local-service/rendering/{draw-list,drawn-pictures}.test.ts'],
  },
};

const [name = '', file] = process.argv.slice(2);
if (name === 'all') process.exit(mutateAll());
const part = PARTS[name];
if (!part) {
  console.error(`Say which part: all, ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}

// Not by Stryker's own option: with it, code that runs at import is mutated too late, and its
// mutants count as survived (stryker-js issue 6144).
process.env.SPOOL_MUTATION_TESTS = JSON.stringify(part.tests);
// In UTC, tests would not notice code that uses the local time zone instead of UTC.
process.env.TZ = 'America/St_Johns';
await new Stryker({
  mutate: file === undefined ? [...part.sources] : [file],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  tempDirName: 'coverage/mutation/sandbox',
  ignorePatterns: ['/out', '/coverage', '/renders'],
  reporters: ['clear-text', 'json'],
  clearTextReporter: { logTests: false, reportTests: false },
  jsonReporter: { fileName: `coverage/mutation/${name}.json` },
  thresholds: { high: 100, low: MIN_SCORE, break: MIN_SCORE },
}).runMutationTest();

/** @returns the exit code */
function mutateAll(): number {
  const failed = Object.keys(PARTS).filter((each) => {
    console.log(`\n${each}:`);
    const { status } = spawnSync(process.execPath, [import.meta.filename, each], {
      stdio: 'inherit',
    });
    return status !== 0;
  });
  if (failed.length === 0) return 0;
  console.error(`Below ${MIN_SCORE} %, or not completed: ${failed.join(', ')}.`);
  return 1;
}
