import { availableParallelism } from 'node:os';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/**
 * How long a right answer is waited for, in milliseconds, before it counts as missing. As all other
 * limits here many times what it takes: how busy the machine is must not decide what fails.
 */
const PATIENCE = 30_000;

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

export default defineConfig({
  test: {
    // Most of a test's time here is waiting for another process, so that both of a small machine's
    // cores are worth a worker; by itself Vitest would leave one of two for its own thread.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        // The page's state is written in runes, which only Svelte's compiler understands.
        plugins: [svelte({ configFile: false })],
        resolve: { conditions: ['browser'] },
        test: {
          name: 'unit',
          setupFiles: ['test/rigs/left-open.ts'],
          include: ['test/unit/**/*.test.ts'],
          expect: { poll: { timeout: PATIENCE } },
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'integration',
          setupFiles: ['test/rigs/left-open.ts'],
          include: ['test/integration/**/*.test.ts'],
          expect: { poll: { timeout: PATIENCE } },
          // Some render real videos; how long that takes is the machine's, not the test's, to say.
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      { test: { name: 'crash', include: ['test/crash/**/*.test.ts'] } },
      { test: { name: 'power', include: ['test/power/**/*.test.ts'] } },
      {
        test: {
          name: 'soak',
          include: ['test/soak/**/*.test.ts'],
          expect: { poll: { timeout: PATIENCE } },
          // Hours in the long form; each test limits its own cases.
          testTimeout: 6 * 3_600_000,
        },
      },
      {
        test: {
          ...inBrowsers,
          name: 'page',
          include: ['test/e2e/renderer/**/*.test.ts'],
          // The files of a worker share its browser.
          isolate: false,
          globalSetup: 'test/rigs/renderer-stage/build-stage.ts',
        },
      },
      {
        test: {
          ...inBrowsers,
          name: 'e2e',
          include: ['test/e2e/{app,studio}/**/*.test.ts'],
          globalSetup: 'test/rigs/built-app.ts',
        },
      },
    ],
  },
});
