/** Turns pictures of one folder into a batch. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { RESULTS_ENDING, TABLE_EXTENSIONS } from '../contract/table-extensions.ts';
import { isBrandTable } from '../engine/intake/brands.ts';

interface PictureBatch {
  readonly name: string;
  readonly bytes: Buffer<ArrayBuffer>;
  /** Absolute. */
  readonly folder: string;
}

/** The files of a folder that make a batch. */
export interface FolderContent {
  /** Names of pictures. */
  readonly pictures: readonly string[];
  /** Names of tables. */
  readonly tables: readonly string[];
}

/** Names of pictures, also in formats that are not sent, so that their rows say so. */
const PICTURE = /\.(?:png|jpe?g|webp|heic|heif|avif|gif|tiff?|bmp|svg)$/i;

function isTableName(name: string): boolean {
  const extension = path.extname(name).slice(1).toLowerCase();
  // Notes and descriptions of pictures are texts as well.
  return extension !== 'txt' && TABLE_EXTENSIONS.some((each) => each === extension);
}

/**
 * Whether a file belongs to a table beside it: its brands, or what became of its videos.
 * @param names of the files beside it
 */
export function isOfTable(name: string, names: readonly string[]): boolean {
  if (!name.endsWith(RESULTS_ENDING)) return isBrandTable(name);
  const table = name.slice(0, -RESULTS_ENDING.length);
  // Of a batch that was added again, they have a number.
  const stems = new Set([table, table.replace(/-\d+$/, '')]);
  return names.some((each) => stems.has(path.parse(each).name));
}

export function isPictureName(name: string): boolean {
  return PICTURE.test(name);
}

/**
 * The pictures and tables of a folder, without those that belong to another table. Hidden files and
 * folders inside it are left out.
 * @param folder absolute
 * @throws the file system's error
 */
export async function contentOf(folder: string): Promise<FolderContent> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => !entry.isDirectory() && !/^[.~]/.test(entry.name))
    .map(({ name }) => name);
  return {
    pictures: names.filter(isPictureName),
    tables: names.filter((name) => isTableName(name) && !isOfTable(name, names)),
  };
}

/**
 * A row for each picture, with its name as the title, in the order in which people sort them: 2
 * before 10.
 * @param folder absolute
 * @param names of at least one picture in it
 */
export function pictureBatch(folder: string, names: readonly string[]): PictureBatch {
  const order = new Intl.Collator(undefined, { numeric: true });
  const sorted = names.toSorted((one, other) => order.compare(one, other));
  const rows = sorted.map((picture) => ({ title: titleOf(picture), picture }));
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
