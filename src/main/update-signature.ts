import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { safeParse } from '../contract/safe-parse.ts';

/**
 * The fields that electron-updater uses: it compares the version with the app's, and the hash with
 * that of the downloaded file. The rest of a channel file can only delay an update.
 */
const updateSchema = z.object({
  version: z.string(),
  files: z.array(z.object({ url: z.string(), sha512: z.string() })).min(1),
});

const signedUpdateSchema = updateSchema.extend({ signature: z.string().optional() });

export type SignedUpdate = z.infer<typeof updateSchema>;

/** The update has no valid signature of this app's publisher. */
export class UntrustedUpdateError extends Error {
  readonly code = 'untrusted-update';

  constructor(message: string) {
    super(message);
    this.name = 'UntrustedUpdateError';
  }
}

/** The bytes that a publisher signs. */
export function signedBytes({ version, files }: SignedUpdate): Buffer {
  const hashes = files.map(({ url, sha512 }) => [url, sha512]);
  return Buffer.from(JSON.stringify(['spool update', version, ...hashes]));
}

/**
 * Checks that the publisher signed an update. electron-builder's channel files contain a hash, but
 * are in the same folder as the file: the hash proves an intact download, not its author. Only
 * Windows and macOS check a program's publisher.
 *
 * @param update a parsed channel file, with `signature` added at packaging
 * @param publicKey Ed25519, SPKI in base64, from the build; without it, no update is trusted
 * @throws {UntrustedUpdateError}
 */
export function checkUpdateSignature(update: unknown, publicKey: string | undefined): void {
  if (publicKey === undefined) {
    throw new UntrustedUpdateError('This build has no key to check updates with.');
  }
  const signed = safeParse(signedUpdateSchema, update);
  if (!signed.success) throw new UntrustedUpdateError('The update is not described as expected.');
  const { signature, ...content } = signed.data;
  if (signature === undefined) throw new UntrustedUpdateError('The update is not signed.');
  const key = createPublicKey({
    key: Buffer.from(publicKey, 'base64'),
    format: 'der',
    type: 'spki',
  });
  if (!verify(null, signedBytes(content), key, Buffer.from(signature, 'base64'))) {
    throw new UntrustedUpdateError(
      `Version ${content.version.slice(0, 40)} is not signed by the publisher of this one.`,
    );
  }
}
