import type { Readable } from 'node:stream';
import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { After } from '../clock.ts';
import { StorageOutageError } from '../storage-errors.ts';
import { IdleLimit, withIdleLimit } from './idle-limit.ts';
import { isMissing, s3ErrorOf } from './s3-errors.ts';

export interface S3BucketOptions {
  readonly bucket: string;
  /** Put before every key, with a slash between; may be empty. */
  readonly prefix: string;
  readonly after: After;
  /** How long the store may make no progress; milliseconds. */
  readonly idleMs?: number;
  /** How often a request without content is sent before it fails. */
  readonly maxAttempts?: number;
  /** The SDK's own settings from the environment when omitted: `AWS_ENDPOINT_URL_S3` and others. */
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface S3RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** How many times as long as usual the store may make no progress. */
  readonly patience?: number;
}

/** Long enough for 8 MiB at 1.2 Mbit/s. */
const IDLE_MS = 60_000;
const CONNECT_MS = 5000;
const MAX_ATTEMPTS = 3;
/**
 * Downloads hold a connection each for as long as their clients read. More than the service has
 * connections to clients (`https-listener.ts`): with fewer, those who read slowly would keep all others
 * from the store.
 */
const MAX_CONNECTIONS = 1_100;

const ignore = (): void => undefined;
/** The SDK writes to the console otherwise. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Requests about the objects below a prefix of a bucket. They fail with the errors of a store. */
export class S3Bucket {
  /** What a list of all objects of the store begins with; empty, or ends with a slash. */
  readonly prefix: string;
  readonly name: string;
  readonly #client: S3Client;
  readonly #after: After;
  readonly #idleMs: number;

  constructor(options: S3BucketOptions) {
    const { bucket, prefix, after } = options;
    this.name = bucket;
    this.prefix = prefix === '' ? '' : `${prefix}/`;
    this.#after = after;
    this.#idleMs = options.idleMs ?? IDLE_MS;
    this.#client = clientOf(options);
  }

  /** The object of a key, as all commands name it. */
  place(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.name, Key: this.prefix + key };
  }

  /** @param send called with the signal that ends the request */
  async request<Answer>(
    key: string,
    { signal, patience = 1 }: S3RequestOptions,
    send: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<Answer>,
  ): Promise<Answer> {
    signal?.throwIfAborted();
    using limit = new IdleLimit({ ms: this.#idleMs * patience, after: this.#after, signal });
    try {
      return await send(this.#client, { abortSignal: limit.signal });
    } catch (error) {
      throw limit.signal.aborted ? limit.signal.reason : s3ErrorOf(error, key);
    }
  }

  /** `undefined` for the error of a missing object; without its bucket, that proves nothing. */
  async missing(error: unknown): Promise<undefined> {
    if (!isMissing(error)) throw error;
    const command = new HeadBucketCommand({ Bucket: this.name });
    await this.request('', {}, (client, options) => client.send(command, options)).catch(
      (failure: unknown) => {
        throw isMissing(failure) ? new StorageOutageError('refused', failure) : failure;
      },
    );
    return undefined;
  }

  /** The chunks of an answer, which fail when the store stops in the middle. */
  chunks(body: Readable, signal?: AbortSignal): AsyncGenerator<Buffer> {
    return withIdleLimit(body, { ms: this.#idleMs, after: this.#after, signal });
  }

  /** Ends the connections to the store. */
  close(): void {
    this.#client.destroy();
  }
}

function clientOf({ endpoint, credentials, maxAttempts }: S3BucketOptions): S3Client {
  const hasOwnEndpoint =
    endpoint ?? process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
  return new S3Client({
    // Servers other than Amazon's take any region, and few have a domain for each bucket.
    ...(hasOwnEndpoint !== undefined && {
      forcePathStyle: true,
      region: process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? 'us-east-1',
    }),
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
    maxAttempts: maxAttempts ?? MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      httpAgent: { maxSockets: MAX_CONNECTIONS },
      httpsAgent: { maxSockets: MAX_CONNECTIONS },
    },
    // Not every server knows the checksums that the SDK adds by itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silent,
  });
}
