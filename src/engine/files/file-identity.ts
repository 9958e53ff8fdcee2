/**
 * Tells whether two paths, or one path at two times, are the same file or folder. A name does not
 * tell that: a file that was restored from a backup has the name of the one that it replaced.
 */
import { statSync } from 'node:fs';
import { z } from 'zod';

/** Decimal numbers as text, because they have up to 64 bits. */
export const fileIdentitySchema = z.object({
  /**
   * Of the file system, until it is mounted again: another USB port or another start of the computer
   * may give it another one.
   */
  device: z.string(),
  inode: z.string(),
  /** Nanoseconds since the epoch; `null` where the file system does not say. */
  birth: z.string().nullable(),
});

export type FileIdentity = Readonly<z.infer<typeof fileIdentitySchema>>;

/** @throws the file system's error, such as `ENOENT` */
export function identityOf(path: string): FileIdentity {
  const { dev, ino, birthtimeNs, ctimeNs } = statSync(path, { bigint: true });
  // Without a time of birth, Node reports zero or the time of the last change. That is the time of
  // birth as well for a file that has not changed since, whose identity is then only less exact.
  const isKnown = birthtimeNs > 0n && birthtimeNs < ctimeNs;
  return {
    device: String(dev),
    inode: String(ino),
    birth: isKnown ? String(birthtimeNs) : null,
  };
}

/** While both are mounted as they are now: two running processes can compare what they see. */
export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.device === other.device && isSameFileLater(one, other);
}

/**
 * Compares an identity that was stored, perhaps before the file system was mounted again. File
 * systems give the inode number of a removed file to a new one, but not its time of birth.
 */
export function isSameFileLater(one: FileIdentity, other: FileIdentity): boolean {
  const isBirthKnown = one.birth !== null && other.birth !== null;
  return one.inode === other.inode && (!isBirthKnown || one.birth === other.birth);
}
