import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { inDesktopSession, missingForSession } from '../../../rigs/desktop-session.ts';

const ORIGIN = 'https://api.example.com';
const KEY = 'svc_live_not_a_real_key_at_all';
const RIG = fileURLToPath(new URL('../../../rigs/keychain-session.ts', import.meta.url));

const resultSchema = z.object({
  keptIn: z.enum(['keychain', 'memory']),
  reason: z.string().nullable(),
  key: z.string().nullable(),
});

/** Locks the keychain, as a user of the desktop can. */
const LOCK =
  'gdbus call --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets ' +
  `--method org.freedesktop.Secret.Service.Lock "['/org/freedesktop/secrets/collection/login']"`;

const NO_SESSION = 'export DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere';

/**
 * Runs the rig for each list of arguments in one desktop session. A string is a shell command.
 */
function inSession(
  keychain: 'unlocked' | 'locked',
  ...runs: (string[] | string)[]
): z.infer<typeof resultSchema>[] {
  const commands = runs.map((run) =>
    typeof run === 'string' ? run : `"$NODE" "$RIG" ${run.join(' ')}`,
  );
  return inDesktopSession(keychain, commands, { NODE: process.execPath, RIG })
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => resultSchema.parse(JSON.parse(line)));
}

describe('the system’s keychain', () => {
  test('keeps a key for the next run until it is forgotten', ({ skip }) => {
    skip(missingForSession.length > 0, `needs ${missingForSession.join(', ')}`);
    const kept = { keptIn: 'keychain', reason: null };

    expect(
      inSession(
        'unlocked',
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

  // abuse.md 21
  test('is not used while it is locked, and the user is informed', ({ skip }) => {
    skip(missingForSession.length > 0, `needs ${missingForSession.join(', ')}`);
    const [first] = inSession('locked', ['set', ORIGIN, KEY]);

    expect(first).toMatchObject({ keptIn: 'memory', key: KEY });
    expect(first?.reason).toContain('kept in memory');
  });

  test('refuses after it was locked later, and the user is informed', ({ skip }) => {
    skip(missingForSession.length > 0, `needs ${missingForSession.join(', ')}`);
    const [before, after] = inSession('unlocked', ['set', ORIGIN, KEY], LOCK, ['get', ORIGIN]);

    expect(before).toEqual({ keptIn: 'keychain', reason: null, key: KEY });
    expect(after).toMatchObject({ keptIn: 'memory', key: null });
    expect(after?.reason).toMatch(/locked.*unlock it/);
  });

  test('without a session, the message says what helps', ({ skip }) => {
    skip(missingForSession.length > 0, `needs ${missingForSession.join(', ')}`);
    const [first] = inSession('locked', NO_SESSION, ['set', ORIGIN, KEY]);

    expect(first).toMatchObject({ keptIn: 'memory', key: KEY });
    expect(first?.reason).toContain('Install GNOME Keyring or KWallet');
  });
});
