import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Path, within the repository, of the record of a build's sources. */
const RECORD_FILE = path.join('out', 'built-from.json');

/** Sources of the page and of the whole app, as paths within the repository. */
const SOURCES = {
  page: [
    'src/contract',
    'src/renderer',
    'build/one-language.ts',
    'electron.vite.config.ts',
    'package-lock.json',
  ],
  app: [
    'src',
    'resources',
    'build/draw-icons.ts',
    'build/one-language.ts',
    'build/source-paths.ts',
    'electron.vite.config.ts',
    'package-lock.json',
  ],
} as const;

/** `page` is all that a browser needs; `app` is the page and Electron's processes. */
export type BuiltPart = keyof typeof SOURCES;

const recordSchema = z.object({ page: z.string(), app: z.string() });

/**
 * SHA-256 of the contents of each part's sources. Not dates: a checkout can give a file any date.
 */
export type BuildRecord = Readonly<Record<BuiltPart, string>>;

/** @param root absolute path of the repository */
export function hashSources(root: string): BuildRecord {
  return { page: hashOf(root, SOURCES.page), app: hashOf(root, SOURCES.app) };
}

/** Whether the build matches the present sources; false if there is none. */
export function isBuildCurrent(root: string, part: BuiltPart): boolean {
  return readRecord(root)?.[part] === hashOf(root, SOURCES[part]);
}

/** The path of a build's record. The build must remove it first and write it last. */
export function buildRecordFile(root: string): string {
  return path.join(root, RECORD_FILE);
}

function readRecord(root: string): BuildRecord | null {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(buildRecordFile(root), 'utf8')));
  } catch {
    // Missing or incomplete: the caller builds again.
    return null;
  }
}

function hashOf(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesOf(root, source))) {
    const content = readFileSync(path.join(root, file));
    hash.update(`${file.replaceAll(path.sep, '/')}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex');
}

/** A file, or the files below a folder, in an order that does not depend on the system. */
function filesOf(root: string, source: string): string[] {
  const whole = path.join(root, source);
  const found = statSync(whole, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [source] : [];
  return readdirSync(whole, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .toSorted();
}
