/** What the web host serves to a browser that may read it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import send from 'send';
import type { Client } from '../contract/contract.ts';
import { userMessage, type UserMessage } from '../contract/user-message.ts';
import { refuseRequest } from './refuse-request.ts';

interface PageSource {
  readonly client: Client;
  /** The folder of the built page; `null` where another server has the page. */
  readonly folder: string | null;
  /** The page's key (run-names.ts), in hexadecimal digits. */
  readonly key: string;
}

/**
 * Serves the page, and a saved file or its poster, which is requested by its job's id, never by a
 * path.
 */
export async function servePage(
  request: IncomingMessage,
  response: ServerResponse,
  { client, folder, key }: PageSource,
): Promise<void> {
  const pathname = URL.parse(request.url ?? '/', 'http://127.0.0.1')?.pathname;
  if (pathname === undefined) {
    refuseRequest(request, response, 404, userMessage('page-nothing-here'));
    return;
  }
  const [, kind, jobId = ''] = /^\/(saved|posters)\/([^/]+)$/.exec(pathname) ?? [];
  switch (kind) {
    case 'saved':
      sendSavedFile(request, response, {
        path: await savedFilePath(client, jobId),
        headers: { 'Content-Type': 'video/mp4', 'Cache-Control': 'no-store' },
        notFound: userMessage('page-video-moved'),
      });
      return;
    case 'posters':
      sendSavedFile(request, response, {
        path: await posterPath(client, jobId),
        // Requested often while a list is scrolled, and seldom changed.
        headers: { 'Content-Type': 'image/jpeg', 'Cache-Control': 'private, no-cache' },
        notFound: userMessage('page-no-poster'),
      });
      return;
    default: {
      if (folder === null) {
        refuseRequest(request, response, 404, userMessage('page-nothing-here'));
        return;
      }
      if (pathname === '/' || pathname === '/index.html') {
        await sendPage(response, folder, key);
        return;
      }
      const stream = send(request, pathname, { root: folder, dotfiles: 'deny', maxAge: 0 });
      stream.on('error', () =>
        refuseRequest(request, response, 404, userMessage('page-nothing-here')),
      );
      stream.pipe(response);
    }
  }
}

/** The document of the page, with its key. */
async function sendPage(response: ServerResponse, folder: string, key: string): Promise<void> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => null);
  response.writeHead(page === null ? 404 : 200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(page?.replace('</title>', `</title><meta name="spool-page-key" content="${key}">`));
}

interface SavedFile {
  /** The path that the engine reports; `null` when there is none. */
  readonly path: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly notFound: UserMessage;
}

/** Sends a file from outside the page's folder. */
function sendSavedFile(
  request: IncomingMessage,
  response: ServerResponse,
  { path, headers, notFound }: SavedFile,
): void {
  if (path === null) {
    refuseRequest(request, response, 404, notFound);
    return;
  }
  const stream = send(request, encodeURIComponent(basename(path)), {
    root: dirname(path),
    dotfiles: 'allow',
    cacheControl: false,
    index: false,
  });
  stream.on('headers', () => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  });
  stream.on('error', () => refuseRequest(request, response, 404, notFound));
  stream.pipe(response);
}

async function posterPath(client: Client, jobId: string): Promise<string | null> {
  try {
    return (await client.files.poster({ id: decodeURIComponent(jobId) })).path;
  } catch {
    return null;
  }
}

async function savedFilePath(client: Client, jobId: string): Promise<string | null> {
  try {
    const { job } = await client.jobs.show({ id: decodeURIComponent(jobId) });
    return job.state === 'done' ? (job.file?.path ?? null) : null;
  } catch {
    return null;
  }
}
