import { describe, expect, test } from 'vitest';
import { serviceApiSchema } from '../../../../src/contract/service-profile.ts';
import { profileSchema, type Profile } from '../../../../src/engine/profiles/profile.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { settingChanges } from '../../../../src/host/settings/settings-changes.ts';
import { SettingsFile } from '../../../../src/host/settings/settings-file.ts';
import { SettingsStore } from '../../../../src/host/settings/settings-store.ts';
import { issuesIn } from '../../../../src/host/settings/try-rules.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const ORIGIN = 'https://api.example.com';

const OTHER: Profile = {
  ...storyboardProfile,
  name: 'Other',
  api: serviceApiSchema.parse({
    origin: ORIGIN,
    linkOrigins: ['https://cdn.example.com'],
    auth: { header: 'Authorization', scheme: 'Bearer' },
    headers: { 'X-Version': '2' },
    generate: { path: '/v1/videos' },
    status: { path: '/v1/videos/{id}' },
    file: { kind: 'content', path: '/v1/videos/{id}/content' },
  }),
};

function open(folder = temporaryFolder()): SettingsStore {
  return new SettingsStore(new SettingsFile(folder, () => 0));
}

test('a profile with endpoints is stored, exported and imported', () => {
  const folder = temporaryFolder();
  const store = open(folder);
  store.change({}, store.settings, { [ORIGIN]: OTHER });

  expect(open(folder).profiles).toEqual({ [ORIGIN]: OTHER });
  const read = open().readDocument(store.text());
  expect(read.errors).toEqual([]);
  expect(read.profiles).toEqual({ [ORIGIN]: OTHER });
});

test('a profile without endpoints is stored without them', () => {
  const folder = temporaryFolder();
  const store = open(folder);
  store.change({}, store.settings, { [ORIGIN]: storyboardProfile });

  expect(open(folder).profiles).toEqual({ [ORIGIN]: storyboardProfile });
  expect(open(folder).profiles[ORIGIN]).not.toHaveProperty('api');
});

// abuse.md 54
test('a profile of another service is not imported', () => {
  const text = JSON.stringify({ version: 1, profiles: { 'https://evil.example': OTHER } });

  expect(open().readDocument(text).errors).toMatchObject([
    {
      field: 'profiles.https://evil.example.api.origin',
      message: 'This profile is for https://api.example.com.',
    },
  ]);
});

test('an error in an endpoint is reported by its field', () => {
  const profile = { ...OTHER, api: { ...OTHER.api, generate: { path: '//evil.example/v1' } } };
  const text = JSON.stringify({ version: 1, profiles: { [ORIGIN]: profile } });

  expect(
    open()
      .readDocument(text)
      .errors.map(({ field }) => field),
  ).toEqual([`profiles.${ORIGIN}.api.generate.path`]);
});

test('a cost by a column that rows do not have is an error', () => {
  const rule = {
    perColumn: {
      column: 'seconds!',
      each: 1,
      cases: [{ when: [{ column: 'model!', isEmpty: true }], each: 1 }],
    },
  };
  const { error } = profileSchema.safeParse({ ...OTHER, api: { cost: { rule } } });

  expect(error && issuesIn(error)).toMatchObject([
    { field: 'api.cost.rule.perColumn.column', message: 'There is no column “seconds!”.' },
    {
      field: 'api.cost.rule.perColumn.cases.0.when.0.column',
      message: 'There is no column “model!”.',
    },
  ]);
});

// abuse.md 54
describe('the preview of an import', () => {
  test('shows where key, rows and files go', () => {
    const { settings } = open();
    const changes = settingChanges(
      { settings, profiles: {} },
      { settings, profiles: { [ORIGIN]: OTHER } },
    );

    expect(
      changes.map(({ name, from, to, isSensitive }) => [
        name.message,
        from.message,
        to.message,
        isSensitive,
      ]),
    ).toEqual([
      ['Response mapping of https://api.example.com', 'Default', '“Other”', true],
      [
        'Where keys and rows of https://api.example.com go',
        'Rows go to https://api.example.com/api/v1/video/generate. The API key goes to https://api.example.com in the header x-api-key. Status from https://api.example.com/api/v1/video/status/{id}. Files from https://api.example.com/api/v1/video/download/{id}.',
        'Rows go to https://api.example.com/v1/videos. The API key goes to https://api.example.com in the header authorization: Bearer. Status from https://api.example.com/v1/videos/{id}. Files from https://api.example.com/v1/videos/{id}/content. Links lead to https://cdn.example.com only. Further headers: x-version: 2.',
        true,
      ],
    ]);
  });

  test('names the practice account and its plan', () => {
    const { settings } = open();
    const practice = { ...settings, service: { kind: 'local', practice: 'pro' } } as const;
    const here = { ...settings, service: { kind: 'local', practice: null } } as const;
    const changes = settingChanges(
      { settings: here, profiles: {} },
      { settings: practice, profiles: {} },
    );
    expect(changes.map(({ from, to }) => [from.message, to.message])).toEqual([
      ['This computer', 'Practice account on this computer (pro)'],
    ]);
  });

  test('has no such change for a mapping alone', () => {
    const { settings } = open();
    const changes = settingChanges(
      { settings, profiles: {} },
      { settings, profiles: { [ORIGIN]: storyboardProfile } },
    );

    expect(changes.map(({ field }) => field)).toEqual([`profiles.${ORIGIN}`]);
  });

  test('names services with the same change in one line', () => {
    const { settings } = open();
    const origins = Array.from({ length: 30 }, (_, index) => `https://${index}.example.com`);
    const profiles = origins.map((origin) => [origin, withOrigin(OTHER, origin)] as const);
    const changes = settingChanges(
      { settings, profiles: {} },
      { settings, profiles: Object.fromEntries(profiles) },
    );

    expect(changes.map(({ name }) => name.message)).toEqual([
      `Response mapping of ${origins.join(', ')}`,
      `Where keys and rows of ${origins.join(', ')} go`,
    ]);
    expect(changes[1]?.to.message).toContain('Rows go to https://…/v1/videos.');
  });

  test('has a line for each service that sends rows elsewhere', () => {
    const { settings } = open();
    const [one, other] = ['https://one.example', 'https://other.example'];
    const changes = settingChanges(
      { settings, profiles: {} },
      {
        settings,
        profiles: {
          [one]: withOrigin(OTHER, one),
          [other]: withOrigin(OTHER, other, { generate: { path: '/webhook' } }),
        },
      },
    );

    expect(changes.map(({ name }) => name.message)).toEqual([
      `Response mapping of ${one}, ${other}`,
      `Where keys and rows of ${one} go`,
      `Where keys and rows of ${other} go`,
    ]);
    expect(changes[2]?.to.message).toContain('Rows go to https://other.example/webhook.');
  });
});

function withOrigin(profile: Profile, origin: string, api: object = {}): Profile {
  return { ...profile, api: serviceApiSchema.parse({ ...profile.api, origin, ...api }) };
}
