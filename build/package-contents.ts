import { open } from 'node:fs/promises';
import { z } from 'zod';

/** A file of an asar archive. */
export interface PackedFile {
  readonly path: string;
  readonly bytes: number;
  /** It lies beside the archive, where the system can load it. */
  readonly unpacked: boolean;
}

interface Folder {
  readonly files: Readonly<Record<string, Folder | File>>;
}

interface File {
  readonly size?: number | undefined;
  readonly unpacked?: boolean | undefined;
}

const fileSchema: z.ZodType<File> = z.object({
  size: z.number().optional(),
  unpacked: z.boolean().optional(),
});
const folderSchema: z.ZodType<Folder> = z.object({
  files: z.record(
    z.string(),
    z.lazy(() => z.union([folderSchema, fileSchema])),
  ),
});

/** Lists an asar archive by its header: JSON behind four little-endian numbers, the last its length. */
export async function listArchive(archive: string): Promise<readonly PackedFile[]> {
  await using file = await open(archive);
  const { buffer: numbers } = await file.read(Buffer.alloc(16), 0, 16, 0);
  const length = numbers.readUInt32LE(12);
  const { buffer: header } = await file.read(Buffer.alloc(length), 0, length, 16);
  return filesIn(folderSchema.parse(JSON.parse(header.toString())), '');
}

function filesIn(folder: Folder, prefix: string): PackedFile[] {
  return Object.entries(folder.files).flatMap(([name, entry]) => {
    const path = prefix + name;
    if ('files' in entry) return filesIn(entry, `${path}/`);
    return [{ path, bytes: entry.size ?? 0, unpacked: entry.unpacked ?? false }];
  });
}

/** What the app cannot start or work without. */
const NEEDED = [
  'package.json',
  'out/main/main.js',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
  'out/local-service/main.js',
  'out/local-service/rendering/render-worker.js',
  'out/icons/256x256.png',
  'resources/fonts/inter.woff2',
  'resources/studio/studio.css',
];

/** Every fault of a package, as a sentence; none is what one wants. */
export function faultsOf(
  files: readonly PackedFile[],
  devPackages: readonly string[],
): readonly string[] {
  const paths = new Set(files.map((file) => file.path));
  const natives = files.filter(({ path }) => path.endsWith('.node'));
  return [
    ...NEEDED.filter((path) => !paths.has(path)).map((path) => `${path} is missing.`),
    ...natives.filter((file) => !file.unpacked).map((file) => `${file.path} is not unpacked.`),
    ...(['keytar', 'canvas', 'webcodecs'] as const)
      .filter((name) => !natives.some(({ path }) => path.includes(name)))
      .map((name) => `The native part of ${name} is missing.`),
    ...devPackages
      .filter((name) => [...paths].some((path) => path.startsWith(`node_modules/${name}/`)))
      .map((name) => `${name} is a tool and no part of the app.`),
    ...[...paths]
      .filter((path) => /^(?:src|test|bench|docs|tools|build|examples)\//.test(path))
      .map((path) => `${path} has no place in the app.`),
    ...[...paths]
      .filter((path) => /\.(?:ts|mts|cts|map|test\.js)$/.test(path))
      .map((path) => `${path} is for those who work on it.`),
  ];
}
