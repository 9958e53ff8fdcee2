import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { PAGE_HEADERS } from '../../../src/host/page-headers.ts';
import { buildScenarioPage, SCENARIO_PAGE_FOLDER } from './build-scenario-page.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.woff2': 'font/woff2',
};

/** Serves the page on a fake engine, with the headers of the real host. */
export interface ScenarioServer {
  /** Address of an empty page at the same origin. */
  readonly nothing: string;
  /** Address of a scene of `scenes.ts`. */
  address(scene: string): string;
  close(): Promise<void>;
}

/** A picture for the video of a row, each in another colour; every fourth is in portrait format. */
function posterOf(index: number): string {
  const hue = (index * 47 + 20) % 360;
  const wide = index % 4 === 3 ? 90 : 284;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} 160" width="${wide}" height="160">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0.4" y2="1">
      <stop stop-color="oklch(46% 0.09 ${hue})"/><stop offset="1" stop-color="oklch(24% 0.05 ${hue})"/>
    </linearGradient></defs>
    <rect width="${wide}" height="160" fill="url(#sky)"/>
    <circle cx="${wide * 0.7}" cy="58" r="30" fill="oklch(80% 0.12 ${(hue + 60) % 360})"/>
    <path d="M0 160V118l60-34 50 28 70-46 104 60v34z" fill="oklch(18% 0.03 ${hue})"/>
  </svg>`;
}

export async function openScenarioServer(): Promise<ScenarioServer> {
  const shared = process.env[SCENARIO_PAGE_FOLDER];
  const folder = shared ?? (await buildScenarioPage());
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stage');
    const [, poster] = /^\/posters\/job-(\d+)$/.exec(pathname) ?? [];
    if (poster !== undefined) {
      response.writeHead(200, { ...PAGE_HEADERS, 'Content-Type': 'image/svg+xml' });
      response.end(posterOf(Number(poster)));
      return;
    }
    if (pathname === '/nothing') {
      // Chromium shows an error of its own for an answer without content.
      response.writeHead(200, { ...PAGE_HEADERS, 'Content-Type': 'text/html' });
      response.end('<!doctype html><title>Nothing</title>');
      return;
    }
    const file = join(folder, pathname === '/' ? 'index.html' : pathname);
    readFile(file).then(
      (content) => {
        const type = TYPES[extname(file)] ?? 'application/octet-stream';
        response
          .writeHead(200, {
            ...PAGE_HEADERS,
            'Content-Type': type,
            // The build names these files after their content.
            ...(type === 'text/html' ? {} : { 'Cache-Control': 'max-age=86400, immutable' }),
          })
          .end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const origin = `http://127.0.0.1:${port}`;
  return {
    nothing: `${origin}/nothing`,
    address: (scene) => `${origin}/?scene=${scene}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (shared === undefined) await rm(folder, { recursive: true });
    },
  };
}
