import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildApp } from 'fauxqs';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** Responds to a request in place of the store, or calls `next` to let the store respond. */
export type Intercept = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void;

export interface S3Server {
  readonly endpoint: string;
  /** Each test gets an empty one. */
  readonly bucket: string;
  /** Set by tests, to simulate a failing store. */
  intercept: Intercept | undefined;
}

/**
 * A server of the S3 protocol for the tests of a file or suite. It keeps everything in memory and
 * checks no signatures (docs/scale-out.md). Call it where tests are declared.
 */
export function useS3Server(): S3Server {
  const app = buildApp({ logger: false });
  const server = createServer((request, response) => {
    const next = (): void => app.routing(request, response);
    if (s3.intercept) s3.intercept(request, response, next);
    else next();
  });
  let tests = 0;
  const s3 = { endpoint: '', bucket: '', intercept: undefined as Intercept | undefined };
  beforeAll(async () => {
    await app.ready();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    s3.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    s3.intercept = undefined;
    tests += 1;
    s3.bucket = `spool-test-${tests}`;
    await fetch(`${s3.endpoint}/${s3.bucket}`, { method: 'PUT' });
  });
  afterAll(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    await app.close();
  });
  return s3;
}

/** An error response of the S3 protocol. */
export function s3Error(response: ServerResponse, status: number, code: string): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
}
