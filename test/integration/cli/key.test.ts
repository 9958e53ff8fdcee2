import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { takeFolder } from '../../../src/engine/engine.ts';
import { openPrimaryEndpoint } from '../../../src/host/primary-endpoint.ts';
import { inDesktopSession, missingForSession } from '../../rigs/desktop-session.ts';
import { openIdleEngine } from '../../rigs/idle-engine.ts';
import { NOON } from '../../rigs/job-builder.ts';
import { oneService } from '../../rigs/router-for.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { spool, SPOOL, startSpool } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const KEY = 'svc_live_0123456789abcdef-wxyz';
const SERVICE = '--service https://api.service.example';

/** Runs commands in one desktop session with an unlocked keychain. Returns the output lines. */
function inSession(...commands: string[]): string[] {
  const withCodes = commands.map((command) => `{ ${command}; } 2>&1; echo "code $?"`);
  return inDesktopSession('unlocked', withCodes, { SPOOL }).trim().split('\n');
}

/** A clock for a command, which runs `work` once the command has read it several times. */
function whenItWaits<T>(work: () => Promise<T>) {
  const { promise: done, resolve } = Promise.withResolvers<T>();
  let asked = 0;
  const now = (): number => {
    asked += 1;
    if (asked === 4) resolve(work());
    return NOON;
  };
  return { now, done };
}

/** What this process says of itself as the running Spool of a service. */
const primaryOf = (service: string) =>
  ({ protocol: 1, pid: process.pid, service, profile: '0' }) as const;

describe('the API key on the command line', () => {
  it('is stored in the keychain, shown by its label and last characters, and removed', ({
    skip,
  }) => {
    skip(missingForSession.length > 0, `needs ${missingForSession.join(', ')}`);
    const output = inSession(
      `printf '%s\\n' '${KEY}' | "$SPOOL" key set ${SERVICE} --label ' My studio '`,
      `"$SPOOL" key status ${SERVICE}`,
      `"$SPOOL" key forget ${SERVICE}`,
      `"$SPOOL" key status ${SERVICE}`,
      `printf 'password123' | "$SPOOL" key set ${SERVICE}`,
      `printf 'rw_0123456789' | "$SPOOL" key set --service runway --label 'my rw_0123456789'`,
    );
    expect(output).toEqual([
      'The key “My studio” that ends in wxyz is saved for https://api.service.example.',
      'code 0',
      'A key “My studio” that ends in wxyz is saved for https://api.service.example.',
      'code 0',
      'No key is saved for https://api.service.example any more.',
      'code 0',
      'No key is saved for https://api.service.example.',
      'code 3',
      'That is not an API key: a key begins with svc_live_ and has no spaces.',
      'code 2',
      'That is a key. A label is shown on screen; a key never is.',
      'code 2',
    ]);
  });

  it('accepts only a label of one short line that is no key', async () => {
    for (const label of ['x'.repeat(61), KEY]) {
      const { code, stderr } = await spool(
        ['key', 'set', ...SERVICE.split(' '), '--label', label],
        {
          input: KEY,
        },
      );
      expect(code).toBe(2);
      expect(stderr).toContain('A label is one line of 1 to 60 characters, and not a key.');
    }
  });

  it('goes to the Spool that is running for its service, which uses it at once', async () => {
    const home = temporaryFolder();
    const env = { HOME: home, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', DISPLAY: '' };
    // Nothing listens there: the key is kept, but cannot be checked.
    const options = ['--data-dir', home, '--service', 'https://127.0.0.1:9'];
    const running = startSpool(['web', ...options], { env });
    await running.waitForOutput(/http:\S+\n/);

    const set = await spool(['key', 'set', ...options, '--label', 'Studio'], { env, input: KEY });
    expect(set).toMatchObject({ code: 0 });
    expect(set.stdout).toBe(
      'The key “Studio” that ends in wxyz is used by the running Spool, until it closes.\n',
    );
    expect(await spool(['key', 'forget', ...options], { env })).toMatchObject({ code: 0 });
  });

  it.skipIf(process.platform === 'win32')(
    'goes to a Spool that is starting, and is forgotten by it',
    async () => {
      vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', 'unix:path=/nowhere');
      vi.stubEnv('DISPLAY', '');
      onTestFinished(() => void vi.unstubAllEnvs());
      const folder = temporaryFolder();
      const dataDir = path.join(folder, 'data');
      // It holds the folder, and other processes cannot reach it yet.
      const { engine, router } = await openIdleEngine(folder);
      const options = ['--data-dir', dataDir, '--service', engine.origin];
      const primary = primaryOf(engine.origin);
      const endpoints = { dataDir, ...oneService(router, primary), onDefect: () => undefined };

      const setting = whenItWaits(() => openPrimaryEndpoint(endpoints));
      const stdin = new PassThrough();
      stdin.end(KEY);
      const set = await spoolHere(['key', 'set', ...options], {
        cwd: folder,
        now: setting.now,
        stdin: stdin as object as NodeJS.ReadStream,
      });
      expect(set).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('running Spool') as string,
      });
      expect(engine.summary().key.lastFour).toBe('wxyz');
      await (await setting.done).close();

      const forgetting = whenItWaits(() => openPrimaryEndpoint(endpoints));
      const forget = await spoolHere(['key', 'forget', ...options], {
        cwd: folder,
        now: forgetting.now,
      });
      expect(forget.code).toBe(0);
      expect(engine.summary().key.state).toBe('absent');
      await (await forgetting.done).close();
    },
  );

  it('says that a Spool which cannot be reached does not know of the change', async () => {
    const folder = temporaryFolder();
    const dataDir = path.join(folder, 'data');
    const lock = await takeFolder(dataDir);
    onTestFinished(() => lock.release());
    let asked = 0;
    const { code, stderr } = await spoolHere(
      ['key', 'forget', '--data-dir', dataDir, ...SERVICE.split(' ')],
      { cwd: folder, now: () => (asked++ < 4 ? NOON : Infinity) },
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'The running Spool cannot be reached. It uses the change when it is started again.\n',
    });
  });

  it.skipIf(process.platform === 'win32')(
    'is not changed by Ctrl-C instead of a key, which ends the command as interrupted',
    async () => {
      const folder = temporaryFolder();
      const { engine, router } = await openIdleEngine(folder);
      const dataDir = path.join(folder, 'data');
      const primary = primaryOf(engine.origin);
      const endpoint = await openPrimaryEndpoint({
        dataDir,
        ...oneService(router, primary),
        onDefect: () => undefined,
      });
      onTestFinished(() => endpoint.close());
      const stdin = Object.assign(new PassThrough(), {
        isTTY: true,
        setRawMode: () => stdin,
      }) as PassThrough;
      stdin.write('\u0003');
      const { code, stderr } = await spoolHere(
        ['key', 'set', '--data-dir', dataDir, '--service', engine.origin],
        { cwd: folder, stdin: stdin as object as NodeJS.ReadStream },
      );
      expect({ code, stderr }).toEqual({
        code: 130,
        stderr: `API key for ${engine.origin} (not shown): \n`,
      });
    },
  );

  it('is not kept anywhere without a keychain', async () => {
    const { code, stderr } = await spool(['key', 'set', ...SERVICE.split(' ')], {
      input: KEY,
      env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', DISPLAY: '' },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/keychain cannot be used.*SPOOL_API_KEY/);
    expect(stderr).not.toContain(KEY);
  });
});
