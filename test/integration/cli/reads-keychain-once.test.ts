import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { queueOpener } from '../../../src/cli/open-queue.ts';
import { resolveQueueSettings } from '../../../src/cli/queue-settings.ts';
import { takeFolder } from '../../../src/engine/engine.ts';
import { storyboardProfile } from '../../../src/engine/profiles/storyboard.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

it('a command that waits for the queue reads its profile and the keychain once', async () => {
  vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', 'unix:path=/nowhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  const dataDir = path.join(temporaryFolder(), 'data');
  mkdirSync(dataDir);
  // Another process holds the queue and does not answer, like a read-only command.
  const lock = await takeFolder(dataDir);
  onTestFinished(() => lock.release());
  const profile = path.join(dataDir, 'profile.json');
  writeFileSync(profile, JSON.stringify(storyboardProfile));
  const stderr = new PassThrough({ encoding: 'utf8' });
  let now = 0;
  const options = { dataDir, service: 'https://service.invalid', profile };
  const open = queueOpener(await resolveQueueSettings(options, dataDir), {
    stdout: new PassThrough() as never,
    stderr: stderr as never,
    stdin: new PassThrough() as never,
    cwd: dataDir,
    proxySettings: null,
    keyFromEnvironment: null,
    interrupted: new AbortController().signal,
    // Each attempt reaches the time limit.
    now: () => (now += 60_000),
    serviceProgram: () => expect.unreachable(),
  });
  for (const code of ['in-use', 'in-use', 'in-use']) {
    await expect(open()).rejects.toMatchObject({ failure: { code } });
    rmSync(profile, { force: true });
  }
  const output = String(stderr.read() ?? '');
  expect(output.match(/keychain cannot be used/g) ?? []).toHaveLength(
    process.platform === 'linux' ? 1 : 0,
  );
});
