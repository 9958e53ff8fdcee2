import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';

const ORIGIN = 'https://api.example.com';
const KEY = 'svc_live_not_a_real_key_at_all';
const RIG = fileURLToPath(new URL('../../../rigs/keychain-session.ts', import.meta.url));

const missing = ['dbus-run-session', 'gnome-keyring-daemon', 'gdbus'].filter(
  (tool) => spawnSync('which', [tool]).status !== 0,
);
if (missing.length > 0) {
  console.warn(`The system's keychain is not tried: ${missing.join(', ')} not installed.`);
}

const resultSchema = z.object({
  keptIn: z.enum(['keychain', 'memory']),
  reason: z.string().nullable(),
  key: z.string().nullable(),
});

let home: string;

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'spool-keychain-'));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

/** Runs the rig once for each list of arguments, one after the other, in one desktop session. */
function inSession(prepare: string, ...runs: string[][]): z.infer<typeof resultSchema>[] {
  const script = [
    prepare,
    ...runs.map((args) => `"$NODE" "$RIG" ${args.join(' ')}`),
    // The daemon outlives the session bus unless it is told to go.
    'kill "$(cat "$HOME/daemon.pid" 2>/dev/null)" 2>/dev/null || true',
  ].join('\n');
  const output = execFileSync('dbus-run-session', ['--', 'sh', '-c', script], {
    encoding: 'utf8',
    timeout: 50_000,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home, NODE: process.execPath, RIG },
  });
  return output
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => resultSchema.parse(JSON.parse(line)));
}

/** Starts an unlocked keychain and waits until its first collection is there. */
const UNLOCKED = `
printf password | gnome-keyring-daemon --unlock --components=secrets --foreground >/dev/null 2>&1 &
echo $! > "$HOME/daemon.pid"
until gdbus introspect --session --dest org.freedesktop.secrets \\
  --object-path /org/freedesktop/secrets/collection/login >/dev/null 2>&1; do :; done`;

describe.skipIf(missing.length > 0)('the system’s keychain', () => {
  test('a key is there in the next run, until it is forgotten', () => {
    const kept = { keptIn: 'keychain', reason: null };

    expect(
      inSession(
        UNLOCKED,
        ['set', ORIGIN, KEY],
        ['get', ORIGIN],
        ['forget', ORIGIN],
        ['get', ORIGIN],
      ),
    ).toEqual([
      { ...kept, key: KEY },
      { ...kept, key: KEY },
      { ...kept, key: null },
      { ...kept, key: null },
    ]);
  });

  test('one that nobody has unlocked is not used, and its owner is told', () => {
    const [first] = inSession('true', ['set', ORIGIN, KEY]);

    expect(first).toMatchObject({ keptIn: 'memory', key: KEY });
    expect(first?.reason).toContain('kept in memory');
  });
});
