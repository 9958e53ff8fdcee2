import { open, rm, type FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf } from '../error-codes.ts';
import { renameOver, type RenamingSystem } from '../files/replace-file.ts';
import { clearName, MAX_ATTEMPTS } from './own-file.ts';
import { PART_SUFFIX, RECORD_SUFFIX, UNFINISHED_SUFFIX } from './file-name.ts';
import { readPlainText } from './safe-open.ts';

/** A record has a few hundred bytes; this leaves room for long identifiers. */
const MAX_RECORD_BYTES = 64 * 1024;

/** How a record begins, to distinguish an unfinished record of ours from another program's file. */
const BEGINNING = '{"version":1,';

const recordSchema = z.strictObject({
  version: z.literal(1),
  /** Identifies the file, whatever link led to it; `null` when unknown. */
  video: z.string().nullable().default(null),
  /** Size of the whole file in bytes, once a server has sent it. */
  total: z.int().nonnegative().nullable(),
  validator: z.strictObject({ etag: z.string().nullable(), lastModified: z.string().nullable() }),
  /** Bytes that are known to be on the disk: never more than were synced. */
  offset: z.int().nonnegative(),
  /** SHA-256 (hex) of those bytes, so that an edited or damaged part is noticed. */
  prefixSha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The file is whole and verified, and is being moved to its target. */
  isWhole: z.boolean(),
});

export type PartRecord = z.infer<typeof recordSchema>;

/** Reads the record of the part beside `target`; an invalid record counts as none. */
export async function readRecord(target: string): Promise<PartRecord | undefined> {
  try {
    const text = await readPlainText(target + RECORD_SUFFIX, MAX_RECORD_BYTES);
    return text === undefined ? undefined : recordSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the record. After a power cut the previous one may be there, which states fewer bytes;
 * it is never incomplete.
 */
export async function writeRecord(
  target: string,
  record: PartRecord,
  system?: RenamingSystem,
): Promise<void> {
  const file = await openUnfinished(target);
  try {
    await file.writeFile(JSON.stringify(record));
    await file.datasync();
  } finally {
    await file.close();
  }
  await renameOver(target + UNFINISHED_SUFFIX, target + RECORD_SUFFIX, system);
}

/** Removes the part beside `target` and its record, as far as they are there. */
export async function discardPart(target: string): Promise<void> {
  for (const suffix of [PART_SUFFIX, RECORD_SUFFIX]) await rm(target + suffix, { force: true });
  if (await isUnfinishedRecord(target)) await rm(target + UNFINISHED_SUFFIX, { force: true });
}

/**
 * Removes the record beside a saved file, which a stop may have left there. Other files are not
 * touched.
 * @param video whose file it is
 */
export async function discardLeftRecord(target: string, video: string): Promise<void> {
  const record = await readRecord(target);
  if (record?.isWhole && record.video === video) await rm(target + RECORD_SUFFIX, { force: true });
}

/** Another program's file with this name is renamed and keeps its content. */
async function openUnfinished(target: string): Promise<FileHandle> {
  const path = target + UNFINISHED_SUFFIX;
  for (let attempt = 1; ; attempt += 1) {
    if (await isUnfinishedRecord(target)) await rm(path, { force: true });
    else await clearName(path);
    try {
      return await open(path, 'wx', 0o600);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function isUnfinishedRecord(target: string): Promise<boolean> {
  const path = target + UNFINISHED_SUFFIX;
  const text = await readPlainText(path, MAX_RECORD_BYTES).catch(() => undefined);
  if (text === undefined) return false;
  return text.startsWith(BEGINNING) || BEGINNING.startsWith(text);
}
