/** Turns a folder of pictures into a batch. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';

interface PictureBatch {
  readonly name: string;
  readonly bytes: Buffer<ArrayBuffer>;
  /** Absolute. */
  readonly folder: string;
}

/** Names of pictures, also in formats that are not sent, so that their rows say so. */
const PICTURE = /\.(?:png|jpe?g|webp|heic|heif|avif|gif|tiff?|bmp|svg)$/i;

/**
 * The pictures of a folder as a batch: a row for each, with its name as the title, in the order in
 * which people sort them: 2 before 10. Folders inside it are left out.
 * @param folder absolute
 * @returns `null` for a folder without pictures
 * @throws the file system's error
 */
export async function pictureFolder(folder: string): Promise<PictureBatch | null> {
  const entries = await readdir(folder, { withFileTypes: true });
  const order = new Intl.Collator(undefined, { numeric: true });
  const names = entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => PICTURE.test(name))
    .sort((one, other) => order.compare(one, other));
  if (names.length === 0) return null;
  const rows = names.map((picture) => ({ title: titleOf(picture), picture }));
  return {
    name: `${path.basename(folder)}.json`,
    bytes: Buffer.from(JSON.stringify(rows)),
    folder,
  };
}

/** `Red boat` for `Red_boat.jpg`. */
function titleOf(name: string): string {
  const { name: title } = path.parse(name);
  return title.replaceAll('_', ' ').trim() || title;
}
