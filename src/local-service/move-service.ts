import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { ExportedData } from './exported-data.ts';
import { acquireServiceLock } from './service-lock.ts';
import type { ImportResult } from './postgres/postgres-import.ts';
import { openSqliteExport, requireServiceFolder } from './sqlite/sqlite-export.ts';
import type { Blobs } from './storage/blobs.ts';
import { copyIntoStore, type FileToCopy } from './storage/copy-files.ts';
import { FolderBlobs } from './storage/folder-blobs.ts';
import { type FileKind, VideoFiles } from './videos/video-files.ts';
import { WORK_FOLDER } from './videos/work-folder.ts';

/** The shared database that the data is copied to. */
export interface MoveTarget {
  /** @throws {DomainError} `DATABASE_NOT_EMPTY` */
  requireEmpty(): Promise<void>;
  /** Stores all rows or none. */
  import(source: ExportedData): Promise<ImportResult>;
}

export interface MoveResult extends ImportResult {
  /** Number of copied files, of videos and images. */
  readonly files: number;
  /** Keys of files that were skipped because they are missing or damaged in the folder. */
  readonly missing: readonly string[];
}

const videoRow = z.object({
  id: z.string(),
  state: z.string(),
  attempt: z.int(),
  sha256: z.string().nullable(),
  files_removed: z.int(),
});
const imageRow = z.object({ id: z.string(), sha256: z.string() });
const kinds: readonly FileKind[] = ['poster', 'video'];

/**
 * Copies the data and files of an embedded service to a service on several computers. Deletes
 * nothing from the folder. Copies the files first: after an interruption the database is still
 * empty, and a second call copies all files again.
 *
 * @throws {DomainError} when the folder cannot be read, its service runs, or the database is in use
 */
export async function moveService(
  dataDir: string,
  blobs: Blobs,
  target: MoveTarget,
): Promise<MoveResult> {
  requireServiceFolder(dataDir);
  using _lock = acquireServiceLock(dataDir, 0);
  await target.requireEmpty();
  using source = openSqliteExport(dataDir);
  const workFolder = path.join(dataDir, 'videos', WORK_FOLDER);
  mkdirSync(workFolder, { recursive: true, mode: 0o700 });
  const missing: string[] = [];
  let files = 0;
  for await (const file of filesOf(source, dataDir, workFolder)) {
    // If a kill leaves this temporary file, the next start of the service deletes it.
    if (await copyIntoStore(file, blobs, path.join(workFolder, 'moving'))) files += 1;
    else missing.push(file.key);
  }
  return { ...(await target.import(source)), files, missing };
}

async function* filesOf(
  source: ExportedData,
  dataDir: string,
  workFolder: string,
): AsyncIterable<FileToCopy> {
  const blobs = new FolderBlobs(path.join(dataDir, 'videos'));
  const videos = new VideoFiles(blobs, workFolder);
  for (const row of source.rows('video')) {
    const { id, state, attempt, sha256, files_removed: removed } = videoRow.parse(row);
    if (state !== 'done' || removed !== 0) continue;
    for (const kind of kinds) {
      const found = await videos.stat({ id, kind, attempt });
      const key = found?.key ?? `${id}/${attempt} (${kind})`;
      const expected = kind === 'video' ? (sha256 ?? undefined) : undefined;
      yield { key, file: blobs.localPath(found?.key ?? `${id}/missing`), sha256: expected };
    }
  }
  const images = path.join(dataDir, 'images');
  for (const row of source.rows('image')) {
    const { id, sha256 } = imageRow.parse(row);
    yield { key: id, file: path.join(images, id), sha256 };
  }
}
