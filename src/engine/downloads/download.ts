import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { withNumber } from './file-name.ts';
import { discardPart, PartFile, readRecord } from './part-file.ts';
import { codeOf, exists, freeName, moveIntoPlace, TargetExistsError } from './place.ts';
import type { DownloadDeps, DownloadOutcome, DownloadRequest } from './request.ts';
import { refusedByDisk } from './retry.ts';
import { Transfer } from './transfer.ts';
import { verifyFile } from './verify.ts';

/**
 * Fetches one file so that what lies at the target is whole, or nothing lies there. A part that
 * an earlier run left beside the target is resumed. Resolves for every expected end; rejects only
 * for a defect.
 */
export async function download(
  request: DownloadRequest,
  deps: DownloadDeps,
): Promise<DownloadOutcome> {
  const { signal } = request;
  try {
    signal.throwIfAborted();
    await makeFolder(path.dirname(request.target));
    const settled = await settleTarget(request);
    if (typeof settled !== 'string') return settled;
    return await downloadTo(settled, request, deps);
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
  const transfer = new Transfer(await PartFile.open(target), target, request, deps);
  const outcome = await transfer.run();
  if (outcome.kind !== 'whole') return outcome;
  const place = await placeFile(target, request, deps);
  return place.kind === 'skipped' ? place : { ...outcome, kind: 'saved', path: place.path };
}

type Placed =
  | { readonly kind: 'placed'; readonly path: string }
  | Extract<DownloadOutcome, { kind: 'skipped' }>;

/** Moves the part to its target, or to the next free name if the target was taken meanwhile. */
async function placeFile(
  settled: string,
  request: DownloadRequest,
  { clock }: DownloadDeps,
): Promise<Placed> {
  const part = PartFile.pathFor(settled);
  const replace = request.onCollision === 'replace';
  for (let target = settled; ; target = await freeName(request.target)) {
    try {
      await moveIntoPlace(part, target, replace, clock, request.signal);
      await discardPart(settled);
      return { kind: 'placed', path: target };
    } catch (error) {
      if (!(error instanceof TargetExistsError)) throw error;
      if (request.onCollision === 'skip') {
        await discardPart(settled);
        return { kind: 'skipped', path: target };
      }
    }
  }
}

/** The path to download to, or how the download ends without a byte. */
async function settleTarget(request: DownloadRequest): Promise<string | DownloadOutcome> {
  const { dir, base } = path.parse(request.target);
  for (let number = 1; ; number += 1) {
    const candidate = path.join(dir, withNumber(base, number));
    if (!(await exists(candidate)) || (await isPlaceholder(candidate))) return candidate;
    const saved = await finishedBefore(candidate, request.signal);
    if (saved) return saved;
    switch (request.onCollision) {
      case 'replace':
        return candidate;
      case 'skip':
        return { kind: 'skipped', path: candidate };
      case 'number':
    }
  }
}

/**
 * Whether a run was killed when it had only taken the name (`place.ts`). Of a whole file beside an
 * empty one the empty one is ours: it goes.
 */
async function isPlaceholder(target: string): Promise<boolean> {
  const record = await readRecord(target);
  if (!record?.isWhole) return false;
  const stats = await lstat(target);
  if (!stats.isFile() || stats.size > 0 || !(await exists(PartFile.pathFor(target)))) return false;
  await rm(target);
  return true;
}

/** A run that was killed between moving the file and cleaning up had succeeded. */
async function finishedBefore(
  target: string,
  signal: AbortSignal,
): Promise<DownloadOutcome | undefined> {
  const record = await readRecord(target);
  if (!record?.isWhole) return undefined;
  const expected = { bytes: record.offset, sha256: record.prefixSha256 };
  const verification = await verifyFile({ path: target, expected }, signal);
  if (verification.kind !== 'intact') return undefined;
  await discardPart(target);
  const { bytes, sha256, durationSeconds } = verification;
  return { kind: 'saved', path: target, bytes, sha256, durationSeconds, refetchedBytes: 0 };
}
