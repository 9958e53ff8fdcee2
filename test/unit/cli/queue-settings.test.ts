import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { resolveQueueSettings } from '../../../src/cli/queue-settings.ts';
import { builtInProfile } from '../../../src/engine/profiles/services.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

test('counts months from the first where no billing date is given, on any day', async () => {
  const options = { dataDir: '/data', service: 'https://service.example', plan: 'starter' };
  const { service } = await resolveQueueSettings(options, '/videos');
  if (service?.kind !== 'remote') throw new Error('It is another service.');
  expect(new Date(service.plan.anchor).getUTCDate()).toBe(1);
});

test('a profile that was saved for a service replaces the built-in one of its name', async () => {
  const dataDir = temporaryFolder();
  const builtIn = builtInProfile('runway');
  const options = { dataDir, service: 'runway' };
  expect((await resolveQueueSettings(options, '/videos')).profile).toEqual(builtIn);

  const saved = { ...builtIn, name: 'Runway, as we use it' };
  const profiles = { 'https://api.dev.runwayml.com': saved };
  writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify({ version: 1, profiles }));
  expect((await resolveQueueSettings(options, '/videos')).profile).toEqual(saved);
  const given = { ...options, profile: 'luma' };
  expect((await resolveQueueSettings(given, '/videos')).profile).toEqual(builtInProfile('luma'));
});

// abuse.md 71
test('a profile file sends the key to no origin that the user has not seen', async () => {
  const dataDir = temporaryFolder();
  const { api, ...builtIn } = builtInProfile('runway');
  const upload = { origin: 'https://files.example', path: '/files', at: 'id', lifeMs: 600_000 };
  const profile = { ...builtIn, api: { ...api, upload } };
  const file = path.join(dataDir, 'runway.json');
  writeFileSync(file, JSON.stringify(profile));
  const options = { dataDir, service: 'runway', profile: file };
  await expect(resolveQueueSettings(options, '/videos')).rejects.toMatchObject({
    failure: { detail: expect.stringContaining('key to https://files.example') as string },
  });

  const profiles = { 'https://api.dev.runwayml.com': profile };
  writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify({ version: 1, profiles }));
  const { profile: used } = await resolveQueueSettings(options, '/videos');
  expect(used?.api?.upload).toMatchObject(upload);
});
