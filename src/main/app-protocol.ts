import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Session } from 'electron';
import type { Client } from '../contract/contract.ts';
import { PAGE_HEADERS } from '../host/page-headers.ts';
import { APP_SCHEME } from './app-origin.ts';
import { byteRange } from './byte-range.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * Serves the built page, and saved videos and their posters by job id, under the app's own scheme.
 * No path in a request leads outside the page's folder.
 */
export function serveAppScheme(session: Session, pageFolder: string, client: Client): void {
  session.protocol.handle(APP_SCHEME, async (request) => {
    const { pathname } = new URL(request.url);
    const [, kind, jobId = ''] = /^\/(saved|posters)\/([^/]+)$/.exec(pathname) ?? [];
    try {
      switch (kind) {
        case 'saved':
          return await savedVideo(client, decodeURIComponent(jobId), request);
        case 'posters':
          return await poster(client, decodeURIComponent(jobId), request);
        default:
          return await fileResponse(pageFile(pageFolder, pathname), request);
      }
    } catch {
      return new Response('There is nothing here.', { status: 404, headers: PAGE_HEADERS });
    }
  });
}

/** The page's file for a path. `URL` has already resolved `..` in it. */
function pageFile(folder: string, pathname: string): string {
  const file = path.join(folder, pathname === '/' ? 'index.html' : decodeURIComponent(pathname));
  if (!file.startsWith(folder + path.sep)) throw new Error('Outside of the page.');
  return file;
}

async function savedVideo(client: Client, id: string, request: Request): Promise<Response> {
  const { job } = await client.jobs.show({ id });
  if (job.state !== 'done' || job.file === null) throw new Error('Not saved.');
  return fileResponse(job.file.path, request, 'video/mp4');
}

async function poster(client: Client, id: string, request: Request): Promise<Response> {
  const { path: file } = await client.files.poster({ id });
  if (file === null) throw new Error('No poster.');
  return fileResponse(file, request, 'image/jpeg');
}

async function fileResponse(file: string, request: Request, type?: string): Promise<Response> {
  const { size } = await stat(file);
  const range = byteRange(request.headers.get('range'), size);
  const headers = {
    ...PAGE_HEADERS,
    'Content-Type': type ?? TYPES[path.extname(file)] ?? 'application/octet-stream',
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'no-store',
  };
  if (range === null) {
    const body = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
    return new Response(body, { headers: { ...headers, 'Content-Length': String(size) } });
  }
  const { start, end } = range;
  const body = Readable.toWeb(createReadStream(file, { start, end })) as ReadableStream<Uint8Array>;
  return new Response(body, {
    status: 206,
    headers: {
      ...headers,
      'Content-Length': String(end - start + 1),
      'Content-Range': `bytes ${start}-${end}/${size}`,
    },
  });
}
