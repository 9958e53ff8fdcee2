import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import { drawIcons } from './build/draw-icons.ts';

/**
 * Three builds: Electron's main process with the programs that it starts, the preload script, the
 * page. The first keeps the files and folders of `src`, so that whatever is found beside a module
 * there (a worker, the fonts) is found beside it here.
 */
export default defineConfig({
  main: {
    plugins: [{ name: 'icons', closeBundle: () => drawIcons('resources/icons', 'out/icons') }],
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
    plugins: [svelte()],
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
