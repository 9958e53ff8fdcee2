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
/**
 * Usual size of a part, which is read into memory. S3's minimum is 5 MiB, except for the last part.
 */
const PART_BYTES = 8 * MIB;
/** S3's limit for one object. */
const MAX_PARTS = 10_000;
/** Amazon's servers may take minutes to combine 10,000 parts. */
const COMPLETE_IDLE_FACTOR = 10;

/** The metadata key of a blob's SHA-256. */
export const SHA256 = 'sha256';

/** The size of all parts except the last one: more than 8 MiB for files from 78 GiB on. */
export function partBytesOf(size: number): number {
  return Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS / MIB) * MIB);
}

/**
 * Uploads a file in one request, or a large one in parts: a part that fails is sent again without
 * the others. The hashes of parts are signed. A failed upload deletes its parts, unless the store
 * is unavailable. Does not check what the store has afterwards.
 */
export async function upload(
  bucket: S3Bucket,
  { key, file, sha256 }: NewBlob & { readonly sha256: string },
  signal?: AbortSignal,
): Promise<void> {
  await using handle = await open(file, 'r');
  const { size } = await handle.stat();
  const target = { ...bucket.objectOf(key), Metadata: { [SHA256]: sha256 } };
  if (size <= PART_BYTES) {
    const command = new PutObjectCommand({ ...target, Body: await readPart(handle, 0, size) });
    await bucket.request(key, { signal }, (client, options) => client.send(command, options));
    return;
  }
  const create = new CreateMultipartUploadCommand(target);
  const { UploadId } = await bucket.request(key, { signal }, (client, options) =>
    client.send(create, options),
  );
  const uploadTarget = { ...bucket.objectOf(key), UploadId };
  try {
    const partBytes = partBytesOf(size);
    const idleFactor = partBytes / PART_BYTES;
    const Parts: CompletedPart[] = [];
    for (let at = 0; at < size; at += partBytes) {
      const PartNumber = Parts.length + 1;
      const Body = await readPart(handle, at, Math.min(partBytes, size - at));
      const command = new UploadPartCommand({ ...uploadTarget, PartNumber, Body });
      const { ETag } = await bucket.request(key, { signal, idleFactor }, (client, options) =>
        client.send(command, options),
      );
      Parts.push({ PartNumber, ETag });
    }
    const complete = new CompleteMultipartUploadCommand({
      ...uploadTarget,
      MultipartUpload: { Parts },
    });
    await bucket.request(
      key,
      { signal, idleFactor: COMPLETE_IDLE_FACTOR },
      async (client, options) => {
        await client.send(complete, options).catch((error: unknown) => {
          // The SDK repeated the request after its response was lost: the upload is already
          // complete.
          if (!isUnknownUpload(error)) throw error;
        });
      },
    );
  } catch (error) {
    // Frees the space of the parts. If this fails, the bucket's lifecycle rules have to delete
    // them.
    const abort = new AbortMultipartUploadCommand(uploadTarget);
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
