import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, globSync } from 'node:fs';
import path from 'node:path';

/** The Debian packages that tests need, by a program of each that shows whether it is installed. */
const PROGRAMS: Readonly<Record<string, string>> = {
  chromium: 'chromium',
  ffprobe: 'ffmpeg',
  'gnome-keyring-daemon': 'gnome-keyring',
  'dbus-run-session': 'dbus-daemon',
  gdbus: 'libglib2.0-bin',
  aria2c: 'aria2',
  wget: 'wget',
  curl: 'curl',
  nginx: 'nginx-light',
  'mkfs.ext4': 'e2fsprogs',
  xfs_io: 'xfsprogs',
};

/** Without retries, so that it fails soon without a network. */
const UPDATE = ['apt-get', 'update', '--quiet', '-o', 'Acquire::Retries=0'];
const INSTALL = ['apt-get', 'install', '--yes', '--no-install-recommends'];

/** Chromium without windows. With the whole browser, page tests take twice as long. */
const HEADLESS_SHELL = 'chromium-headless-shell';

/**
 * Installs what tests need, if that needs no password. Without the headless shell they also run.
 * @returns false if packages are missing; the command that installs them has been printed
 */
export async function installTestPackages(): Promise<boolean> {
  if (process.platform !== 'linux' || !isOnPath('apt-get')) return true;
  const wantsShell = !isOnPath(HEADLESS_SHELL);
  if (!wantsShell && missingPackages().length === 0) return true;
  const sudo = await rootPrefix();
  const canInstall = sudo !== null && (await runAsRoot(sudo, UPDATE));
  if (canInstall && wantsShell) {
    console.log(`Installing ${HEADLESS_SHELL}, which halves the time of page tests`);
    await runAsRoot(sudo, [...INSTALL, HEADLESS_SHELL]);
  }
  // The shell is enough of a browser.
  const names = missingPackages();
  if (names.length === 0) return true;
  const install = [...INSTALL, ...names];
  if (sudo === null) {
    console.error(`The tests need packages that are not installed. Run this, then try again:
  sudo apt-get update && sudo ${install.join(' ')}`);
    return false;
  }
  console.log(`Installing what the tests need: ${names.join(', ')}`);
  if (canInstall && (await runAsRoot(sudo, install))) return true;
  console.error(`Installing them did not work; the lines above say why. The command was:
  ${[...sudo, ...install].join(' ')}`);
  return false;
}

/** The Debian packages that are not installed. */
function missingPackages(): string[] {
  const names = Object.entries(PROGRAMS)
    .filter(([program]) => !isOnPath(program))
    .filter(([program]) => program !== 'chromium' || !isOnPath(HEADLESS_SHELL))
    .map(([, name]) => name);
  // The library for access to the keychain, which has no program.
  if (globSync('/usr/lib/*/libsecret-1.so.0').length === 0) names.push('libsecret-1-0');
  return names;
}

/** The command prefix that gives root's rights without a password; `null` if there is none. */
async function rootPrefix(): Promise<readonly string[] | null> {
  if (process.getuid?.() === 0) return [];
  const sudo = ['sudo', '--non-interactive'];
  return (await runAsRoot(sudo, ['true'])) ? sudo : null;
}

async function runAsRoot(sudo: readonly string[], command: readonly string[]): Promise<boolean> {
  const [program = '', ...args] = [...sudo, ...command];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code === 0;
  } catch {
    return false; // The program does not exist.
  }
}

/** Also searches the folders of daemons, which are not on every user's path. */
function isOnPath(program: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];
  return folders.some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
