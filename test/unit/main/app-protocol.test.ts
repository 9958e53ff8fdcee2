import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Session } from 'electron';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import { APP_ORIGIN } from '../../../src/main/app-origin.ts';
import { serveAppScheme } from '../../../src/main/app-protocol.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** The files of the jobs `done` and `verifying`, and of the poster of `done`. */
function serving() {
  const folder = temporaryFolder();
  const write = (name: string, content: string): string => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  write('page/index.html', '<!doctype html>');
  write('page/assets/app.js', 'start()');
  write('secret.txt', 'a secret');
  write('page-of-another/secret.txt', 'a secret');
  const video = write('100 % #1?.mp4', '0123456789');
  const poster = write('posters/7.jpg', 'a picture');
  const client = {
    jobs: {
      show: ({ id }: { id: string }) =>
        id === 'unknown'
          ? Promise.reject(new Error('There is no such job.'))
          : Promise.resolve({ job: { id, state: id, file: { path: video } } }),
    },
    files: {
      poster: ({ id }: { id: string }) => Promise.resolve({ path: id === 'done' ? poster : null }),
    },
  } as unknown as Client;
  let handler: (request: Request) => Promise<Response> = () => expect.unreachable();
  const protocol = {
    handle: (_: string, handle: typeof handler) => {
      handler = handle;
    },
  };
  serveAppScheme({ protocol } as unknown as Session, path.join(folder, 'page'), client);
  return async (address: string, headers: Record<string, string> = {}) => {
    // `Request` does not accept the app's scheme.
    const request = { url: APP_ORIGIN + address, headers: new Headers(headers) } as Request;
    const response = await handler(request);
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
}

describe('the app’s scheme', () => {
  it('serves the page with its policy', async () => {
    const ask = serving();
    const page = await ask('/');
    expect(page).toMatchObject({ status: 200, body: '<!doctype html>' });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const script = await ask('/assets/app.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const missing = await ask('/nothing.js');
    expect(missing.status).toBe(404);
    expect(missing.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%2fpage-of-another%2fsecret.txt',
    '/saved/..%2fsecret.txt',
    '/%00',
    '/%',
  ])('serves no file outside of the page: %s', async (address) => {
    const { status, body } = await serving()(address);
    expect(status).toBe(404);
    expect(body).not.toContain('a secret');
  });

  it('plays saved videos by their job’s id, in parts, and no others', async () => {
    const ask = serving();
    const whole = await ask('/saved/done');
    expect(whole).toMatchObject({ status: 200, body: '0123456789' });
    expect(whole.headers.get('content-type')).toBe('video/mp4');
    expect(whole.headers.get('content-length')).toBe('10');
    const part = await ask('/saved/done', { range: 'bytes=2-4' });
    expect(part).toMatchObject({ status: 206, body: '234' });
    expect(part.headers.get('content-range')).toBe('bytes 2-4/10');
    expect(part.headers.get('content-length')).toBe('3');
    for (const id of ['verifying', 'downloading', 'unknown'])
      expect((await ask(`/saved/${id}`)).status).toBe(404);
  });

  it('shows the posters that there are', async () => {
    const ask = serving();
    const poster = await ask('/posters/done');
    expect(poster).toMatchObject({ status: 200, body: 'a picture' });
    expect(poster.headers.get('content-type')).toBe('image/jpeg');
    expect((await ask('/posters/verifying')).status).toBe(404);
  });
});
