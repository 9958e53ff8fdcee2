import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { After } from '../clock.ts';
import {
  type BlobInfo,
  type Blobs,
  isKey,
  type OpenBlob,
  type OpenOptions,
  type PutOptions,
  requireKey,
  requirePrefix,
} from './blobs.ts';
import { checkedContent } from './checked-content.ts';
import { IdleLimit, withIdleLimit } from './idle-limit.ts';
import { partOfAnswer, requireSame } from './s3-answers.ts';
import { isMissing, s3ErrorOf } from './s3-errors.ts';
import { BlobDamagedError, StorageOutageError } from '../storage-errors.ts';

export interface S3Location {
  readonly bucket: string;
  /** Put before every key, with a slash between; may be empty. */
  readonly prefix: string;
}

export interface S3BlobsOptions extends S3Location {
  readonly after: After;
  /** How long the store may make no progress; milliseconds. */
  readonly idleMs?: number;
  /** How often a request without content is sent before it fails. */
  readonly maxAttempts?: number;
  /** Blobs in one page of a list, at most 1000. */
  readonly pageSize?: number;
  /** The SDK's own settings from the environment when omitted: `AWS_ENDPOINT_URL_S3` and others. */
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Long enough for a part at 1 Mbit/s. */
const IDLE_MS = 60_000;
const CONNECT_MS = 5000;
const MAX_ATTEMPTS = 3;
const PAGE_SIZE = 1000;
/** Of an upload, in memory. S3 takes parts from 5 MiB and 10,000 of them: files of 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const DELETIONS_AT_A_TIME = 16;
/** Downloads hold a connection each for as long as their clients read. */
const MAX_CONNECTIONS = 512;

/** Under which the SHA-256 of a blob is stored with it. */
const SHA256 = 'sha256';

const ignore = (): void => undefined;
/** The SDK writes to the console otherwise. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * Blobs in a bucket of a store that speaks the S3 protocol. Credentials, region and endpoint come
 * from where AWS programs have them: the environment, shared files or the machine's role.
 *
 * A large blob is sent in parts, whose hashes are signed, so that one that fails is sent again
 * alone. It counts as stored once the store has said what it holds. Content that is read as a whole
 * is checked by its hash, a part by its place and length.
 */
export class S3Blobs implements Blobs {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #after: After;
  readonly #idleMs: number;
  readonly #pageSize: number;

  constructor(options: S3BlobsOptions) {
    const { bucket, prefix, after, endpoint, credentials } = options;
    this.#bucket = bucket;
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
    this.#after = after;
    this.#idleMs = options.idleMs ?? IDLE_MS;
    this.#pageSize = options.pageSize ?? PAGE_SIZE;
    const hasOwnEndpoint =
      endpoint ?? process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
    this.#client = new S3Client({
      // Servers other than Amazon's take any region, and few have a domain for each bucket.
      ...(hasOwnEndpoint !== undefined && {
        forcePathStyle: true,
        region: process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? 'us-east-1',
      }),
      ...(endpoint !== undefined && { endpoint }),
      ...(credentials && { credentials }),
      maxAttempts: options.maxAttempts ?? MAX_ATTEMPTS,
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

  async put(key: string, file: string, options: PutOptions = {}): Promise<BlobInfo> {
    requireKey(key);
    const { sha256 } = options;
    const { size } = await stat(file);
    await this.#request(key, options.signal, (limit) => this.#upload(key, file, sha256, limit));
    await this.#requireStored(key, size, sha256);
    await rm(file);
    return { key, size };
  }

  async open(key: string, options: OpenOptions = {}): Promise<OpenBlob | undefined> {
    requireKey(key);
    const { range, expected, signal } = options;
    const command = new GetObjectCommand({
      ...this.#place(key),
      ...(range && { Range: `bytes=${range.first}-${range.last}` }),
    });
    const found = await this.#request(key, signal, (limit) =>
      this.#client.send(command, { abortSignal: limit.signal }),
    ).catch((error: unknown) => this.#missing(error));
    if (!found) return undefined;
    const body = found.Body as Readable;
    // Whoever reads it gets its errors; before that, they are of no interest.
    body.on('error', ignore);
    try {
      const { size, length } = partOfAnswer(key, found, range);
      requireSame(key, expected?.size, size, expected?.sha256, found.Metadata?.[SHA256]);
      const watched = Readable.from(
        withIdleLimit(body, { ms: this.#idleMs, after: this.#after, signal }),
        { objectMode: false, highWaterMark: CHUNK_BYTES },
      );
      // A reader that leaves ends the connection, also one on which nothing comes.
      watched.once('close', () => body.destroy());
      const content = checkedContent(watched, {
        key,
        length,
        sha256: length === size ? (expected?.sha256 ?? found.Metadata?.[SHA256]) : undefined,
        errorOf: (error): unknown => (signal?.aborted ? signal.reason : s3ErrorOf(error, key)),
      });
      return { size, content };
    } catch (error) {
      body.destroy();
      throw error;
    }
  }

  async stat(key: string): Promise<BlobInfo | undefined> {
    const found = await this.#head(key);
    return found && { key, size: found.size };
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) requireKey(key);
    for (let at = 0; at < keys.length; at += DELETIONS_AT_A_TIME) {
      await Promise.all(
        keys.slice(at, at + DELETIONS_AT_A_TIME).map((key) =>
          this.#request(key, undefined, (limit) =>
            this.#client.send(new DeleteObjectCommand(this.#place(key)), {
              abortSignal: limit.signal,
            }),
          ),
        ),
      );
    }
  }

  async *list(prefix: string): AsyncIterable<BlobInfo> {
    requirePrefix(prefix);
    let token: string | undefined;
    do {
      const page = await this.#page(prefix, token);
      for (const { Key = '', Size = 0 } of page.Contents ?? []) {
        const key = Key.slice(this.#prefix.length);
        // Others may use the bucket, and a list leads to deletions.
        const isOwn = Key.startsWith(this.#prefix + prefix) && isKey(key);
        if (isOwn) yield { key, size: Size };
      }
      const next = page.IsTruncated ? page.NextContinuationToken : undefined;
      if (next !== undefined && next === token) {
        throw new StorageOutageError('unreachable', new Error('The list does not end.'));
      }
      token = next;
    } while (token !== undefined);
  }

  /** Ends the connections to the store. */
  close(): void {
    this.#client.destroy();
  }

  async #upload(
    key: string,
    file: string,
    sha256: string | undefined,
    limit: IdleLimit,
  ): Promise<void> {
    await using handle = await open(file, 'r');
    const { size } = await handle.stat();
    const described = {
      ...this.#place(key),
      ...(sha256 !== undefined && { Metadata: { sha256 } }),
    };
    const { signal } = limit;
    if (size <= PART_BYTES) {
      const command = new PutObjectCommand({ ...described, Body: await readPart(handle, 0, size) });
      await this.#client.send(command, { abortSignal: signal });
      return;
    }
    const create = new CreateMultipartUploadCommand(described);
    const { UploadId } = await this.#client.send(create, { abortSignal: signal });
    const upload = { ...this.#place(key), UploadId };
    try {
      const Parts: CompletedPart[] = [];
      for (let at = 0; at < size; at += PART_BYTES) {
        limit.restart();
        const PartNumber = Parts.length + 1;
        const Body = await readPart(handle, at, Math.min(PART_BYTES, size - at));
        const command = new UploadPartCommand({ ...upload, PartNumber, Body });
        const { ETag } = await this.#client.send(command, { abortSignal: signal });
        Parts.push({ PartNumber, ETag });
      }
      limit.restart();
      const complete = new CompleteMultipartUploadCommand({
        ...upload,
        MultipartUpload: { Parts },
      });
      await this.#client.send(complete, { abortSignal: signal });
    } catch (error) {
      // Its parts would take up space. The bucket's own rules delete what stays nevertheless.
      const abort = new AbortMultipartUploadCommand(upload);
      await this.#request(key, undefined, ({ signal }) =>
        this.#client.send(abort, { abortSignal: signal }),
      ).catch(() => undefined);
      throw error;
    }
  }

  #page(prefix: string, token: string | undefined): Promise<ListObjectsV2CommandOutput> {
    const command = new ListObjectsV2Command({
      Bucket: this.#bucket,
      Prefix: this.#prefix + prefix,
      MaxKeys: this.#pageSize,
      ContinuationToken: token,
    });
    return this.#request(prefix, undefined, (limit) =>
      this.#client.send(command, { abortSignal: limit.signal }),
    );
  }

  async #head(key: string): Promise<{ size: number; sha256: string | undefined } | undefined> {
    requireKey(key);
    const found = await this.#request(key, undefined, (limit) =>
      this.#client.send(new HeadObjectCommand(this.#place(key)), { abortSignal: limit.signal }),
    ).catch((error: unknown) => this.#missing(error));
    if (!found) return undefined;
    return { size: found.ContentLength ?? 0, sha256: found.Metadata?.[SHA256] };
  }

  /** @throws {BlobDamagedError} unless the store says that it holds what was sent */
  async #requireStored(key: string, size: number, sha256: string | undefined): Promise<void> {
    const found = await this.#head(key);
    if (!found) throw new BlobDamagedError(key, 'the store does not have it');
    requireSame(key, size, found.size, sha256, found.sha256);
  }

  /** `undefined` for a missing blob; without its bucket, a missing blob proves nothing. */
  async #missing(error: unknown): Promise<undefined> {
    if (!isMissing(error)) throw error;
    await this.#request('', undefined, (limit) =>
      this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }), {
        abortSignal: limit.signal,
      }),
    ).catch((failure: unknown) => {
      throw isMissing(failure) ? new StorageOutageError('refused', failure) : failure;
    });
    return undefined;
  }

  async #request<Answer>(
    key: string,
    signal: AbortSignal | undefined,
    send: (limit: IdleLimit) => Promise<Answer>,
  ): Promise<Answer> {
    signal?.throwIfAborted();
    using limit = new IdleLimit({ ms: this.#idleMs, after: this.#after, signal });
    try {
      return await send(limit);
    } catch (error) {
      throw limit.signal.aborted ? limit.signal.reason : s3ErrorOf(error, key);
    }
  }

  #place(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }
}

async function readPart(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const part = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const { bytesRead } = await handle.read(part, at, length - at, position + at);
    if (bytesRead === 0) throw new Error('The file became shorter while it was stored.');
    at += bytesRead;
  }
  return part;
}
