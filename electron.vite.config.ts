import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import { BUNDLED_PACKAGES, PROGRAMS } from './build/bundles.ts';
import { drawIcons } from './build/draw-icons.ts';
import { sourcePaths } from './build/source-paths.ts';
import { buildRecordFile, hashSources } from './src/cli/build-sources.ts';

/** Of the sources before the build reads them: what changes meanwhile may or may not be in it. */
const sources = hashSources(import.meta.dirname);
const record = buildRecordFile(import.meta.dirname);

/**
 * Three builds: Electron's main process with the programs that it starts, the preload script, the
 * page. The first makes a few files of several hundred, because each that is loaded takes time at
 * every start. The record of the sources is written last, so that a build which fails is known to be
 * none.
 */
export default defineConfig({
  main: {
    plugins: [
      sourcePaths(path.join(import.meta.dirname, 'src')),
      { name: 'icons', closeBundle: () => drawIcons('resources/icons', 'out/icons') },
      { name: 'remove-record', buildStart: () => rmSync(record, { force: true }) },
    ],
    build: {
      outDir: 'out',
      externalizeDeps: { exclude: BUNDLED_PACKAGES },
      rolldownOptions: {
        input: Object.fromEntries(
          ['main/main', ...PROGRAMS].map((name) => [name, `src/${name}.ts`]),
        ),
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
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
