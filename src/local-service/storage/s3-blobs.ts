import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import {
  type BlobInfo,
  type Blobs,
  isKey,
  type NewBlob,
  type OpenBlob,
  type OpenOptions,
  requireKey,
  requirePrefix,
  type StoredBlob,
} from './blobs.ts';
import { checkedContent } from './checked-content.ts';
import { hashOfFile } from './file-hash.ts';
import { requireSame, responseSizes } from './s3-responses.ts';
import { S3Bucket, type S3BucketOptions } from './s3-bucket.ts';
import { s3ErrorOf } from './s3-errors.ts';
import { SHA256, upload } from './s3-upload.ts';
import { BlobDamagedError, StorageOutageError } from '../storage-errors.ts';

export interface S3BlobsOptions extends S3BucketOptions {
  /** Blobs per page of a list, at most 1000. */
  readonly pageSize?: number;
}

const PAGE_SIZE = 1000;
const CHUNK_BYTES = 256 * 1024;
const CONCURRENT_DELETIONS = 16;

const ignore = (): void => undefined;

/**
 * Blobs in a bucket of a store with the S3 protocol. Credentials, region and endpoint come from the
 * usual AWS sources: the environment, shared files or the machine's role.
 *
 * After an upload, the store's size and hash of the blob are checked. Content that is read as a
 * whole is checked by its hash, a range by its position and length.
 */
export class S3Blobs implements Blobs {
  readonly #bucket: S3Bucket;
  readonly #pageSize: number;

  constructor(options: S3BlobsOptions) {
    this.#bucket = new S3Bucket(options);
    this.#pageSize = options.pageSize ?? PAGE_SIZE;
  }

  async put(blobs: readonly NewBlob[], signal?: AbortSignal): Promise<readonly StoredBlob[]> {
    for (const { key } of blobs) requireKey(key);
    const stored: StoredBlob[] = [];
    for (const { key, file, sha256: known } of blobs) {
      const { size } = await stat(file);
      const sha256 = known ?? (await hashOfFile(file));
      await upload(this.#bucket, { key, file, sha256 }, signal);
      await this.#requireStored({ key, size, sha256 });
      stored.push({ key, size, sha256 });
    }
    for (const { file } of blobs) await rm(file);
    return stored;
  }

  async open(key: string, options: OpenOptions = {}): Promise<OpenBlob | undefined> {
    requireKey(key);
    const { range, expected, signal } = options;
    const command = new GetObjectCommand({
      ...this.#bucket.objectOf(key),
      ...(range && { Range: `bytes=${range.first}-${range.last}` }),
    });
    const found = await this.#bucket
      .request(key, { signal }, (client, sending) => client.send(command, sending))
      .catch((error: unknown) => this.#bucket.undefinedIfMissing(error));
    if (!found) return undefined;
    const body = found.Body as Readable;
    // An error without a listener would end the process. The reader gets the stream's errors.
    body.on('error', ignore);
    try {
      const { size, length } = responseSizes(key, found, range);
      requireSame(key, expected?.size, size, expected?.sha256, found.Metadata?.[SHA256]);
      const watched = Readable.from(this.#bucket.chunks(body, signal), {
        objectMode: false,
        highWaterMark: CHUNK_BYTES,
      });
      const content = checkedContent(watched, {
        key,
        length,
        sha256: length === size ? (expected?.sha256 ?? found.Metadata?.[SHA256]) : undefined,
        errorOf: (error): unknown => (signal?.aborted ? signal.reason : s3ErrorOf(error, key)),
      });
      // When the reader stops, this closes the connection even if no data arrives on it: `watched`
      // closes only with the next data.
      content.once('close', () => body.destroy());
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
    for (let at = 0; at < keys.length; at += CONCURRENT_DELETIONS) {
      await Promise.all(
        keys.slice(at, at + CONCURRENT_DELETIONS).map((key) => {
          const command = new DeleteObjectCommand(this.#bucket.objectOf(key));
          return this.#bucket.request(key, {}, (client, sending) => client.send(command, sending));
        }),
      );
    }
  }

  async *list(prefix: string): AsyncIterable<BlobInfo> {
    requirePrefix(prefix);
    let token: string | undefined;
    do {
      const page = await this.#page(prefix, token);
      for (const { Key = '', Size = 0 } of page.Contents ?? []) {
        const key = Key.slice(this.#bucket.prefix.length);
        // Other programs may use the bucket, and the service deletes what it lists.
        const isOwn = Key.startsWith(this.#bucket.prefix + prefix) && isKey(key);
        if (isOwn) yield { key, size: Size };
      }
      const next = page.IsTruncated ? page.NextContinuationToken : undefined;
      if (next !== undefined && next === token) {
        throw new StorageOutageError('unreachable', new Error('The list does not end.'));
      }
      token = next;
    } while (token !== undefined);
  }

  /** Closes the connections to the store. */
  close(): void {
    this.#bucket.close();
  }

  #page(prefix: string, token: string | undefined): Promise<ListObjectsV2CommandOutput> {
    const command = new ListObjectsV2Command({
      Bucket: this.#bucket.name,
      Prefix: this.#bucket.prefix + prefix,
      MaxKeys: this.#pageSize,
      ContinuationToken: token,
    });
    return this.#bucket.request(prefix, {}, (client, sending) => client.send(command, sending));
  }

  async #head(key: string): Promise<{ size: number; sha256: string | undefined } | undefined> {
    requireKey(key);
    const command = new HeadObjectCommand(this.#bucket.objectOf(key));
    const found = await this.#bucket
      .request(key, {}, (client, sending) => client.send(command, sending))
      .catch((error: unknown) => this.#bucket.undefinedIfMissing(error));
    if (!found) return undefined;
    return { size: found.ContentLength ?? 0, sha256: found.Metadata?.[SHA256] };
  }

  /** @throws {BlobDamagedError} unless the store reports the size and hash that were sent */
  async #requireStored({ key, size, sha256 }: StoredBlob): Promise<void> {
    const found = await this.#head(key);
    if (!found) throw new BlobDamagedError(key, 'the store does not have it');
    requireSame(key, size, found.size, sha256, found.sha256);
  }
}
