/**
 * `npm run package:dir`: packages the app into a folder, for this system, and looks at what is in it.
 * Where Electron's runtime cannot be fetched a stand-in takes its place: all but that is as shipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { FUSE_SENTINEL, makeElectronStandIn } from './electron-stand-in.ts';
import { faultsOf, listArchive } from './package-contents.ts';

const REPOSITORY = path.join(import.meta.dirname, '..');
const ELECTRON = path.join(REPOSITORY, 'node_modules', 'electron');
const DIST = path.join(REPOSITORY, 'dist');

/** runAsNode, cookie encryption, NODE_OPTIONS, --inspect, asar integrity, only from the asar. */
const FUSES_WANTED = '010011';

const packageSchema = z.object({
  version: z.string(),
  devDependencies: z.record(z.string(), z.string()).default({}),
});

const own = packageSchema.parse(readJson(path.join(REPOSITORY, 'package.json')));
const isReal = existsSync(path.join(ELECTRON, 'dist', 'version'));
const standIn = path.join(DIST, 'electron-stand-in');
if (!isReal && process.platform === 'linux') {
  const { version } = packageSchema.parse(readJson(path.join(ELECTRON, 'package.json')));
  await makeElectronStandIn(standIn, version);
}

run('npm', ['run', '--silent', 'build', '--', '--logLevel', 'error']);
run(path.join(REPOSITORY, 'node_modules', '.bin', 'electron-builder'), [
  ...['--dir', '--publish', 'never'],
  ...['--config', 'build/electron-builder.yml'],
  ...(isReal ? [] : [`-c.electronDist=${standIn}`]),
]);

const [archive = ''] = globSync('**/app.asar', { cwd: DIST });
const files = await listArchive(path.join(DIST, archive));
const faults = [...faultsOf(files, Object.keys(own.devDependencies)), ...fuseFaults()];
const total = files.reduce((bytes, file) => bytes + file.bytes, 0);
const unpacked = files
  .filter((file) => file.unpacked)
  .reduce((bytes, file) => bytes + file.bytes, 0);
for (const fault of faults) console.error(`✕ ${fault}`);
console.log(
  `${isReal ? 'Electron' : 'A stand-in for Electron'} with Spool ${own.version}: ` +
    `${files.length} files of ${megabytes(total)}, ${megabytes(unpacked)} of them unpacked.`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

/** The fuses of the executable that was packaged, where it is one that can be looked at here. */
function fuseFaults(): string[] {
  const [name = ''] = globSync('linux*-unpacked/spool', { cwd: DIST });
  if (name === '') return [];
  const executable = readFileSync(path.join(DIST, name));
  const start = executable.indexOf(FUSE_SENTINEL) + FUSE_SENTINEL.length + 2;
  const fuses = executable.toString('latin1', start, start + FUSES_WANTED.length);
  return fuses === FUSES_WANTED ? [] : [`The fuses are ${fuses} and should be ${FUSES_WANTED}.`];
}

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, {
    cwd: REPOSITORY,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
