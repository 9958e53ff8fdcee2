import { hash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Store } from '../../src/engine/jobs/store.ts';
import { addBatch, aRow } from './filled-store.ts';
import { seededVideo } from './seeded-video.ts';

/** A video that was saved, and the row that it came from. */
export interface SavedVideo {
  /** Inside the batch's folder, with `/` between its parts. */
  readonly file: string;
  readonly title?: string;
  readonly cells?: Readonly<Record<string, string>>;
}

const BYTES = 2048;
let made = 0;

/**
 * Adds videos to a store and to the disk, as after a download, each with different bytes.
 * @param folder absolute path of the folder of their one batch
 * @returns their jobs' ids
 */
export function saveVideos(
  store: Store,
  folder: string,
  videos: readonly SavedVideo[],
  batchName = 'Batch',
): number[] {
  const batch = addBatch(store, { name: batchName, folder, nameTemplate: '{title}.mp4' });
  return store.transactions.write(() => {
    const ids = store.jobs.insert(
      batch.id,
      videos.map(({ file, title = file, cells = {} }, index) =>
        aRow(title, {
          row: index + 2,
          bodySha256: hash('sha256', `${batch.id} ${index}`),
          values: Object.entries(cells),
          fileName: file,
          state: 'ready',
          remoteId: `video-${batch.id}-${index}`,
        }),
      ),
      0,
    );
    videos.forEach(({ file }, index) => {
      const id = ids[index] ?? 0;
      const filePath = path.join(folder, file);
      made += 1;
      const { bytes, sha256 } = seededVideo(made, BYTES);
      mkdirSync(path.dirname(filePath), { recursive: true });
      writeFileSync(filePath, bytes, { flag: 'wx' });
      store.jobs.move(id, 'download', 0);
      store.jobs.move(id, 'verify', 0);
      store.jobs.move(id, 'save', 0, {
        filePath,
        fileBytes: BYTES,
        fileSha256: sha256,
        savedAt: 0,
      });
    });
    return ids;
  });
}

/** Every file below a folder: maps its path in there, with `/`, to the SHA-256 of its bytes. */
export function filesBelow(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => lstatSync(path.join(folder, name)).isFile());
  return new Map(
    files.map((name) => [
      name.split(path.sep).join('/'),
      hash('sha256', readFileSync(path.join(folder, name))),
    ]),
  );
}
