import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/rigs/longest-first.ts';
import { filesInMemory } from './test/rigs/memory-disk.ts';
import { postgresPrograms } from './test/rigs/postgres-server.ts';

/**
 * How long a right answer is waited for, in milliseconds, before it counts as missing. As all other
 * limits here many times what it takes: how busy the machine is must not decide what fails.
 */
const PATIENCE = 30_000;

/**
 * A worker that goes on with the next file has all modules loaded already, those of the project
 * too: Vitest evaluates only the file of tests and the setup files again. What a module keeps at
 * its top level is there for the next file.
 */
const sharedWorkers = { isolate: false };

/** `npm run test:soak`. */
const IS_LONG = process.env.SPOOL_SOAK === '1';

/** For tests that are not about disks: a process that is killed leaves the same on any of them. */
const IN_MEMORY = filesInMemory();

/** Of tests with real files, processes and videos. */
const withProcesses = {
  setupFiles: ['test/rigs/left-open.ts'],
  globalSetup: 'test/rigs/built-programs.ts',
  expect: { poll: { timeout: PATIENCE } },
  // Some render real videos; how long that takes is the machine's, not the test's, to say.
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

/**
 * Where videos are downloaded past the system's cache, as only some disks can, or whole programs
 * run.
 */
const ON_DISK = [
  'test/integration/engine/downloads/**/*.test.ts',
  'test/integration/{cli,main}/**/*.test.ts',
];

/** Where native code is told what to do as it is loaded: each file has a process of its own. */
const RENDERING = 'test/integration/local-service/rendering/**/*.test.ts';

/**
 * Tests of the embedded service that hold for one on several computers too: API and worker on
 * PostgreSQL, files in a store of the S3 protocol or in a folder.
 */
const CONFORMANCE = [
  'test/integration/service-contract.test.ts',
  'test/integration/local-service/videos.test.ts',
];
/** Those that take longer. */
const LONG_CONFORMANCE = [
  'test/integration/local-service/{downloads,frames,images,keys,limits,openapi,quota,robustness,studio}.test.ts',
];

/** Unit tests with longer texts and more cases in the long form. */
const LONG_UNIT_TESTS = [
  'test/unit/linear-text.test.ts',
  'test/unit/engine/intake/fuzzed-tables.test.ts',
  'test/unit/engine/intake/spreadsheet-writers.test.ts',
  'test/unit/engine/pacing/rate-window.properties.test.ts',
];

/** Where PostgreSQL is installed. */
const SHARED_COLUMNS =
  postgresPrograms() === undefined
    ? []
    : IS_LONG
      ? ['postgres-s3', 'postgres-folder']
      : ['postgres-s3'];

function onColumn(column: string) {
  return {
    test: {
      ...withProcesses,
      ...sharedWorkers,
      name: column,
      env: { ...IN_MEMORY, SPOOL_TEST_COLUMN: column },
      include: IS_LONG ? [...CONFORMANCE, ...LONG_CONFORMANCE] : CONFORMANCE,
      globalSetup: ['test/rigs/built-programs.ts', 'test/rigs/shared-servers.ts'],
    },
  };
}

/**
 * Of tests that share a machine with a browser and several processes each: they come after those
 * that are quick to be impatient.
 */
const inBrowsers = {
  sequence: { groupOrder: 1 },
  expect: { poll: { timeout: PATIENCE } },
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

/** The system's folder for state: tests and their programs never write the user's. */
const STATE = mkdtempSync(path.join(tmpdir(), 'spool-test-state-'));
process.once('exit', () => rmSync(STATE, { recursive: true, force: true }));

export default defineConfig({
  test: {
    // Much of a test's time here is waiting for another process: with as many workers as cores, a
    // fifth of two cores' time was left over, and with one more 7 %.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // Hundreds of processes compile the same code, which is kept where `bin/spool` keeps it.
    env: {
      NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/node'),
      XDG_STATE_HOME: STATE,
    },
    projects: [
      {
        // The page's state is written in runes, which only Svelte's compiler understands.
        plugins: [svelte({ configFile: false })],
        resolve: { conditions: ['browser'] },
        test: {
          ...sharedWorkers,
          name: 'unit',
          env: IN_MEMORY,
          setupFiles: ['test/rigs/left-open.ts'],
          include: ['test/unit/**/*.test.ts'],
          expect: { poll: { timeout: PATIENCE } },
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...withProcesses,
          ...sharedWorkers,
          name: 'integration',
          env: IN_MEMORY,
          include: ['test/integration/**/*.test.ts'],
          exclude: [RENDERING, ...ON_DISK],
        },
      },
      ...SHARED_COLUMNS.map((column) => onColumn(column)),
      { test: { ...withProcesses, ...sharedWorkers, name: 'disk', include: ON_DISK } },
      { test: { ...withProcesses, name: 'rendering', include: [RENDERING] } },
      {
        test: {
          name: 'crash',
          ...withProcesses,
          env: IN_MEMORY,
          include: ['test/crash/**/*.test.ts'],
        },
      },
      {
        test: {
          ...withProcesses,
          // A cut leaves open what was open at that moment.
          setupFiles: [],
          name: 'power',
          include: ['test/power/**/*.test.ts'],
        },
      },
      {
        test: {
          ...withProcesses,
          name: 'release',
          include: ['test/release/**/*.test.ts'],
          globalSetup: ['test/rigs/built-app.ts', 'test/rigs/built-programs.ts'],
        },
      },
      {
        test: {
          ...sharedWorkers,
          name: 'soak',
          setupFiles: ['test/rigs/left-open.ts'],
          include: ['test/soak/**/*.test.ts', ...(IS_LONG ? LONG_UNIT_TESTS : [])],
          expect: { poll: { timeout: PATIENCE } },
          // Hours in the long form; each test limits its own cases.
          testTimeout: 6 * 3_600_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          ...inBrowsers,
          name: 'page',
          setupFiles: ['test/rigs/left-open.ts'],
          include: ['test/e2e/renderer/**/*.test.ts'],
          // The files of a worker share its browser and its stage, which a module opens as it is
          // loaded.
          isolate: false,
          globalSetup: 'test/rigs/page-scenarios/build-scenario-page.ts',
        },
      },
      {
        test: {
          ...inBrowsers,
          ...sharedWorkers,
          name: 'e2e',
          setupFiles: ['test/rigs/left-open.ts'],
          include: ['test/e2e/{app,studio}/**/*.test.ts'],
          globalSetup: ['test/rigs/built-app.ts', 'test/rigs/built-programs.ts'],
        },
      },
    ],
  },
});
