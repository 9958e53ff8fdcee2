/**
 * Finds a file whose name is written otherwise in a table than on the disk. macOS, Windows, browsers
 * and archives change umlauts, capitals, spaces and separators, and the two names look equal to the user.
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** A folder's names by what they have in common with other spellings. */
interface Listing {
  readonly version: string;
  readonly names: ReadonlyMap<string, readonly string[]>;
}

/** Of the folders that were read last: each missing file of a table asks for the same. */
const listings = new Map<string, Listing>();
const MAX_LISTINGS = 20;

/**
 * The path of the file or folder below `folder` that a cell means. Follows no link to a folder.
 * @returns `null` if there is none, or several are possible
 */
export async function findRespelled(folder: string, cell: string): Promise<string | null> {
  const plain = withoutQuotes(cell);
  for (const spelling of new Set([plain, withoutCodes(plain)])) {
    const found = await findSpelled(folder, spelling);
    if (found !== null) return found;
  }
  return null;
}

async function findSpelled(folder: string, name: string): Promise<string | null> {
  const parts = name.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || parts.includes('..')) return null;
  let place = folder;
  try {
    for (const [index, part] of parts.entries()) {
      const names = await namesIn(place, index < parts.length - 1);
      const found = nameAmong(names.get(folded(part)) ?? [], part);
      if (found === null) return null;
      place = path.join(place, found);
    }
    return place;
  } catch {
    // It ends here for the caller, too: there is no such file.
    return null;
  }
}

/** As “Copy as path” of Windows and terminals have them. */
function withoutQuotes(cell: string): string {
  return /^(["'])(.+)\1$/s.exec(cell)?.[2] ?? cell;
}

/** `a b.png` for `a%20b.png`, as it is in addresses. */
function withoutCodes(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The only name, or the only one with the same letters. */
function nameAmong(names: readonly string[], wanted: string): string | null {
  const [only = null, ...others] = names;
  if (others.length === 0) return only;
  const same = names.filter((name) => name.normalize() === wanted.normalize());
  return same.length === 1 ? (same[0] ?? null) : null;
}

/** Screenshots of macOS have a narrow space in their names, and cells zero-width characters. */
function folded(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase();
}

/** @param ofFolders whether only folders count */
async function namesIn(folder: string, ofFolders: boolean): Promise<Listing['names']> {
  const { dev, ino, mtimeNs } = await stat(folder, { bigint: true });
  const version = [dev, ino, mtimeNs].join(' ');
  const key = `${String(ofFolders)} ${folder}`;
  const known = listings.get(key);
  if (known?.version === version) return known.names;
  const entries = await readdir(folder, { withFileTypes: true });
  const wanted = entries.filter((entry) => !ofFolders || entry.isDirectory());
  const byFolded = Map.groupBy(
    wanted.map(({ name }) => name),
    folded,
  );
  if (listings.size >= MAX_LISTINGS) listings.clear();
  listings.set(key, { version, names: byFolded });
  return byFolded;
}
