import { rm } from 'node:fs/promises';
import path from 'node:path';
import { userMessage } from '../../contract/user-message.ts';
import { makeFolder } from '../files/make-folder.ts';
import { syncFolder } from '../files/replace-file.ts';
import { codeOf } from '../error-codes.ts';
import { failed, refusedByDisk } from './download-failures.ts';
import { withNumber } from './file-name.ts';
import { PartFile } from './part-file.ts';
import type { PartLock } from './part-locks.ts';
import { discardPart, readRecord } from './part-record.ts';
import { exists, isPlaceholder, moveIntoPlace, TargetExistsError } from './place.ts';
import type { DownloadDeps, DownloadOutcome, DownloadRequest, SavedOutcome } from './request.ts';
import { Transfer } from './transfer.ts';
import { verifyFile } from './verify.ts';

/**
 * Downloads one file, so that the target is either whole or absent. A part that an earlier run left
 * beside the target is resumed. Resolves for every expected outcome; rejects only for a defect.
 */
export async function download(
  request: DownloadRequest,
  deps: DownloadDeps,
): Promise<DownloadOutcome> {
  const { signal } = request;
  try {
    signal.throwIfAborted();
    await makeFolder(path.dirname(request.target));
    const settled = await settleTarget(request, deps);
    if ('kind' in settled) return settled;
    try {
      return await downloadTo(settled.target, request, deps);
    } finally {
      await settled.lock.release();
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'paused', receivedBytes: 0 };
    const code = codeOf(error);
    if (code === undefined) throw error;
    return refusedByDisk(code, null);
  }
}

async function downloadTo(
  target: string,
  request: DownloadRequest,
  deps: DownloadDeps,
): Promise<DownloadOutcome> {
  const part = await PartFile.open(target, request.video ?? null);
  const transfer = new Transfer(part, target, request, deps);
  const outcome = await transfer.run();
  if (outcome.kind !== 'whole') return outcome;
  const place = await placeFile(target, request, deps);
  if (place.kind === 'skipped') return place;
  return conclude({ ...outcome, kind: 'saved', path: place.path }, target, request);
}

/** @param settled the target that the record is beside */
async function conclude(
  saved: SavedOutcome,
  settled: string,
  { onSaved }: DownloadRequest,
): Promise<SavedOutcome> {
  await onSaved?.(saved);
  await discardPart(settled);
  return saved;
}

type Placed =
  | { readonly kind: 'placed'; readonly path: string }
  | Extract<DownloadOutcome, { kind: 'skipped' }>;

/** Moves the part to its target, or to the next free name if the target was created meanwhile. */
async function placeFile(
  settled: string,
  request: DownloadRequest,
  deps: DownloadDeps,
): Promise<Placed> {
  if (await isMoved(settled, settled, request, deps)) return { kind: 'placed', path: settled };
  if (request.onCollision === 'skip') {
    await discardPart(settled);
    return { kind: 'skipped', path: settled };
  }
  const { dir, base } = path.parse(request.target);
  for (let number = 1; ; number += 1) {
    const target = path.join(dir, withNumber(base, number));
    // Without its lock, the name may be the target of another download.
    const lock = await deps.locks.take(target, deps.clock);
    if (!lock) continue;
    try {
      const isFree = !(await exists(target));
      if (isFree && (await isMoved(settled, target, request, deps)))
        return { kind: 'placed', path: target };
    } finally {
      await lock.release();
    }
  }
}

/** Moves the part beside `settled` to a target; `false` when that exists and is not replaced. */
async function isMoved(
  settled: string,
  target: string,
  { onCollision, signal }: DownloadRequest,
  { clock }: DownloadDeps,
): Promise<boolean> {
  try {
    const replace = onCollision === 'replace';
    await moveIntoPlace(PartFile.pathFor(settled), target, replace, clock, signal);
    return true;
  } catch (error) {
    if (error instanceof TargetExistsError) return false;
    throw error;
  }
}

/** A target whose part no other transfer writes. */
interface Settled {
  readonly target: string;
  readonly lock: PartLock;
}

/** Where to download to, or the outcome of a download that cannot begin. */
async function settleTarget(
  request: DownloadRequest,
  { clock, locks }: DownloadDeps,
): Promise<Settled | DownloadOutcome> {
  const { dir, base } = path.parse(request.target);
  for (let number = 1; ; number += 1) {
    const target = path.join(dir, withNumber(base, number));
    const lock = await locks.take(target, clock);
    if (lock) {
      const outcome = await outcomeAt(target, request);
      if (outcome === 'free') return { target, lock };
      await lock.release();
      if (outcome !== 'taken') return outcome;
    } else if (request.onCollision !== 'number') {
      return failed('target-busy', userMessage('target-busy'));
    }
  }
}

/**
 * The outcome for this target; `free` when the download can begin, `taken` when it needs another
 * name.
 */
async function outcomeAt(
  target: string,
  request: DownloadRequest,
): Promise<DownloadOutcome | 'free' | 'taken'> {
  const { onCollision, video, signal } = request;
  if (!(await exists(target)) || (await removePlaceholder(target))) return 'free';
  const saved = await finishedBefore(target, video ?? null, signal);
  if (saved) return conclude(saved, target, request);
  switch (onCollision) {
    case 'replace':
      return 'free';
    case 'skip':
      return { kind: 'skipped', path: target };
    case 'number':
      return 'taken';
  }
}

/**
 * Removes the placeholder of a run that was killed before it moved its file there (`place.ts`). Only
 * beside a whole part that waits for that move: an empty file anywhere else may be the user's.
 */
async function removePlaceholder(target: string): Promise<boolean> {
  const record = await readRecord(target);
  if (!record?.isWhole || !(await exists(PartFile.pathFor(target)))) return false;
  if (!(await isPlaceholder(target))) return false;
  await rm(target);
  return true;
}

/** A run that was killed between moving the file and deleting its record had succeeded. */
async function finishedBefore(
  target: string,
  video: string | null,
  signal: AbortSignal,
): Promise<SavedOutcome | undefined> {
  const record = await readRecord(target);
  if (!record?.isWhole || record.video !== video) return undefined;
  const expected = { bytes: record.offset, sha256: record.prefixSha256 };
  const verification = await verifyFile(target, expected, signal);
  if (verification.kind !== 'intact') return undefined;
  // That run may have been killed before it made the new name durable.
  await syncFolder(path.dirname(target));
  const { bytes, sha256, durationSeconds } = verification;
  return { kind: 'saved', path: target, bytes, sha256, durationSeconds, refetchedBytes: 0 };
}
