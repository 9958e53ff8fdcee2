import type { Readable } from 'node:stream';
import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { After } from '../clock.ts';
import { StorageOutageError } from '../storage-errors.ts';
import { IdleLimit, withIdleLimit } from './idle-limit.ts';
import { isMissing, s3ErrorOf } from './s3-errors.ts';

export interface S3BucketOptions {
  readonly bucket: string;
  /** Prepended to every key, with a slash; may be empty. */
  readonly prefix: string;
  readonly after: After;
  /** Maximum time without progress of the store, in milliseconds. */
  readonly idleMs?: number;
  /** How often a request without content is sent before it fails. */
  readonly maxAttempts?: number;
  /** Default: the SDK's settings from the environment, such as `AWS_ENDPOINT_URL_S3`. */
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export interface S3RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Multiplies the maximum time without progress. Default: 1. */
  readonly idleFactor?: number;
}

/** Long enough for 8 MiB at 1.2 Mbit/s. */
const IDLE_MS = 60_000;
const CONNECT_MS = 5000;
const MAX_ATTEMPTS = 3;
/**
 * Each download holds a connection for as long as its client reads. More than the service's
 * connections to clients (`https-listener.ts`), so that slow clients cannot block the store for all
 * others.
 */
const MAX_CONNECTIONS = 1_100;

const ignore = (): void => undefined;
/** By default, the SDK logs to the console. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Sends requests for objects under a prefix of a bucket. Converts errors with `s3ErrorOf`. */
export class S3Bucket {
  /** The common prefix of all objects; empty, or ends with a slash. */
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

  /** The object of a key, in the format of all commands. */
  objectOf(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.name, Key: this.prefix + key };
  }

  /** @param send gets the signal that aborts the request */
  async request<Output>(
    key: string,
    { signal, idleFactor = 1 }: S3RequestOptions,
    send: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<Output>,
  ): Promise<Output> {
    signal?.throwIfAborted();
    using limit = new IdleLimit({ ms: this.#idleMs * idleFactor, after: this.#after, signal });
    try {
      return await send(this.#client, { abortSignal: limit.signal });
    } catch (error) {
      throw limit.signal.aborted ? limit.signal.reason : s3ErrorOf(error, key);
    }
  }

  /**
   * `undefined` if the error means a missing object; throws other errors, as for a missing bucket.
   */
  async undefinedIfMissing(error: unknown): Promise<undefined> {
    if (!isMissing(error)) throw error;
    const command = new HeadBucketCommand({ Bucket: this.name });
    await this.request('', {}, (client, options) => client.send(command, options)).catch(
      (failure: unknown) => {
        throw isMissing(failure) ? new StorageOutageError('refused', failure) : failure;
      },
    );
    return undefined;
  }

  /** The chunks of a response. Fails when the store stops sending in the middle. */
  chunks(body: Readable, signal?: AbortSignal): AsyncGenerator<Buffer> {
    return withIdleLimit(body, { ms: this.#idleMs, after: this.#after, signal });
  }

  /** Closes the connections to the store. */
  close(): void {
    this.#client.destroy();
  }
}

function clientOf({ endpoint, credentials, maxAttempts }: S3BucketOptions): S3Client {
  const hasOwnEndpoint =
    endpoint ?? process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
  return new S3Client({
    // Other servers than Amazon's accept any region, and few of them have a domain for each bucket.
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
    // Not every server supports the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silent,
  });
}
