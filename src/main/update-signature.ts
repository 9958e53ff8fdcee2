import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { safeParse } from '../contract/safe-parse.ts';

/** A file of an update. The library would run one with `isAdminRightsRequired` as administrator. */
const fileSchema = z.strictObject({
  url: z.string(),
  sha512: z.string(),
  /** Bytes, as `blockMapSize`. */
  size: z.int().min(0).optional(),
  blockMapSize: z.int().min(0).optional(),
});

/**
 * Everything that electron-builder writes for this app's packages. Other fields would be for the
 * library too, such as `packages`, from which it would take an installer.
 */
const updateSchema = z.strictObject({
  version: z.string(),
  files: z.array(fileSchema).min(1),
  /** Of one of the files, for older versions of the library. */
  path: z.string().optional(),
  sha512: z.string().optional(),
  releaseDate: z.string().optional(),
  signature: z.string().optional(),
});

export type UpdateDescription = z.infer<typeof updateSchema>;

/** The channels of electron-builder. */
export type UpdateChannel = 'latest' | 'beta' | 'alpha';

/**
 * The name of a channel's file for a system, by which electron-updater requests it: on Linux one for
 * each architecture, elsewhere one for all, whose files name theirs.
 */
export function channelFileName(
  channel: UpdateChannel,
  platform: NodeJS.Platform,
  arch: string,
): string {
  switch (platform) {
    case 'win32':
      return `${channel}.yml`;
    case 'darwin':
      return `${channel}-mac.yml`;
    default:
      return `${channel}-linux${arch === 'x64' ? '' : `-${arch}`}.yml`;
  }
}

/** The update has no valid signature of this app's publisher. */
export class UntrustedUpdateError extends Error {
  readonly code = 'untrusted-update';

  constructor(message: string) {
    super(message);
    this.name = 'UntrustedUpdateError';
  }
}

/**
 * The description of an update.
 *
 * @param update a parsed channel file
 * @throws {UntrustedUpdateError} when it has fields that this app's publisher does not use
 */
export function parseUpdate(update: unknown): UpdateDescription {
  const parsed = safeParse(updateSchema, update);
  if (!parsed.success) throw new UntrustedUpdateError('The update is not described as expected.');
  const { path, sha512, files } = parsed.data;
  const isNamed = files.some((file) => file.url === path && file.sha512 === sha512);
  if ((path !== undefined || sha512 !== undefined) && !isNamed) {
    throw new UntrustedUpdateError('The update names a file that it does not describe.');
  }
  return parsed.data;
}

/**
 * The bytes that a publisher signs.
 *
 * @param fileName of the channel file (`channelFileName`), so that no other channel's, system's or
 *   architecture's description is valid in its place
 */
export function signedBytes(fileName: string, { version, files }: UpdateDescription): Buffer {
  const described = files.map(({ url, sha512, size = null, blockMapSize = null }) => [
    url,
    sha512,
    size,
    blockMapSize,
  ]);
  return Buffer.from(JSON.stringify(['spool update', fileName, version, ...described]));
}

/**
 * Checks that the publisher signed an update. electron-builder's channel files contain a hash, but
 * are in the same folder as the file: the hash proves an intact download, not its author. Only
 * Windows and macOS check a program's publisher.
 *
 * @param update a parsed channel file, with `signature` added at packaging
 * @param fileName of the channel file that was requested
 * @param publicKey Ed25519, SPKI in base64, from the build; without it, no update is trusted
 * @throws {UntrustedUpdateError}
 */
export function checkUpdateSignature(
  update: unknown,
  fileName: string,
  publicKey: string | undefined,
): void {
  if (publicKey === undefined) {
    throw new UntrustedUpdateError('This build has no key to check updates with.');
  }
  const description = parseUpdate(update);
  const { signature, version } = description;
  if (signature === undefined) throw new UntrustedUpdateError('The update is not signed.');
  const key = createPublicKey({
    key: Buffer.from(publicKey, 'base64'),
    format: 'der',
    type: 'spki',
  });
  const bytes = signedBytes(fileName, description);
  if (!verify(null, bytes, key, Buffer.from(signature, 'base64'))) {
    throw new UntrustedUpdateError(
      `Version ${version.slice(0, 40)} is not signed by the publisher of this one, or not for this app.`,
    );
  }
}
