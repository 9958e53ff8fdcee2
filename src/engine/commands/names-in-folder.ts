import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { userMessage } from '../../contract/user-message.ts';
import { hasInvisible } from '../../contract/visible-text.ts';
import { nameBelow, settleNames, type WantedName, type SettledName } from '../downloads/naming.ts';
import type { Collision } from '../../contract/batch.ts';
import { EngineError } from '../engine-error.ts';
import { isMissing } from '../error-codes.ts';
import { isSamePath, pathInside } from '../files/path-inside.ts';
import type { BatchRow } from '../jobs/batch-store.ts';
import type { JobFiles } from '../jobs/job-files.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';

/** @throws {EngineError} for a template of names that contains invisible characters */
export function assertVisible(nameTemplate: string): void {
  if (!hasInvisible(nameTemplate)) return;
  throw new EngineError({ code: 'value-invalid', ...userMessage('name-template-invisible') });
}

/** The jobs that need a name, and what their batch does about names that exist already. */
export interface NamesWanted {
  /** Absolute path of the batch's folder. */
  readonly folder: string;
  readonly names: readonly WantedName[];
  readonly onCollision: Collision;
  /** Jobs that want one of these names and give up their present one. */
  readonly givenUpBy: readonly number[];
  /** Names in the folder that were chosen a moment ago and are not stored yet. */
  readonly reserved?: readonly string[];
}

/**
 * Chooses a name for each job that no other job and, unless files are replaced, no file has.
 *
 * The names of jobs are read last. No other job gets one of them if the caller stores the result
 * before it awaits anything else, or runs everything that chooses names in one `Serial`.
 */
export async function settleInFolder(
  { folder, names, onCollision, givenUpBy, reserved = [] }: NamesWanted,
  files: Pick<JobFiles, 'namesIn'>,
): Promise<ReadonlyMap<string, SettledName>> {
  const listed = await namesOnDisk(
    folder,
    names.map(({ name }) => name),
  );
  // If a folder cannot be read, no name counts as taken.
  const onDisk = [...listed.values()].flatMap((names) => names ?? []);
  const taken = { ofJobs: [...files.namesIn(folder, givenUpBy), ...reserved], onDisk };
  return new Map(settleNames(names, onCollision, taken).map((name) => [name.id, name]));
}

/**
 * The same for jobs of several batches, which give up their present names; by job id. The names of
 * one batch are in the order of its jobs.
 */
export async function settleNamesOf(
  wanted: readonly { readonly job: JobRow; readonly name: string }[],
  { batches, files }: Pick<Store, 'batches' | 'files'>,
  collisionOf: (batch: BatchRow) => Collision = (batch) => batch.onCollision,
): Promise<ReadonlyMap<number, SettledName>> {
  const settled = new Map<number, SettledName>();
  const chosenIn = new Map<string, readonly string[]>();
  for (const [batchId, ofBatch] of Map.groupBy(wanted, ({ job }) => job.batchId)) {
    const batch = batches.get(batchId);
    const { folder } = batch;
    const onCollision = collisionOf(batch);
    const named = ofBatch.map(({ job, name }) => ({ id: String(job.id), name }));
    const givenUpBy = ofBatch.map(({ job }) => job.id);
    const reserved = [...chosenIn].flatMap(([other, names]) => namesSeenFrom(folder, other, names));
    const names = await settleInFolder(
      { folder, names: named, onCollision, givenUpBy, reserved },
      files,
    );
    for (const [id, name] of names) settled.set(Number(id), name);
    const chosen = [...names.values()].map(({ name }) => name);
    chosenIn.set(folder, [...(chosenIn.get(folder) ?? []), ...chosen]);
  }
  return settled;
}

/** Names in another batch's folder, relative to this one; none if neither contains the other. */
function namesSeenFrom(folder: string, other: string, names: readonly string[]): readonly string[] {
  // Most batches share a folder, and 100,000 names take a second to be written in another way.
  if (folder === other) return names;
  const isNested = pathInside(folder, other) !== null || pathInside(other, folder) !== null;
  return isNested || isSamePath(folder, other)
    ? names.map((name) => nameBelow(folder, path.join(other, name)))
    : [];
}

/**
 * Lists the folders that these names lead to.
 * @param folder absolute
 * @param names relative to it, with `/` between their parts
 * @returns names relative to `folder`, by the folder they are in; `null` for one that cannot be
 *   read
 */
export async function namesOnDisk(
  folder: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[] | null>> {
  const found = new Map<string, readonly string[] | null>();
  for (const below of new Set(names.map((name) => path.posix.dirname(name)))) {
    found.set(below, await namesIn(folder, below));
  }
  return found;
}

async function namesIn(folder: string, below: string): Promise<readonly string[] | null> {
  try {
    const files = await readdir(path.join(folder, below));
    return files.map((file) => path.posix.join(below, file));
  } catch (error) {
    return isMissing(error) ? [] : null;
  }
}
