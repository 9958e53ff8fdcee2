import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build } from 'vite';

/** Where a stage lies that was built for all tests of a run. */
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
        'node:crypto': join(import.meta.dirname, 'browser-crypto.ts'),
        'node:timers/promises': join(import.meta.dirname, 'browser-timers.ts'),
        'csv-parse/sync': 'csv-parse/browser/esm/sync',
      },
    },
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      // Fewer files than the app's own build makes: each test's page asks for all of them. A view's
      // style is here before its script; that the app's comes with it, the app's own tests show.
      cssCodeSplit: false,
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } },
      },
    },
  });
  return folder;
}

/** For Vitest: one stage for all files that need one, instead of a build in each. */
export default async function shareScenarioPage(): Promise<() => Promise<void>> {
  const folder = await buildScenarioPage();
  process.env[SCENARIO_PAGE_FOLDER] = folder;
  return () => rm(folder, { recursive: true });
}
