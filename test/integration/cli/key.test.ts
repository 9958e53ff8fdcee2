import { describe, expect, it } from 'vitest';
import { inDesktopSession, missingForSession } from '../../rigs/desktop-session.ts';
import { spool, SPOOL } from '../../rigs/spool-process.ts';

const KEY = 'svc_live_0123456789abcdef-wxyz';
const SERVICE = '--service https://api.service.example';

/** What `spool` says to each of these, in one desktop session with an open keychain. */
function inSession(...commands: string[]): string[] {
  const withCodes = commands.map((command) => `{ ${command}; } 2>&1; echo "code $?"`);
  return inDesktopSession('unlocked', withCodes, { SPOOL }).trim().split('\n');
}

describe('the API key on the command line', () => {
  it('is kept in the keychain, told by its last characters, and forgotten', ({ skip }) => {
    skip(missingForSession.length > 0, `needs ${missingForSession.join(', ')}`);
    const said = inSession(
      `printf '%s\\n' '${KEY}' | "$SPOOL" key set ${SERVICE}`,
      `"$SPOOL" key status ${SERVICE}`,
      `"$SPOOL" key forget ${SERVICE}`,
      `"$SPOOL" key status ${SERVICE}`,
      `printf 'password123' | "$SPOOL" key set ${SERVICE}`,
    );
    expect(said).toEqual([
      'The key that ends in wxyz is kept for https://api.service.example.',
      'code 0',
      'A key that ends in wxyz is kept for https://api.service.example.',
      'code 0',
      'No key is kept for https://api.service.example any more.',
      'code 0',
      'No key is kept for https://api.service.example.',
      'code 3',
      'That is no API key: one begins with svc_live_ and has no spaces.',
      'code 2',
    ]);
  });

  it('is not kept anywhere where there is no keychain', async () => {
    const { code, stderr } = await spool(['key', 'set', ...SERVICE.split(' ')], {
      input: KEY,
      env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', DISPLAY: '' },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/keychain cannot be used.*SPOOL_API_KEY/);
    expect(stderr).not.toContain(KEY);
  });
});
