import { spawnSync } from 'node:child_process';
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

/** The Debian packages that are not installed; empty on other systems. */
export function missingPackages(): string[] {
  if (process.platform !== 'linux' || !isOnPath('apt-get')) return [];
  const names = Object.entries(PROGRAMS)
    .filter(([program]) => !isOnPath(program))
    .filter(([program]) => program !== 'chromium' || !isOnPath(HEADLESS_SHELL))
    .map(([, name]) => name);
  // The library for access to the keychain, which has no program.
  if (globSync('/usr/lib/*/libsecret-1.so.0').length === 0) names.push('libsecret-1-0');
  return names;
}

/** Installs packages if that needs no password; else prints the command, and returns false. */
export function installPackages(names: readonly string[]): boolean {
  const install = [...INSTALL, ...names];
  const sudo = rootPrefix();
  if (sudo === null) {
    console.error(`The tests need packages that are not installed. Run this, then try again:
  sudo apt-get update && sudo ${install.join(' ')}`);
    return false;
  }
  console.log(`Installing what the tests need: ${names.join(', ')}`);
  if (runAsRoot(sudo, UPDATE) && runAsRoot(sudo, install)) return true;
  console.error(`Installing them did not work; the lines above say why. The command was:
  ${[...sudo, ...install].join(' ')}`);
  return false;
}

/** Installs the headless shell if that needs no password. Tests also run without it. */
export function installHeadlessShell(): void {
  if (process.platform !== 'linux' || !isOnPath('apt-get') || isOnPath(HEADLESS_SHELL)) return;
  const sudo = rootPrefix();
  if (sudo === null) return;
  console.log(`Installing ${HEADLESS_SHELL}, which halves the time of page tests`);
  if (runAsRoot(sudo, UPDATE)) runAsRoot(sudo, [...INSTALL, HEADLESS_SHELL]);
}

/** The command prefix that gives root's rights without a password; `null` if there is none. */
function rootPrefix(): readonly string[] | null {
  if (process.getuid?.() === 0) return [];
  const sudo = ['sudo', '--non-interactive'];
  return runAsRoot(sudo, ['true']) ? sudo : null;
}

function runAsRoot(sudo: readonly string[], command: readonly string[]): boolean {
  const [program = '', ...args] = [...sudo, ...command];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
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
