import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build } from 'vite';

/**
 * Names the variable with the folder of the scenario page that was built for all tests of a run.
 */
export const SCENARIO_PAGE_FOLDER = 'SPOOL_STAGE_FOLDER';

/** Builds the page on a fake engine into a new folder, whose path it returns. */
export async function buildScenarioPage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'spool-stage-'));
  await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    plugins: [svelte({ configFile: false })],
    // The fake engine reads batches and changes jobs with the engine's own code, in the page.
    resolve: {
      alias: {
        './fonts/read-font.ts': join(import.meta.dirname, 'browser-read-font.ts'),
        'node:crypto': join(import.meta.dirname, 'browser-crypto.ts'),
        'node:timers/promises': join(import.meta.dirname, 'browser-timers.ts'),
        'node:zlib': join(import.meta.dirname, 'browser-zlib.ts'),
        'iconv-lite': join(import.meta.dirname, 'browser-iconv.ts'),
        './read-batch-aside.ts': join(import.meta.dirname, 'browser-read-batch-aside.ts'),
      },
    },
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      // Fewer files than the app's own build makes, because each test's page requests all of them.
      // Here a view's style is loaded before its script; tests of the app cover the real order.
      cssCodeSplit: false,
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } },
      },
    },
  });
  return folder;
}

/** For Vitest: builds the scenario page once for all files that need it. */
export default async function shareScenarioPage(): Promise<() => Promise<void>> {
  const folder = await buildScenarioPage();
  process.env[SCENARIO_PAGE_FOLDER] = folder;
  return () => rm(folder, { recursive: true });
}
