import { rmSync, writeFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import { drawIcons } from './build/draw-icons.ts';
import { buildRecordFile, hashSources } from './src/cli/build-sources.ts';

/** Of the sources before the build reads them: what changes meanwhile may or may not be in it. */
const sources = hashSources(import.meta.dirname);
const record = buildRecordFile(import.meta.dirname);

/**
 * Three builds: Electron's main process with the programs that it starts, the preload script, the
 * page. The first keeps the files and folders of `src`, so that whatever is found beside a module
 * there (a worker, the fonts) is found beside it here. The record of the sources is written last, so
 * that a build which fails is known to be none.
 */
export default defineConfig({
  main: {
    plugins: [
      { name: 'icons', closeBundle: () => drawIcons('resources/icons', 'out/icons') },
      { name: 'remove-record', buildStart: () => rmSync(record, { force: true }) },
    ],
    build: {
      outDir: 'out',
      rolldownOptions: {
        input: [
          'src/main/main.ts',
          'src/engine/intake/read-batch-worker.ts',
          'src/host/posters/decoder-program.ts',
          'src/host/posters/decoder-worker.ts',
          'src/local-service/main.ts',
          'src/local-service/rendering/render-process-main.ts',
          'src/local-service/rendering/render-worker.ts',
        ],
        output: {
          format: 'es',
          preserveModules: true,
          preserveModulesRoot: 'src',
          entryFileNames: '[name].js',
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      rolldownOptions: {
        input: { preload: 'src/preload/preload.ts' },
        // A sandboxed preload script is CommonJS.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [
      svelte(),
      { name: 'record', writeBundle: () => writeFileSync(record, JSON.stringify(sources)) },
    ],
    build: {
      outDir: 'out/renderer',
      // Electron-vite leaves code as it is; a browser that loads the page should not pay for that.
      minify: true,
      rolldownOptions: {
        input: { index: 'src/renderer/index.html' },
        // What most views share is one file: dozens of small ones compress worse.
        output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 5 }] } },
      },
    },
  },
});
