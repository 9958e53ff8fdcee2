import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import type { Profile } from '../../../src/engine/profiles/profile.ts';
import { builtInProfile } from '../../../src/engine/profiles/services.ts';
import { openHost } from '../../../src/host/open-host.ts';
import { builtService } from '../../rigs/built-programs.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { addBatch } from '../../rigs/add-batch.ts';

const ORIGIN = 'https://service.invalid';

/** A remote service that receives no requests, as there is no key. */
async function open(folder: string): Promise<Client> {
  const service = { kind: 'remote', baseUrl: ORIGIN, ca: null };
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ version: 1, service }));
  const host = await openHost({
    dataDir: folder,
    defaultFolder: path.join(folder, 'videos'),
    keys: new MemoryKeyStore(),
    serviceProgram: builtService,
  });
  onTestFinished(() => host.close());
  return host.client;
}

const examples = {
  generate: '{"task":{"uuid":"a-1"}}',
  status: '{"task":{"uuid":"a-1","phase":"cooking"}} {"task":{"uuid":"a-1","phase":"served"}}',
};

test('a profile is proposed from responses, corrected, tried, saved and used', async () => {
  const client = await open(temporaryFolder());
  const { profile, from } = await client.profile.get();
  expect(from).toBe('usual');
  const proposal = await client.profile.propose(examples);
  expect(proposal.words.map(({ word }) => word)).toEqual(['cooking', 'served']);
  const words = { ...proposal.rules.words, cooking: 'working', served: 'done' };
  const answers = { ...proposal.rules, words };

  const { reading } = await client.profile.test({ examples, answers });
  expect(reading?.id).toBe('a-1');
  expect(reading?.statuses.map(({ state }) => state)).toEqual(['working', 'done']);
  const request = { ...profile.request, body: { caption: '{{title}}' } };
  const saved = await client.profile.save({
    origin: ORIGIN,
    profile: { name: 'Mine', answers, request },
  });

  expect(saved).toMatchObject({ errors: [], from: 'saved', profile: { name: 'Mine' } });
  const { jobIds } = await addBatch(client, {
    source: { name: 'week.csv', content: 'title\nOne' },
  });
  const { request: sent } = await client.jobs.show({ id: jobIds[0] ?? '' });
  expect(sent).toEqual({ caption: 'One' });
  expect(await client.profile.reset({ origin: ORIGIN })).toMatchObject({ from: 'usual' });
});

test('a saved profile is exported with the settings, and imported with them', async () => {
  const client = await open(temporaryFolder());
  const [, other] = await client.profile.startingPoints();
  await client.profile.save({ origin: ORIGIN, profile: other });
  const { text } = await client.settings.export();
  const elsewhere = await open(temporaryFolder());

  const { changes, confirmation } = await elsewhere.settings.previewImport({ text });
  expect(changes.map(({ field, isSensitive }) => [field, isSensitive])).toEqual([
    [`profiles.${ORIGIN}`, true],
  ]);
  await elsewhere.settings.import({ text, confirmation });

  expect(await elsewhere.profile.get()).toMatchObject({ from: 'saved', profile: other });
});

test('an invalid profile is reported by field, and not saved', async () => {
  const client = await open(temporaryFolder());
  const { profile } = await client.profile.get();
  const answers = { ...profile.answers, id: ['not a path'] };

  const { errors, from } = await client.profile.save({
    origin: ORIGIN,
    profile: { ...profile, answers },
  });

  expect(errors.map(({ field }) => field)).toEqual(['answers.id.0']);
  expect(from).toBe('usual');
  expect(await client.profile.test({ examples, answers })).toMatchObject({ reading: null });
});

// An editor in another window reloads the profile at this event.
test('watchers of the settings receive a saved profile once it is in force', async () => {
  const client = await open(temporaryFolder());
  const [, other] = await client.profile.startingPoints();
  const views = await client.settings.watch();
  await views.next();
  const saving = client.profile.save({ origin: ORIGIN, profile: other });
  await views.next();
  expect(await client.profile.get()).toMatchObject({ from: 'saved', profile: other });
  await saving;
  await views.return();
});

describe('a service at the address of another one', () => {
  const service = { kind: 'remote', baseUrl: ORIGIN, ca: null } as const;
  const runway = { ...builtInProfile('runway') };
  const profileAt = (generatePath: string, name: string): Profile => {
    const { api, ...profile } = runway;
    const generate = { ...api!.generate, path: generatePath };
    return { ...profile, name, api: { ...api!, origin: ORIGIN, generate } };
  };
  const one = profileAt('/v1/one', 'One');
  const sameRequests = { ...one, name: 'One, corrected' };
  const two = profileAt('/v2/two', 'Two');
  const source = { name: 'week.csv', content: 'prompt\nA lake' };

  test('replaces its profile only when the user agreed to that', async () => {
    const client = await open(temporaryFolder());
    const use = (profile: Profile, replace?: string) =>
      client.settings.useService({ settings: { service }, profile, replace });
    const first = await use(one);
    expect(first).toMatchObject({
      errors: [],
      replaces: { name: 'service.invalid', origin: ORIGIN, openVideos: 0 },
    });
    expect((await client.profile.get()).from).toBe('usual');
    expect(await use(one, first.replaces?.confirmation ?? '')).toMatchObject({ replaces: null });

    // A profile does not replace itself.
    expect(await use(one)).toMatchObject({ replaces: null });
    const second = await use(two, first.replaces?.confirmation ?? '');
    expect(second.replaces).toMatchObject({ name: 'One', openVideos: 0 });
    expect((await client.profile.get()).profile.name).toBe('One');
    await use(two, second.replaces?.confirmation ?? '');
    expect((await client.profile.get()).profile.name).toBe('Two');
    const none = await client.settings.useService({ settings: { service }, profile: null });
    expect(none.replaces).toMatchObject({ name: 'Two' });
    expect((await client.profile.get()).profile.name).toBe('Two');
  });

  test('keeps its profile while it has videos that use it', async () => {
    const client = await open(temporaryFolder());
    const use = (profile: Profile, replace?: string) =>
      client.settings.useService({ settings: { service }, profile, replace });
    await use(one, (await use(one)).replaces?.confirmation ?? '');
    await addBatch(client, { source });
    expect((await use(two)).replaces).toEqual({
      name: 'One',
      origin: ORIGIN,
      openVideos: 1,
      confirmation: null,
    });
    expect((await use(two, 'any')).replaces).toMatchObject({ confirmation: null });
    expect((await client.profile.get()).profile.name).toBe('One');

    const corrected = await use(sameRequests);
    expect(corrected.replaces).toMatchObject({ name: 'One', openVideos: 1 });
    await use(sameRequests, corrected.replaces?.confirmation ?? '');
    expect((await client.profile.get()).profile.name).toBe('One, corrected');

    // The same while another service is shown.
    await client.settings.set({ service: { ...service, baseUrl: 'https://other.invalid' } });
    expect((await use(two)).replaces).toMatchObject({ openVideos: 1, confirmation: null });
    expect((await client.settings.get()).settings.service).toMatchObject({
      baseUrl: 'https://other.invalid',
    });
  });
});
