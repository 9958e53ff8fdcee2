import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';

/** Three bundles: Electron's main process with the local service's program, the preload, the page. */
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      rolldownOptions: {
        input: { main: 'src/main/main.ts', 'local-service': 'src/local-service/main.ts' },
        output: { format: 'es', entryFileNames: '[name].js' },
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
      rolldownOptions: { input: { index: 'src/renderer/index.html' } },
    },
  },
});
