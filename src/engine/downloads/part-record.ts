import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { z } from 'zod';

/**
 * A file that is being fetched lies beside its target as `<target>.part`, with what is known of
 * it in `<target>.part.json`. The record is beside the file, and not in the database, so that a
 * part can be resumed by any host that finds it, and so that both are lost or kept together. It
 * never holds the link.
 */
export const PART_SUFFIX = '.part';
const RECORD_SUFFIX = '.part.json';

/** Bytes that a part adds to a file name; names are cut to leave room for it. */
export const LONGEST_SUFFIX_BYTES = RECORD_SUFFIX.length + '.new'.length;

// Windows has no such flag, and lets only administrators create symbolic links.
export const NO_FOLLOW = (constants.O_NOFOLLOW as number | undefined) ?? 0;

const recordSchema = z.strictObject({
  version: z.literal(1),
  /** What the file is, whatever link led to it; `null` when nobody said. */
  video: z.string().nullable().default(null),
  /** Size of the whole file in bytes, once a server has told it. */
  total: z.int().nonnegative().nullable(),
  validator: z.strictObject({ etag: z.string().nullable(), lastModified: z.string().nullable() }),
  /** Bytes that are known to be on the disk itself: never more than were fsynced. */
  offset: z.int().nonnegative(),
  /** SHA-256 (hex) of those bytes, so that an edited or damaged part is noticed. */
  prefixSha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The file is whole and verified, and is being moved to its target. */
  isWhole: z.boolean(),
});

/** What is recorded of a part file. */
export type PartRecord = z.infer<typeof recordSchema>;

/** Reads what is recorded of the part beside `target`; anything but a valid record is none. */
export async function readRecord(target: string): Promise<PartRecord | undefined> {
  try {
    const file = await open(target + RECORD_SUFFIX, constants.O_RDONLY | NO_FOLLOW);
    try {
      const parsed = recordSchema.safeParse(JSON.parse(await file.readFile('utf8')));
      return parsed.success ? parsed.data : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** On disk, whole, when this resolves; before that, the record is as it was. */
export async function writeRecord(target: string, record: PartRecord): Promise<void> {
  const fresh = `${target}${RECORD_SUFFIX}.new`;
  await rm(fresh, { force: true });
  const file = await open(fresh, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify(record));
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(fresh, target + RECORD_SUFFIX);
}

/** Removes the part beside `target` and its record, as far as they are there. */
export async function discardPart(target: string): Promise<void> {
  for (const suffix of [PART_SUFFIX, RECORD_SUFFIX, `${RECORD_SUFFIX}.new`]) {
    await rm(target + suffix, { force: true });
  }
}
