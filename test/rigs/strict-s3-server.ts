import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { S3Server } from './s3-server.ts';

const MIB = 1024 * 1024;
/** Amazon S3's limits (User Guide, “Multipart upload limits”). */
const MIN_PART_BYTES = 5 * MIB;
const MAX_PART_BYTES = 5 * 1024 * MIB;
const MAX_PARTS = 10_000;
const MAX_SKEW_MS = 15 * 60_000;

const XML = { 'content-type': 'application/xml' };

interface Part {
  readonly etag: string;
  readonly bytes: Buffer;
}

interface Upload {
  readonly key: string;
  readonly sha256: string;
  readonly parts: Map<number, Part>;
}

interface StoredObject {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly sha256: string;
}

/** A fault in the next request of an operation. */
export type S3Fault =
  /** 503 `SlowDown`. */
  | 'slow-down'
  /** Executed, but the connection ends before the response. */
  | 'lost-answer'
  /**
   * Not executed; a status 200, spaces, and an error as body, which is possible when completing.
   */
  | 'error-in-200';

interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly content?: string;
}

type Operation = 'put' | 'create' | 'part' | 'complete' | 'abort' | 'head';

/**
 * A server of the S3 protocol that is as strict about uploads as Amazon's: sizes and numbers of
 * parts, their ETags and order, the hash of every body, the client's clock. It checks no
 * signatures, and supports one bucket and no lists.
 */
export class StrictS3Server {
  readonly objects = new Map<string, StoredObject>();
  /** Uploads that were neither completed nor aborted: their parts cost money. */
  readonly uploads = new Map<string, Upload>();
  /** Operations that arrived. */
  readonly operations: Operation[] = [];
  /** Future faults, in order, by operation. */
  readonly faults = new Map<Operation, S3Fault[]>();
  /** How far the server's clock is ahead of this computer's; milliseconds. */
  clockAheadMs = 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  /** Ends with the test. */
  static async start(): Promise<StrictS3Server & Pick<S3Server, 'endpoint' | 'bucket'>> {
    const s3 = new StrictS3Server();
    s3.#server.listen(0, '127.0.0.1');
    await once(s3.#server, 'listening');
    onTestFinished(async () => {
      const closed = once(s3.#server, 'close');
      s3.#server.close();
      s3.#server.closeAllConnections();
      await closed;
    });
    const { port } = s3.#server.address() as AddressInfo;
    return Object.assign(s3, { endpoint: `http://127.0.0.1:${port}`, bucket: 'bucket' });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('date', new Date(this.#now()).toUTCString());
    const body = await buffer(request).catch(() => undefined);
    if (!body) return;
    const url = new URL(request.url ?? '/', 'http://s3');
    const operation = operationOf(request.method ?? '', url.searchParams);
    this.operations.push(operation);
    const fault = this.faults.get(operation)?.shift();
    const reply =
      fault === 'slow-down'
        ? refusal(503, 'SlowDown')
        : fault === 'error-in-200'
          ? { status: 200, headers: XML, content: `   ${refusal(200, 'InternalError').content}` }
          : (this.#check(request, body) ?? this.#execute(operation, { request, url, body }));
    if (fault === 'lost-answer') request.socket.destroy();
    else response.writeHead(reply.status, reply.headers).end(reply.content);
  }

  /** Why a request is refused, independent of its operation. */
  #check({ headers }: IncomingMessage, body: Buffer): Reply | undefined {
    const sent = dateOf(String(headers['x-amz-date']));
    if (Math.abs(sent - this.#now()) > MAX_SKEW_MS) return refusal(403, 'RequestTimeTooSkewed');
    const declared = headers['x-amz-content-sha256'];
    const isAsDeclared =
      declared === 'UNSIGNED-PAYLOAD' ||
      declared === createHash('sha256').update(body).digest('hex');
    return isAsDeclared ? undefined : refusal(400, 'XAmzContentSHA256Mismatch');
  }

  #execute(
    operation: Operation,
    { request, url, body }: { request: IncomingMessage; url: URL; body: Buffer },
  ): Reply {
    const key = url.pathname.slice('/bucket/'.length);
    const id = url.searchParams.get('uploadId') ?? '';
    const upload = this.uploads.get(id);
    const sha256 = String(request.headers['x-amz-meta-sha256']);
    switch (operation) {
      case 'put': {
        if (body.length > MAX_PART_BYTES) return refusal(400, 'EntityTooLarge');
        const etag = `"${md5Of(body)}"`;
        this.objects.set(key, { bytes: body, etag, sha256 });
        return { status: 200, headers: { etag } };
      }
      case 'head': {
        const found = this.objects.get(key);
        if (!found) return { status: 404 };
        const { etag, bytes } = found;
        const headers = { etag, 'x-amz-meta-sha256': found.sha256 };
        return { status: 200, headers: { ...headers, 'content-length': `${bytes.length}` } };
      }
      case 'create': {
        const newId = randomUUID();
        this.uploads.set(newId, { key, sha256, parts: new Map() });
        const xml = `<InitiateMultipartUploadResult><UploadId>${newId}</UploadId></InitiateMultipartUploadResult>`;
        return { status: 200, headers: XML, content: xml };
      }
      case 'part': {
        const number = Number(url.searchParams.get('partNumber'));
        if (!upload) return refusal(404, 'NoSuchUpload');
        if (!(number >= 1 && number <= MAX_PARTS)) return refusal(400, 'InvalidArgument');
        const etag = `"${md5Of(body)}"`;
        upload.parts.set(number, { etag, bytes: body });
        return { status: 200, headers: { etag } };
      }
      case 'complete': {
        if (!upload) return refusal(404, 'NoSuchUpload');
        const listed = partsOf(body.toString());
        const parts = listed.map(({ number }) => upload.parts.get(number));
        const isKnown = listed.every(({ etag }, index) => parts[index]?.etag === etag);
        if (listed.length === 0 || !isKnown) return refusal(400, 'InvalidPart');
        const isOrdered = listed.every(({ number }, at) => number > (listed[at - 1]?.number ?? 0));
        if (!isOrdered) return refusal(400, 'InvalidPartOrder');
        const bytes = parts.map((part) => part!.bytes);
        if (bytes.slice(0, -1).some(({ length }) => length < MIN_PART_BYTES)) {
          return refusal(400, 'EntityTooSmall');
        }
        const etag = `"${md5Of(Buffer.concat(bytes))}-${bytes.length}"`;
        this.objects.set(upload.key, { bytes: Buffer.concat(bytes), etag, sha256: upload.sha256 });
        this.uploads.delete(id);
        const xml = `<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`;
        return { status: 200, headers: XML, content: xml };
      }
      case 'abort':
        if (!this.uploads.delete(id)) return refusal(404, 'NoSuchUpload');
        return { status: 204 };
    }
  }

  #now(): number {
    return Date.now() + this.clockAheadMs;
  }
}

function operationOf(method: string, query: URLSearchParams): Operation {
  if (method === 'HEAD') return 'head';
  if (method === 'POST') return query.has('uploads') ? 'create' : 'complete';
  if (method === 'DELETE') return 'abort';
  return query.has('partNumber') ? 'part' : 'put';
}

function partsOf(xml: string): { number: number; etag: string }[] {
  return [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    etag: (/<ETag>(.*?)<\/ETag>/.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
  }));
}

/** `20261123T140000Z`. */
function dateOf(amzDate: string): number {
  return Date.parse(
    amzDate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  );
}

function md5Of(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}

function refusal(status: number, code: string): Reply & { readonly content: string } {
  const content = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`;
  return { status, headers: XML, content };
}
