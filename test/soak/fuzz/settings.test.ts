import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { profileDocumentSchema } from '../../../src/contract/profile.ts';
import { settingChangeSchema, settingsSchema } from '../../../src/contract/settings.ts';
import { folderIssue } from '../../../src/engine/files/folder-path.ts';
import { KeyNotes } from '../../../src/engine/keys/key-notes.ts';
import { profileSchema } from '../../../src/engine/profiles/profile.ts';
import { startingPoints } from '../../../src/host/settings/starting-points.ts';
import { lastPort } from '../../../src/host/last-port.ts';
import { localOrigin } from '../../../src/host/local-port.ts';
import { publishedAddress } from '../../../src/host/primary-address.ts';
import { fingerprintsOf } from '../../../src/host/settings/certificates.ts';
import { issuesIn } from '../../../src/host/settings/try-rules.ts';
import {
  peekAtProfiles,
  peekAtSettings,
  SettingsStore,
} from '../../../src/host/settings/settings-store.ts';
import { settingChanges } from '../../../src/host/settings/settings-changes.ts';
import { formatDocument, SettingsFile } from '../../../src/host/settings/settings-file.ts';
import { serviceChoiceOf } from '../../../src/host/settings/effective-settings.ts';
import { issueCertificate } from '../../rigs/certificates.ts';
import { safeParse } from '../../../src/contract/safe-parse.ts';
import { fuzz, textOf } from './fuzz.ts';
import { ofJson } from './mutations.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'spool-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

const store = new SettingsStore(new SettingsFile(path.join(folder, 'none'), () => 0));
const { ca, cert } = await issueCertificate();
const [profile] = startingPoints;
const ELSEWHERE = {
  version: 1,
  nameTemplate: '{title}.mp4',
  folder: '/videos',
  startAtLogin: true,
  service: { kind: 'remote', baseUrl: 'https://api.example.com/base', ca },
  plan: { name: 'custom', limit: 77, billingDate: '2026-03-17', zone: 'Europe/Berlin' },
  profiles: { 'https://api.example.com': profile },
};
const NESTED: unknown = JSON.parse('['.repeat(3000) + ']'.repeat(3000));
const documents = {
  mutations: ofJson,
  seeds: [JSON.stringify(ELSEWHERE), store.text(), formatDocument({ theme: 'dark' })],
  tokens: [
    '"service":',
    '"remote"',
    '"https://user:pw@a.example/?q#h"',
    '"ca":',
    '"profiles":',
    '[[',
    '"folder":',
    '"//host/share"',
    '"C:\\\\a"',
    '"/a\\u0000"',
    '"updates":',
    '"preview"',
    '"__proto__":{"startAtLogin":true}',
    '{"a":',
    '[[[[',
    '"zone":',
    '"UTC"',
    '"limit":',
  ],
};

fuzz('a document with settings', {
  ...documents,
  parse: (bytes) => store.readDocument(textOf(bytes)),
  found: {
    'A profile of 3,000 levels overflowed the stack, also at the next start of the app':
      formatDocument({
        profiles: { 'https://a.example': NESTED },
      }),
    'An address that hides its host behind a user name prevented the app from opening':
      formatDocument({
        service: { kind: 'remote', baseUrl: 'https://video.example.com@evil.example' },
      }),
  },
  check({ settings, profiles, patch, errors }) {
    expect(settingsSchema.parse(settings)).toEqual(settings);
    expect(Object.prototype).not.toHaveProperty('startAtLogin');
    if (errors.length > 0) return;
    const changes = settingChanges(store, { settings, profiles });
    for (const change of changes) settingChangeSchema.parse(change);
    // Every change is shown, and every shown change would be made.
    const isSame = Object.keys(patch).length === 0 && Object.keys(profiles).length === 0;
    expect(changes.length === 0).toBe(isSame);
    expect(settings.folder === null || folderIssue(settings.folder) === null).toBe(true);
    const choice = serviceChoiceOf(settings);
    if (choice.kind === 'remote') {
      const { username, password, search, hash, protocol } = new URL(choice.baseUrl);
      expect([protocol, username + password + search + hash]).toEqual(['https:', '']);
    }
    for (const origin of Object.keys(profiles)) expect(new URL(origin).origin).toBe(origin);
    const again = store.readDocument(formatDocument({ ...settings, profiles }));
    expect(again).toEqual({ settings, profiles, patch: expect.anything() as unknown, errors: [] });
  },
  runs: 100,
});

fuzz('a service profile', {
  mutations: ofJson,
  seeds: startingPoints.map((each) => JSON.stringify(each)),
  tokens: [
    '"words":{',
    '"done"',
    '"under":',
    '"[0]"',
    '"body":',
    '"$if"',
    '{{title}}',
    '"type":',
    '{"a":',
    '[[[[',
    ']]]]',
    '"columns":',
    '"default":',
    '"step":0',
    '"options":[]',
  ],
  parse(bytes) {
    const json = jsonOf(textOf(bytes));
    const parsed = safeParse(profileSchema, json, { reportInput: true });
    return { parsed, errors: parsed.error === undefined ? [] : issuesIn(parsed.error) };
  },
  check({ parsed, errors }) {
    expect(parsed.success).toBe(errors.length === 0);
    if (!parsed.success) return;
    profileDocumentSchema.parse(parsed.data);
    expect(profileSchema.parse(JSON.parse(JSON.stringify(parsed.data)))).toEqual(parsed.data);
  },
  runs: 100,
});

fuzz('the files of a data folder', {
  mutations: ofJson,
  seeds: [
    JSON.stringify(ELSEWHERE),
    '{"https://a.example":{"since":1,"label":"Studio"}}',
    '40123\n',
    path.join(folder, 'spool.sock'),
  ],
  tokens: ['{"version":1', '40123', '\n', '"since":', '"label":'],
  async parse(bytes) {
    const files = ['settings.json', 'keys.json', 'web-port', 'port'];
    for (const file of files) writeFileSync(path.join(folder, file), bytes);
    return {
      settings: peekAtSettings(folder),
      profiles: peekAtProfiles(folder),
      key: new KeyNotes(folder).read('https://a.example'),
      port: lastPort(folder),
      local: localOrigin(folder),
      primary: await publishedAddress(folder),
    };
  },
  check({ settings, profiles, key, port, local }) {
    expect(settingsSchema.parse(settings)).toEqual(settings);
    for (const each of Object.values(profiles)) profileSchema.parse(each);
    expect(key.label?.length ?? 0).toBeLessThanOrEqual(60);
    if (port !== undefined) expect(port > 1023 && port < 65_536).toBe(true);
    if (local !== null) expect(new URL(local).hostname).toBe('127.0.0.1');
  },
  runs: 100,
});

fuzz('fingerprintsOf', {
  seeds: [ca, `${ca}\n${cert}`, ca.replaceAll('\n', '\r\n')],
  tokens: ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----', '-----BEGIN TRUSTED ', '-'],
  parse: (bytes) => fingerprintsOf(textOf(bytes)),
  check(fingerprints) {
    for (const each of fingerprints)
      expect(each).toMatch(/^SHA-256 (?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  },
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
