import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Programs of a desktop session that this computer lacks; tests that need one report it and are
 * skipped.
 */
export const missingForSession = ['dbus-run-session', 'gnome-keyring-daemon', 'gdbus'].filter(
  (tool) => spawnSync('which', [tool]).status !== 0,
);

/**
 * Starts a keychain and waits until its first collection is unlocked. Asks the bus first whether
 * the keychain is running: otherwise a call to it would start another, locked one.
 */
const UNLOCK = `
printf password | gnome-keyring-daemon --unlock --components=secrets --foreground >/dev/null 2>&1 &
echo $! > "$HOME/daemon.pid"
until gdbus call --session --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus \\
  --method org.freedesktop.DBus.NameHasOwner org.freedesktop.secrets | grep -q true; do :; done
until gdbus call --session --dest org.freedesktop.secrets \\
  --object-path /org/freedesktop/secrets/collection/login \\
  --method org.freedesktop.DBus.Properties.Get \\
  org.freedesktop.Secret.Collection Locked 2>&1 | grep -q '<false>'; do :; done`;

/** The daemon survives the session bus unless it is killed. */
const END = 'kill "$(cat "$HOME/daemon.pid" 2>/dev/null)" 2>/dev/null || true';

/**
 * Runs shell commands in a separate desktop session with a temporary home folder, and returns their
 * standard output. Messages of the session itself are omitted.
 *
 * @param keychain whether it is unlocked, as on a desktop after login
 */
export function inDesktopSession(
  keychain: 'unlocked' | 'locked',
  commands: readonly string[],
  env: Readonly<Record<string, string>>,
): string {
  const home = mkdtempSync(path.join(tmpdir(), 'spool-session-'));
  const script = [keychain === 'unlocked' ? UNLOCK : 'true', ...commands, END].join('\n');
  try {
    return execFileSync('dbus-run-session', ['--', 'timeout', '150', 'sh', '-c', script], {
      encoding: 'utf8',
      timeout: 160_000,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, ...env },
    });
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 12 });
  }
}
