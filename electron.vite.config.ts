import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { BUNDLED_PACKAGES, PROGRAMS } from './build/bundles.ts';
import { drawIcons } from './build/draw-icons.ts';
import { oneLanguage } from './build/one-language.ts';
import { sourcePaths } from './build/source-paths.ts';
import { buildRecordFile, hashSources } from './src/cli/build-sources.ts';

/** Of the sources before the build reads them: what changes meanwhile may or may not be in it. */
const sources = hashSources(import.meta.dirname);
const record = buildRecordFile(import.meta.dirname);

/**
 * Makes browsers fetch every script with the page, and run it when it is imported. A script that is
 * fetched later could come from another program, which has the port of a web host that ended
 * (`abuse.md` 62). At the end of the document, so that what is shown first comes first.
 */
const fetchAllWithPage: Plugin = {
  name: 'fetch-all-with-page',
  enforce: 'post',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) =>
      Object.values(bundle)
        // Vite leaves an entry out that only imports the first script.
        .filter((file) => file.type === 'chunk' && !file.isEntry && !html.includes(file.fileName))
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${fileName}` },
          injectTo: 'body',
        })),
  },
};

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
      oneLanguage(path.join(import.meta.dirname, 'src', 'renderer', 'texts')),
      fetchAllWithPage,
      { name: 'record', writeBundle: () => writeFileSync(record, JSON.stringify(sources)) },
    ],
    build: {
      outDir: 'out/renderer',
      // Electron-vite leaves code as it is; a browser that loads the page should not pay for that.
      minify: true,
      cssCodeSplit: false,
      rolldownOptions: {
        input: { index: 'src/renderer/index.html' },
        // What the page runs first is one file, and what most views share: dozens of small ones
        // compress worse.
        output: {
          codeSplitting: {
            groups: [
              { name: 'first', tags: ['$initial'] },
              { name: 'shared', minShareCount: 5 },
            ],
          },
        },
      },
    },
  },
});
