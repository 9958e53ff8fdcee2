import { getRawHeader, type DirectoryRecord } from '@electron/asar';
import { FUSE_SENTINEL } from './electron-stand-in.ts';

/** A file of an asar archive. */
export interface PackedFile {
  readonly path: string;
  readonly bytes: number;
  /** Whether it is a file beside the archive, where the operating system can load it. */
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

/** Files that the app needs to start or work. */
const REQUIRED = [
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

/** Packages for PostgreSQL and S3, which only a service on several computers loads. */
const SCALE_OUT = /^node_modules\/(?:(?:@aws|@aws-sdk|@smithy)\/|pg(?:-boss|-protocol|-pool)?\/)/;

/** Every problem of a package, as a sentence. */
export function packageProblems(
  files: readonly PackedFile[],
  devPackages: readonly string[],
): readonly string[] {
  const paths = new Set(files.map((file) => file.path));
  const natives = files.filter(({ path }) => path.endsWith('.node'));
  return [
    ...REQUIRED.filter((path) => !paths.has(path)).map((path) => `${path} is missing.`),
    ...natives.filter((file) => !file.unpacked).map((file) => `${file.path} is not unpacked.`),
    ...(['keytar', 'canvas', 'webcodecs'] as const)
      .filter((name) => !natives.some(({ path }) => path.includes(name)))
      .map((name) => `The native part of ${name} is missing.`),
    ...devPackages
      .filter((name) => [...paths].some((path) => path.startsWith(`node_modules/${name}/`)))
      .map((name) => `${name} is a tool and no part of the app.`),
    ...[...paths]
      .filter((path) => /^(?:src|test|bench|docs|tools|build|examples|out\/golden)\//.test(path))
      .filter((path) => !REQUIRED.includes(path))
      .map((path) => `${path} has no place in the app.`),
    ...[...paths]
      .filter((path) => /\.(?:ts|mts|cts|map|test\.js)$/.test(path))
      .map((path) => `${path} is for those who work on it.`),
    ...[...paths]
      .filter((path) => SCALE_OUT.test(path))
      .map((path) => `${path} is for a service on several computers.`),
    // Electron checks the integrity of the archive, and not of unpacked files: so only files that
    // the operating system loads are unpacked, and no JavaScript.
    ...files
      .filter(({ path, unpacked }) => unpacked && !/(?:\.node|\/icudtl\.dat)$/.test(path))
      .map(({ path }) => `${path} is unpacked, where its integrity is not checked.`),
  ];
}

/**
 * In their order: runAsNode, cookie encryption, NODE_OPTIONS, --inspect, asar integrity, only from
 * the asar, the main process's own V8 snapshot, more rights for `file:`.
 */
const REQUIRED_FUSES = '01001100';

/** Fuses of an Electron executable that a packaged app must set otherwise (`abuse.md` 28). */
export function fuseProblems(executable: Buffer): readonly string[] {
  const sentinel = executable.indexOf(FUSE_SENTINEL);
  if (sentinel === -1) return ['The executable has no fuses.'];
  const start = sentinel + FUSE_SENTINEL.length + 2;
  const fuses = executable.toString('latin1', start, start + REQUIRED_FUSES.length);
  return fuses === REQUIRED_FUSES
    ? []
    : [`The fuses are ${fuses} and should be ${REQUIRED_FUSES}.`];
}
