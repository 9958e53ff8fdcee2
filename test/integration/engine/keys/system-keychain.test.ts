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

/** Runs the rig once for each list of arguments, one after the other, in one desktop session. */
function inSession(
  keychain: 'unlocked' | 'locked',
  ...runs: string[][]
): z.infer<typeof resultSchema>[] {
  const commands = runs.map((args) => `"$NODE" "$RIG" ${args.join(' ')}`);
  return inDesktopSession(keychain, commands, { NODE: process.execPath, RIG })
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => resultSchema.parse(JSON.parse(line)));
}

describe('the system’s keychain', () => {
  test('a key is there in the next run, until it is forgotten', ({ skip }) => {
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

  test('one that nobody has unlocked is not used, and its owner is told', ({ skip }) => {
    skip(missingForSession.length > 0, `needs ${missingForSession.join(', ')}`);
    const [first] = inSession('locked', ['set', ORIGIN, KEY]);

    expect(first).toMatchObject({ keptIn: 'memory', key: KEY });
    expect(first?.reason).toContain('kept in memory');
  });
});
