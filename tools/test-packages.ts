import { spawnSync } from 'node:child_process';
import { accessSync, constants, globSync } from 'node:fs';
import path from 'node:path';

/** What tests use of the system, by the program that shows whether it is there. */
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
};

/** The Debian packages whose programs are not on this computer; none on other systems. */
export function missingPackages(): string[] {
  if (process.platform !== 'linux' || !isOnPath('apt-get')) return [];
  const names = Object.entries(PROGRAMS)
    .filter(([program]) => !isOnPath(program))
    .map(([, name]) => name);
  // A library that the keychain is reached by, and no program's own.
  if (globSync('/usr/lib/*/libsecret-1.so.0').length === 0) names.push('libsecret-1-0');
  return names;
}

/** Installs them if this user may without being asked; else says how, and returns false. */
export function installPackages(names: readonly string[]): boolean {
  const install = ['apt-get', 'install', '--yes', '--no-install-recommends', ...names];
  const isRoot = process.getuid?.() === 0;
  const sudo = isRoot ? [] : ['sudo', '--non-interactive'];
  if (!isRoot && !succeeds([...sudo, 'true'])) {
    console.error(`The tests need packages that are not installed. Run this, then try again:
  sudo apt-get update && sudo ${install.join(' ')}`);
    return false;
  }
  console.log(`Installing what the tests need: ${names.join(', ')}`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (succeeds([...sudo, 'apt-get', 'update', '--quiet'], environment)) {
    if (succeeds([...sudo, ...install], environment)) return true;
  }
  console.error(`Installing them did not work; the lines above say why. The command was:
  ${[...sudo, ...install].join(' ')}`);
  return false;
}

function succeeds([program = '', ...args]: readonly string[], env = process.env): boolean {
  return spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
}

/** Also where daemons are installed, which is not on everyone's path. */
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
