import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { S3Blobs } from '../../../../src/local-service/storage/s3-blobs.ts';
import {
  BlobDamagedError,
  type StorageOutage,
  StorageOutageError,
} from '../../../../src/local-service/storage-errors.ts';
import { file, manyBytes, s3Blobs } from '../../../rigs/blob-stores.ts';
import { s3Error, useS3Server } from '../../../rigs/s3-server.ts';
import { ManualClock } from '../rig.ts';

const MIB = 1024 * 1024;
const MINUTE = 60_000;
const KEY = 'video/1.mp4';
const content = manyBytes('film', 300_000);
const sha256 = createHash('sha256').update(content).digest('hex');
const expected = { size: content.length, sha256 };

const server = useS3Server();
let clock: ManualClock;
let blobs: S3Blobs;

beforeEach(() => {
  clock = new ManualClock();
  blobs = s3Blobs(server, { after: clock.after });
});

const put = (bytes = content, key = KEY) =>
  blobs.put([{ key, file: file(bytes), sha256: createHash('sha256').update(bytes).digest('hex') }]);

async function outageOf(call: Promise<unknown>): Promise<StorageOutage> {
  const error: unknown = await call.then(
    () => new Error('It was done.'),
    (error: unknown) => error,
  );
  if (error instanceof StorageOutageError) return error.outage;
  throw error;
}

async function listAll(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list('')) keys.push(key);
  return keys;
}

/** Failing responses of the store, and the outage that each of them is. */
const failures: readonly [string, StorageOutage, (response: ServerResponse) => void][] = [
  ['refuses access', 'refused', (response) => s3Error(response, 403, 'AccessDenied')],
  ['does not know the key', 'refused', (response) => s3Error(response, 403, 'InvalidAccessKeyId')],
  ['moved', 'refused', (response) => s3Error(response, 301, 'PermanentRedirect')],
  ['is full', 'full', (response) => s3Error(response, 507, 'InsufficientStorage')],
  ['is too busy', 'unreachable', (response) => s3Error(response, 503, 'SlowDown')],
  ['limits requests', 'unreachable', (response) => s3Error(response, 429, 'TooManyRequests')],
  ['fails', 'unreachable', (response) => s3Error(response, 500, 'InternalError')],
  ['is a web page', 'unreachable', (response) => void response.writeHead(502).end('<html>')],
  ['does not use HTTP', 'unreachable', (response) => void response.socket!.end('220 ready\r\n')],
  ['closes the connection', 'unreachable', (response) => void response.socket!.destroy()],
];

describe.each(failures)('a store that %s', (_what, outage, answer) => {
  test(`is an outage (${outage}) for every call, and loses nothing`, async () => {
    await put();
    const source = file(content);
    server.intercept = (request, response) => {
      request.resume();
      answer(response);
    };
    expect(await outageOf(blobs.put([{ key: KEY, file: source }]))).toBe(outage);
    expect(await outageOf(blobs.open(KEY))).toBe(outage);
    expect(await outageOf(blobs.stat(KEY))).toBe(outage);
    expect(await outageOf(blobs.delete([KEY]))).toBe(outage);
    expect(await outageOf(listAll())).toBe(outage);
    expect(existsSync(source)).toBe(true);

    server.intercept = undefined;
    expect(await blobs.stat(KEY)).toEqual({ key: KEY, size: content.length });
    await blobs.put([{ key: KEY, file: source }]);
  });
});

test('a store that is over its quota is reported as full', async () => {
  server.intercept = (request, response) => {
    request.resume();
    s3Error(response, 403, 'QuotaExceeded');
  };
  expect(await outageOf(put())).toBe('full');
});

test('a store that refuses connections is an outage', async () => {
  // Nothing listens there.
  blobs = s3Blobs({ ...server, endpoint: 'http://127.0.0.1:9' });
  expect(await outageOf(blobs.stat(KEY))).toBe('unreachable');
  expect(await outageOf(blobs.put([{ key: KEY, file: file('x') }]))).toBe('unreachable');
});

test('a missing bucket is an outage, and no missing blob', async () => {
  const elsewhere = s3Blobs(server, { bucket: 'no-such-bucket' });
  expect(await outageOf(elsewhere.stat(KEY))).toBe('refused');
  expect(await outageOf(elsewhere.open(KEY))).toBe('refused');
  expect(await outageOf(elsewhere.put([{ key: KEY, file: file('x') }]))).toBe('refused');
});

describe('a slow store', () => {
  /** Advances the clock until the call settles. */
  async function advanceUntilSettled<Result>(call: Promise<Result>): Promise<Result> {
    const over = call.then(
      () => true,
      () => true,
    );
    const turn = (): Promise<boolean> =>
      new Promise((resolve) => setTimeout(() => resolve(false), 5));
    while (!(await Promise.race([over, turn()]))) clock.advance(MINUTE);
    return call;
  }

  test('that never answers is an outage', async () => {
    server.intercept = (request) => void request.resume();
    expect(await advanceUntilSettled(outageOf(blobs.stat(KEY)))).toBe('unreachable');
    expect(await advanceUntilSettled(outageOf(blobs.open(KEY)))).toBe('unreachable');
    expect(
      await advanceUntilSettled(outageOf(blobs.put([{ key: KEY, file: file(content) }]))),
    ).toBe('unreachable');
  });

  test('that stops in the middle of a blob fails its reader', async () => {
    await put();
    server.intercept = (_request, response) => {
      response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 1e5));
    };
    const opened = await blobs.open(KEY);
    expect(await advanceUntilSettled(outageOf(buffer(opened!.content)))).toBe('unreachable');
  });

  test('is disconnected as soon as the reader of a blob stops', async () => {
    await put();
    let isConnected = true;
    let sendMore = (): void => undefined;
    server.intercept = (_request, response) => {
      response.on('close', () => (isConnected = false));
      response.writeHead(200, { 'content-length': content.length });
      sendMore = () => void response.write('more');
      sendMore();
    };
    const opened = await blobs.open(KEY);
    let received = 0;
    opened!.content.on('data', () => (received += 1));
    await expect
      .poll(() => {
        sendMore();
        return received;
      })
      .toBeGreaterThan(0);
    // The reader now waits for bytes that do not come.
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    opened!.content.destroy();
    await expect.poll(() => isConnected).toBe(false);
  });

  test('that takes half a minute for each part gets a large blob whole', async () => {
    const large = manyBytes('large', 25 * MIB);
    server.intercept = (request, _response, next) => {
      if (request.method === 'PUT') clock.advance(MINUTE / 2);
      next();
    };
    expect(await put(large)).toMatchObject([{ key: KEY, size: large.length }]);
  });
});

describe('a store that closes the connection', () => {
  test('in the middle of a blob fails its reader', async () => {
    await put();
    server.intercept = (_request, response) => {
      response.writeHead(200, { 'content-length': content.length });
      response.write(content.subarray(0, 100_000), () => response.socket!.destroy());
    };
    const opened = await blobs.open(KEY, { expected });
    expect(await outageOf(buffer(opened!.content))).toBe('unreachable');
  });

  test('in the middle of a part gets that part again', async () => {
    const large = manyBytes('large', 12 * MIB);
    let breaks = 0;
    server.intercept = (request, _response, next) => {
      if (request.url!.includes('partNumber=2') && breaks === 0) {
        breaks += 1;
        request.once('data', () => request.socket.destroy());
      } else next();
    };
    blobs = s3Blobs(server, { maxAttempts: 3 });
    await put(large);
    expect(breaks).toBe(1);
    expect((await buffer((await blobs.open(KEY))!.content)).equals(large)).toBe(true);
  });
});

test('an upload that is aborted in the middle leaves neither blob nor parts', async () => {
  const stop = new AbortController();
  const requests: string[] = [];
  server.intercept = (request, _response, next) => {
    requests.push(`${request.method} ${request.url!.replace(/^[^?]*|(?<==)[^&]*/g, '')}`);
    if (request.url!.includes('partNumber=2')) stop.abort(new Error('shutting down'));
    else next();
  };
  const source = file(manyBytes('large', 12 * MIB));
  await expect(blobs.put([{ key: KEY, file: source }], stop.signal)).rejects.toThrow(
    'shutting down',
  );
  expect(existsSync(source)).toBe(true);
  await expect.poll(() => requests.some((line) => /^DELETE .*uploadId/.test(line))).toBe(true);
  server.intercept = undefined;
  expect(await blobs.stat(KEY)).toBeUndefined();
});

describe('a store that returns another blob', () => {
  const other = manyBytes('another film', content.length);

  /** The bytes that `open` returns before it fails. */
  async function readUntilDamaged(range?: { first: number; last: number }): Promise<Buffer> {
    const chunks: Buffer[] = [];
    const reading = async (): Promise<void> => {
      const opened = await blobs.open(KEY, { expected, range });
      for await (const chunk of opened!.content as AsyncIterable<Buffer>) chunks.push(chunk);
    };
    await expect(reading()).rejects.toThrow(BlobDamagedError);
    return Buffer.concat(chunks);
  }

  beforeEach(async () => {
    await put();
    await put(other, 'other/1.mp4');
  });

  test('is detected by its metadata', async () => {
    server.intercept = (request, _response, next) => {
      request.url = request.url!.replace(KEY, 'other/1.mp4');
      next();
    };
    expect(await readUntilDamaged()).toHaveLength(0);
    expect(await readUntilDamaged({ first: 5, last: 9 })).toHaveLength(0);
  });

  test('is detected by its bytes before the last of them are passed on', async () => {
    server.intercept = (_request, response) => {
      response.writeHead(200, { 'content-length': other.length }).end(other);
    };
    expect((await readUntilDamaged()).length).toBeLessThan(content.length);
  });

  test.each([
    ['shorter', content.subarray(1)],
    ['longer', Buffer.concat([content, content])],
    ['empty', Buffer.alloc(0)],
  ])('is detected by its size when it is %s', async (_what, body) => {
    server.intercept = (_request, response) => {
      response.writeHead(200, { 'content-length': body.length }).end(body);
    };
    expect(await readUntilDamaged()).toHaveLength(0);
  });

  test('without a length is refused', async () => {
    server.intercept = (_request, response) => void response.writeHead(200).end(content);
    expect(await readUntilDamaged()).toHaveLength(0);
  });

  test.each([
    ['the whole blob', 200, undefined, content],
    ['another range', 206, `bytes 6-10/${content.length}`, content.subarray(6, 11)],
    ['a shorter range', 206, `bytes 5-8/${content.length}`, content.subarray(5, 9)],
    ['a range of another size', 206, 'bytes 5-9/10', content.subarray(5, 10)],
    ['fewer bytes than it states', 206, `bytes 5-9/${content.length}`, content.subarray(5, 9)],
    ['an invalid range', 206, 'bytes five', content.subarray(5, 10)],
  ])('is detected when it sends %s for a range', async (_what, status, contentRange, body) => {
    server.intercept = (_request, response) => {
      const headers = { ...(contentRange !== undefined && { 'content-range': contentRange }) };
      response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
    };
    expect(await readUntilDamaged({ first: 5, last: 9 })).toHaveLength(0);
  });
});

describe('a store that loses an upload', () => {
  test.each([
    ['another size', { 'content-length': '5', 'x-amz-meta-sha256': sha256 }],
    ['another hash', { 'content-length': `${content.length}`, 'x-amz-meta-sha256': 'x' }],
  ])('is detected by %s, and the file stays', async (_what, headers) => {
    const source = file(content);
    server.intercept = (request, response, next) => {
      if (request.method === 'HEAD') response.writeHead(200, headers).end();
      else next();
    };
    await expect(blobs.put([{ key: KEY, file: source, sha256 }])).rejects.toThrow(BlobDamagedError);
    expect(existsSync(source)).toBe(true);
  });

  test('is detected when it has nothing', async () => {
    const source = file(content);
    server.intercept = (request, response, next) => {
      if (request.method === 'PUT') {
        request.resume().on('end', () => response.writeHead(200, { etag: '"x"' }).end());
      } else next();
    };
    await expect(blobs.put([{ key: KEY, file: source, sha256 }])).rejects.toThrow(BlobDamagedError);
    expect(existsSync(source)).toBe(true);
  });
});

describe('a list', () => {
  const page = (keys: readonly string[], token?: string): string =>
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${token !== undefined}</IsTruncated>${keys
      .map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`)
      .join(
        '',
      )}${token === undefined ? '' : `<NextContinuationToken>${token}</NextContinuationToken>`}</ListBucketResult>`;

  test('omits keys outside of the store, whatever the server lists', async () => {
    const keys = [
      'elsewhere/1.mp4',
      'videos/../../x',
      'videos/a/b/c',
      'videos/ok/1.mp4',
      'videos/',
    ];
    server.intercept = (_request, response) => void response.writeHead(200).end(page(keys));
    expect(await listAll()).toEqual(['ok/1.mp4']);
  });

  test('that does not end is an outage', async () => {
    server.intercept = (_request, response) => void response.writeHead(200).end(page([], 'again'));
    expect(await outageOf(listAll())).toBe('unreachable');
  });
});
