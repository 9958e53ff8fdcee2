import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';

/**
 * The fields that electron-updater uses: it compares the version with the app's, and the hash with
 * that of the downloaded file. The rest of a channel file can only delay an update.
 */
const updateSchema = z.object({
  version: z.string(),
  files: z.array(z.object({ url: z.string(), sha512: z.string() })).min(1),
});

export type SignedUpdate = z.infer<typeof updateSchema>;

/** An update that cannot be shown to come from the publisher of this app. */
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
 * Checks that the publisher signed an update. The hash of a file in the same folder as the file, as
 * electron-builder's channel files have it, shows that it arrived whole, not who made it; and only
 * Windows and macOS check the publisher of a program.
 *
 * @param update a channel file as it was read, with `signature` added at packaging
 * @param publicKey Ed25519, SPKI in base64, from the build; without it, no update is trusted
 * @throws {UntrustedUpdateError}
 */
export function checkUpdateSignature(update: unknown, publicKey: string | undefined): void {
  if (publicKey === undefined) {
    throw new UntrustedUpdateError('This build has no key to check updates with.');
  }
  const signed = updateSchema.extend({ signature: z.string().optional() }).safeParse(update);
  if (!signed.success) throw new UntrustedUpdateError('The update is not described as expected.');
  const { signature, ...content } = signed.data;
  if (signature === undefined) throw new UntrustedUpdateError('The update is not signed.');
  const key = createPublicKey({
    ...{ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' },
  });
  if (!verify(null, signedBytes(content), key, Buffer.from(signature, 'base64'))) {
    throw new UntrustedUpdateError(
      `Version ${content.version.slice(0, 40)} is not signed by the publisher of this one.`,
    );
  }
}
