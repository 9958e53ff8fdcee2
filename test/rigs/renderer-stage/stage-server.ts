import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build } from 'vite';
import { PAGE_HEADERS } from '../../../src/host/page-headers.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.woff2': 'font/woff2',
};

/** The page on a fake engine, under the headers that the real host sends. */
export interface StageServer {
  /** Address of a scene of `scenes.ts`. */
  address(scene: string): string;
  close(): Promise<void>;
}

export async function openStage(): Promise<StageServer> {
  const folder = await mkdtemp(join(tmpdir(), 'spool-stage-'));
  await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    plugins: [svelte({ configFile: false })],
    build: { outDir: folder, emptyOutDir: true, assetsInlineLimit: 0, modulePreload: false },
  });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stage');
    const file = join(folder, pathname === '/' ? 'index.html' : pathname);
    readFile(file).then(
      (content) => {
        const type = TYPES[extname(file)] ?? 'application/octet-stream';
        response.writeHead(200, { ...PAGE_HEADERS, 'Content-Type': type }).end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    address: (scene) => `http://127.0.0.1:${port}/?scene=${scene}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}
