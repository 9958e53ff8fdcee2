/** Sorts files that were dropped or chosen together into batches. */
import path from 'node:path';
import { readBatchFile, type ReadFile } from './batch-file.ts';
import { isOfTable, isPictureName, pictureBatch } from './picture-folder.ts';

export interface DroppedBatch {
  /** Distinguishes it from others: the absolute path of its file, or of the folder of its pictures. */
  readonly path: string;
  /** @throws {BatchFileError} when it cannot be read */
  read(): Promise<ReadFile>;
}

/** Also looked in for the pictures of a table beside it. */
const MEDIA_FOLDER = 'Media';

/**
 * Tables and folders are a batch each, and so are the pictures of one folder. Pictures that are
 * dropped together with the table of their folder belong to it, and make no rows of their own; so do
 * its brands and its results.
 * @param paths absolute
 */
export function batchesOf(paths: readonly string[]): readonly DroppedBatch[] {
  const pictures = paths.filter(isPictureName);
  const files = paths.filter((file) => !isPictureName(file));
  const batches = files.filter((file) => !isOfTable(path.basename(file), files));
  const withBatch = new Set(batches.map((file) => path.dirname(file)));
  const others = files.filter(
    (file) => batches.includes(file) || !withBatch.has(path.dirname(file)),
  );
  const ofTables = new Set(
    others.flatMap((table) => {
      const folder = path.dirname(table);
      return [folder, path.join(folder, MEDIA_FOLDER)];
    }),
  );
  const loose = pictures.filter((file) => !ofTables.has(path.dirname(file)));
  const byFolder = Map.groupBy(loose, (file) => path.dirname(file));
  return [
    ...others.map((file) => ({ path: file, read: () => readBatchFile(file) })),
    ...Array.from(byFolder, ([folder, files]) => ({
      path: folder,
      read: () =>
        Promise.resolve(
          pictureBatch(
            folder,
            files.map((file) => path.basename(file)),
          ),
        ),
    })),
  ];
}
