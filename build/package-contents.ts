import { getRawHeader, type DirectoryRecord } from '@electron/asar';
import { FUSE_SENTINEL } from './electron-stand-in.ts';

/** A file of an asar archive. */
export interface PackedFile {
  readonly path: string;
  readonly bytes: number;
  /** It lies beside the archive, where the system can load it. */
  readonly unpacked: boolean;
}

/** @param archive absolute path of an asar archive */
export function listArchive(archive: string): readonly PackedFile[] {
  return filesIn(getRawHeader(archive).header, '');
}

function filesIn({ files }: DirectoryRecord, prefix: string): PackedFile[] {
  return Object.entries(files).flatMap(([name, entry]) => {
    const path = prefix + name;
    if ('files' in entry) return filesIn(entry, `${path}/`);
    return [{ path, bytes: entry.size, unpacked: entry.unpacked }];
  });
}

/** What the app cannot start or work without. */
const NEEDED = [
  'package.json',
  'out/main/main.js',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
  'out/engine/intake/read-batch-worker.js',
  'out/host/posters/decoder-program.js',
  'out/host/posters/decoder-worker.js',
  'out/local-service/main.js',
  'out/local-service/rendering/render-process-main.js',
  'out/local-service/rendering/render-worker.js',
  'out/icons/256x256.png',
  'out/icons/trayTemplate.png',
  'out/icons/trayTemplate@2x.png',
  'resources/fonts/inter.woff2',
  'resources/studio/studio.css',
  'examples/launch-week.csv',
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
      .filter((path) => /^(?:src|test|bench|docs|tools|build|examples|out\/golden)\//.test(path))
      .filter((path) => !NEEDED.includes(path))
      .map((path) => `${path} has no place in the app.`),
    ...[...paths]
      .filter((path) => /\.(?:ts|mts|cts|map|test\.js)$/.test(path))
      .map((path) => `${path} is for those who work on it.`),
    // Electron checks what is in the archive against its own record; what lies beside it is as open
    // as any file. So only what the system itself must load does, and no code of JavaScript.
    ...files
      .filter(({ path, unpacked }) => unpacked && !/(?:\.node|\/icudtl\.dat)$/.test(path))
      .map(({ path }) => `${path} is unpacked, where its integrity is not checked.`),
  ];
}

/**
 * runAsNode, cookie encryption, NODE_OPTIONS, --inspect, asar integrity, only from the asar, a V8
 * snapshot of the main process's own, more rights for `file:`.
 */
const FUSES_WANTED = '01001100';

/** Whether an executable of Electron refuses what a packaged app must (`abuse.md` 28). */
export function fuseFaults(executable: Buffer): readonly string[] {
  const sentinel = executable.indexOf(FUSE_SENTINEL);
  if (sentinel === -1) return ['The executable has no fuses.'];
  const start = sentinel + FUSE_SENTINEL.length + 2;
  const fuses = executable.toString('latin1', start, start + FUSES_WANTED.length);
  return fuses === FUSES_WANTED ? [] : [`The fuses are ${fuses} and should be ${FUSES_WANTED}.`];
}
