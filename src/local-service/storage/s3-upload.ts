import { type FileHandle, open } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { NewBlob } from './blobs.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { isUnknownUpload } from './s3-errors.ts';

const MIB = 1024 * 1024;
/** Of most uploads, in memory. S3 takes parts from 5 MiB, the last one excepted. */
const PART_BYTES = 8 * MIB;
/** As S3 has it, for one object. */
const MAX_PARTS = 10_000;
/** Amazon's servers may take minutes to put 10,000 parts together. */
const PATIENCE_TO_COMPLETE = 10;

/** Under which the SHA-256 of a blob is stored with it. */
export const SHA256 = 'sha256';

/** The size of all parts of a file but its last: more than 8 MiB from 78 GiB on. */
export function partBytesOf(size: number): number {
  return Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS / MIB) * MIB);
}

/**
 * Sends a file to a bucket: in one request, or a large one in parts, whose hashes are signed, so that
 * one that fails is sent again alone. Leaves no parts when it fails, unless the store is away then.
 * What the store has afterwards is to be asked of it.
 */
export async function upload(
  bucket: S3Bucket,
  { key, file, sha256 }: NewBlob & { readonly sha256: string },
  signal?: AbortSignal,
): Promise<void> {
  await using handle = await open(file, 'r');
  const { size } = await handle.stat();
  const described = { ...bucket.place(key), Metadata: { [SHA256]: sha256 } };
  if (size <= PART_BYTES) {
    const command = new PutObjectCommand({ ...described, Body: await readPart(handle, 0, size) });
    await bucket.request(key, { signal }, (client, options) => client.send(command, options));
    return;
  }
  const create = new CreateMultipartUploadCommand(described);
  const { UploadId } = await bucket.request(key, { signal }, (client, options) =>
    client.send(create, options),
  );
  const place = { ...bucket.place(key), UploadId };
  try {
    const partBytes = partBytesOf(size);
    const patience = partBytes / PART_BYTES;
    const Parts: CompletedPart[] = [];
    for (let at = 0; at < size; at += partBytes) {
      const PartNumber = Parts.length + 1;
      const Body = await readPart(handle, at, Math.min(partBytes, size - at));
      const command = new UploadPartCommand({ ...place, PartNumber, Body });
      const { ETag } = await bucket.request(key, { signal, patience }, (client, options) =>
        client.send(command, options),
      );
      Parts.push({ PartNumber, ETag });
    }
    const complete = new CompleteMultipartUploadCommand({ ...place, MultipartUpload: { Parts } });
    await bucket.request(
      key,
      { signal, patience: PATIENCE_TO_COMPLETE },
      async (client, options) => {
        await client.send(complete, options).catch((error: unknown) => {
          // The request was repeated after its answer was lost: the parts are an object already.
          if (!isUnknownUpload(error)) throw error;
        });
      },
    );
  } catch (error) {
    // Its parts would take up space. The bucket's own rules delete what stays nevertheless.
    const abort = new AbortMultipartUploadCommand(place);
    await bucket
      .request(key, {}, (client, options) => client.send(abort, options))
      .catch(() => undefined);
    throw error;
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
