import { spawnSync } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { makeElectronStandIn } from './electron-stand-in.ts';
import { signingOf } from './signing.ts';
import { publicKeyOf, signChannelFiles, updatesKey } from './update-signing.ts';

export const REPOSITORY = path.join(import.meta.dirname, '..');
const ELECTRON = path.join(REPOSITORY, 'node_modules', 'electron');

const versionSchema = z.object({ version: z.string() });

/** electron-builder or the build failed, and has printed why. */
class PackagingError extends Error {
  readonly code = 'packaging-failed';

  constructor(program: string, status: number | null) {
    super(`${program} ended with ${status ?? 'a signal'}.`);
    this.name = 'PackagingError';
  }
}

/** Where installed apps look for new versions, and the key that signs those. */
export interface UpdateSource {
  /** The folder of electron-builder's `latest.yml`. */
  readonly url: string;
  /** Ed25519. Packages contain its public half. */
  readonly key: KeyObject;
}

/**
 * Reads `SPOOL_UPDATES_URL` and `SPOOL_UPDATES_KEY`. Without an address, a build offers no updates.
 *
 * @throws {TypeError} for anything but an https address, without a key to sign updates with, and
 *   for an unsigned build where the system updates signed apps only
 */
export function updateSource(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): UpdateSource | null {
  const given = env.SPOOL_UPDATES_URL ?? '';
  if (given === '') return null;
  if (URL.parse(given)?.protocol !== 'https:') {
    throw new TypeError(`SPOOL_UPDATES_URL is ${given} and should be an https address.`);
  }
  if (platform === 'darwin' && !signingOf(platform, env).signs) {
    throw new TypeError('macOS replaces signed apps alone: SPOOL_UPDATES_URL needs CSC_LINK.');
  }
  return { url: given, key: updatesKey(env) };
}

/** Bundles the source into `out`. */
export function build(): void {
  run('npm', ['run', '--silent', 'build', '--', '--logLevel', 'error']);
}

/** Makes installers of the built app, for the system that this runs on, in `dist`. */
export function makeInstallers(updates: UpdateSource | null): void {
  electronBuilder([...publishing(updates)]);
  if (updates === null) return;
  const signed = signChannelFiles(path.join(REPOSITORY, 'dist'), updates.key);
  console.log(`Signed ${signed.join(', ')}.`);
}

/** The app in a folder, as an installer would put it there. */
export interface PackagedApp {
  /** Whether its executable is Electron, and not a stand-in that does nothing. */
  readonly isReal: boolean;
  /** Absolute paths. */
  readonly archive: string;
  readonly executable: string | null;
  /** It has the address of new versions; `null` in a build that does not look for any. */
  readonly updatesFile: string | null;
}

/**
 * Packages the built app into a folder, for the system that this runs on. On Linux, a stand-in
 * replaces an Electron runtime that cannot be downloaded; everything else is as shipped.
 *
 * @param output absolute path; its files may be replaced
 */
export async function packageFolder(
  output: string,
  updates: UpdateSource | null,
): Promise<PackagedApp> {
  const isReal = existsSync(path.join(ELECTRON, 'dist', 'version'));
  const standIn = path.join(output, 'electron-stand-in');
  const usesStandIn = !isReal && process.platform === 'linux';
  if (usesStandIn) {
    const electron: unknown = JSON.parse(readFileSync(path.join(ELECTRON, 'package.json'), 'utf8'));
    await makeElectronStandIn(standIn, versionSchema.parse(electron).version);
  }
  electronBuilder([
    '--dir',
    `-c.directories.output=${output}`,
    ...publishing(updates),
    ...(usesStandIn ? [`-c.electronDist=${standIn}`] : []),
  ]);
  const [archive] = globSync('**/resources/app.asar', { cwd: output });
  if (archive === undefined) throw new PackagingError('electron-builder, without an archive,', 0);
  const [executable] = globSync('linux*-unpacked/spool', { cwd: output });
  const updatesFile = path.join(output, path.dirname(archive), 'app-update.yml');
  return {
    isReal,
    archive: path.join(output, archive),
    executable: executable === undefined ? null : path.join(output, executable),
    updatesFile: existsSync(updatesFile) ? updatesFile : null,
  };
}

function publishing(updates: UpdateSource | null): readonly string[] {
  if (updates === null) return [];
  return [
    '-c.publish.provider=generic',
    `-c.publish.url=${updates.url}`,
    `-c.extraMetadata.updatesPublicKey=${publicKeyOf(updates.key)}`,
    // The preview channel also gets newer final versions.
    '-c.generateUpdatesFilesForAllChannels=true',
  ];
}

function electronBuilder(args: readonly string[]): void {
  // Throws for incomplete variables: electron-builder would silently leave the signature out.
  signingOf(process.platform, process.env);
  run(process.execPath, [
    fileURLToPath(import.meta.resolve('electron-builder/cli.js')),
    '--config',
    'build/electron-builder.yml',
    '--publish',
    'never',
    ...args,
  ]);
}

function run(program: string, args: readonly string[]): void {
  // On Windows npm is a script, which only a shell can start.
  const shell = process.platform === 'win32' && program === 'npm';
  const { status } = spawnSync(program, args, { cwd: REPOSITORY, stdio: 'inherit', shell });
  if (status !== 0) throw new PackagingError([program, ...args].join(' '), status);
}
