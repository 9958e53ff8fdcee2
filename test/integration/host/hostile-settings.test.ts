import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import { storyboardProfile } from '../../../src/engine/profiles/storyboard.ts';
import { hasNumberAsHost } from '../../../src/contract/base-address.ts';
import { userMessage, joinMessages } from '../../../src/contract/user-message.ts';
import { headlessComputer, type Computer } from '../../../src/host/computer.ts';
import { issueCertificate } from '../../rigs/certificates.ts';
import { openIdleEngine } from '../../rigs/idle-engine.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const UNC = '\\\\evil.example\\share';

// abuse.md 47
describe('a path or a text with hidden parts', () => {
  it.each([
    ['folder', { folder: UNC }, 'folder-on-network'],
    ['folder', { folder: '//evil.example/share' }, 'folder-on-network'],
    ['folder', { folder: '/videos\u0000' }, 'value-invisible'],
    ['nameTemplate', { nameTemplate: '{title}\u202e4pm.exe' }, 'value-invisible'],
    [
      'service.baseUrl',
      { service: { kind: 'remote', baseUrl: 'https://api.exam\u200bple.com' } },
      'value-invisible',
    ],
    ...[
      'https://video.example.com@evil.example',
      'https://a.example/?q',
      'https:\\\\a.example',
    ].map(
      (baseUrl) =>
        ['service.baseUrl', { service: { kind: 'remote', baseUrl } }, 'address-with-more'] as const,
    ),
    // Parsers of addresses read each as an IP address.
    ...[
      'https://8080',
      'https://8080:443/',
      'https://127.1',
      'https://0x7f.0.0.1',
      'https://0177.0.0.1',
    ].map(
      (baseUrl) =>
        ['service.baseUrl', { service: { kind: 'remote', baseUrl } }, 'address-is-number'] as const,
    ),
  ] as const)('is refused as a setting: %s of %j', async (field, patch, sentence) => {
    const { client } = await openIdleEngine(temporaryFolder());
    const { errors } = await client.settings.set(patch);
    expect(errors).toEqual([{ field, ...userMessage(sentence) }]);
  });

  it.each([
    'https://127.0.0.1:8080',
    'https://10.0.0.255',
    'https://1password.example',
    'https://4.pro',
    'https://[::1]:8080',
  ])('is not assumed of %s', (baseUrl) => {
    expect(hasNumberAsHost(baseUrl)).toBe(false);
  });

  it('is refused as the folder of a batch, with a message that names it', async () => {
    const { client } = await openIdleEngine(temporaryFolder());
    const source = { name: 'a.csv', content: 'title\nOne' };
    const { origin } = await client.profile.get();
    for (const call of [client.batches.plan, client.batches.add]) {
      await expect(call({ origin, source, options: { folder: UNC } })).rejects.toMatchObject({
        data: {
          code: 'folder-unusable',
          ...joinMessages(
            userMessage('folder-unusable', { folder: UNC }),
            userMessage('folder-on-network'),
          ),
        },
      });
    }
  });

  it('is refused as the name template of a batch', async () => {
    const { client } = await openIdleEngine(temporaryFolder());
    const source = { name: 'a.csv', content: 'title\nOne' };
    const options = { nameTemplate: '{title}\u202e4pm' };
    const { origin } = await client.profile.get();
    await expect(client.batches.add({ origin, source, options })).rejects.toMatchObject({
      data: { code: 'value-invalid', ...userMessage('name-template-invisible') },
    });
  });

  it('is refused as the name of a profile', async () => {
    const { client } = await openIdleEngine(temporaryFolder());
    const { origin, profile } = await client.profile.get();
    const { errors } = await client.profile.save({
      origin,
      profile: { ...profile, name: 'Mine\u0007' },
    });
    expect(errors).toEqual([{ field: 'name', ...userMessage('value-invisible') }]);
  });

  it('is not used as the start of a dialog', async () => {
    const asked: unknown[] = [];
    const computer: Computer = {
      ...headlessComputer,
      chooseFolder(startIn) {
        asked.push(startIn);
        return Promise.resolve(null);
      },
      chooseFiles({ startIn }) {
        asked.push(startIn);
        return Promise.resolve([]);
      },
    };
    const { client } = await openIdleEngine(temporaryFolder(), computer);
    await client.computer.chooseFolder({ startIn: UNC });
    await client.computer.chooseFolder({ startIn: '/videos' });
    await client.computer.chooseFiles({ kind: 'clip', several: false, startIn: UNC });
    await client.computer.chooseFiles({ kind: 'clip', several: false, startIn: '/videos' });
    expect(asked).toEqual([undefined, '/videos', undefined, '/videos']);
  });
});

const HOSTILE = {
  service: { kind: 'remote', baseUrl: 'https://video.evil.example', ca: null },
  folder: '/home/vic/.config/autostart',
  nameTemplate: '{title}.desktop.mp4',
  onCollision: 'replace',
  allowVpnAddresses: true,
  startAtLogin: true,
  updates: 'preview',
  profiles: { 'https://video.evil.example': { ...storyboardProfile, name: 'Default' } },
};

const document = (settings: object): string => JSON.stringify({ version: 1, ...settings });

const fingerprint = (pem: string): string => `SHA-256 ${new X509Certificate(pem).fingerprint256}`;

async function settingsNow(client: Client) {
  return (await client.settings.get()).settings;
}

// abuse.md 49
describe('a file with settings', () => {
  it('is imported only with a confirmation of its changes, sensitive ones first', async () => {
    const { client } = await openIdleEngine(temporaryFolder());
    const before = await settingsNow(client);
    const text = document({ theme: 'dark', ...HOSTILE, service: before.service });

    const { changes, errors, confirmation } = await client.settings.previewImport({ text });

    expect(errors).toEqual([]);
    expect(changes.map(({ name, from, to }) => [name.message, from.message, to.message])).toEqual([
      ['Folder', 'Default', '/home/vic/.config/autostart'],
      ['If a file already exists', 'Add a number', 'Replace the file'],
      ['Allow addresses of VPNs and mobile networks', 'Off', 'On'],
      ['Start when I log in', 'Off', 'On'],
      ['Updates', 'None', 'Previews too'],
      ['Response mapping of https://video.evil.example', 'Default', '“Default”'],
      ['File names', '{batch}/{index} {title}.mp4', '{title}.desktop.mp4'],
      ['Theme', 'System', 'Dark'],
    ]);
    expect(changes.filter(({ isSensitive }) => isSensitive)).toHaveLength(6);
    expect(await settingsNow(client)).toEqual(before);
    await expect(client.settings.import({ text, confirmation: '' })).rejects.toMatchObject({
      data: userMessage('settings-changed-meanwhile'),
    });
    expect(await settingsNow(client)).toEqual(before);

    await client.settings.import({ text, confirmation });

    expect(await settingsNow(client)).toMatchObject({ startAtLogin: true, theme: 'dark' });
    expect((await client.settings.previewImport({ text })).changes).toEqual([]);
  });

  it('is not imported when the settings, or the file, changed after the confirmation', async () => {
    const { client } = await openIdleEngine(temporaryFolder());
    const text = document({ startAtLogin: true });
    const { confirmation } = await client.settings.previewImport({ text });

    const other = document({ startAtLogin: true, updates: 'preview' });
    await expect(client.settings.import({ text: other, confirmation })).rejects.toThrow('changed');
    await client.settings.set({ closeToTray: false });
    await expect(client.settings.import({ text, confirmation })).rejects.toThrow('changed');
    expect(await settingsNow(client)).toMatchObject({ startAtLogin: false, updates: 'off' });
  });

  it('names the service and the certificates that it would trust', async () => {
    const { client } = await openIdleEngine(temporaryFolder());
    const [{ ca: one }, { ca: other }] = [await issueCertificate(), await issueCertificate()];
    const of = (ca: string) =>
      document({ service: { kind: 'remote', baseUrl: 'https://video.evil.example', ca } });

    const { changes } = await client.settings.previewImport({ text: of(`${one}\n${other}`) });

    expect(changes.map(({ name }) => name.message)).toEqual(['Service', 'Custom certificate']);
    expect(changes[0]?.to.message).toBe('https://video.evil.example');
    expect(changes[1]?.to.message).toBe(`${fingerprint(one)}, ${fingerprint(other)}`);
    const alike = document({ service: { kind: 'remote', baseUrl: 'https://vіdeo.example.com' } });
    const { changes: spelt } = await client.settings.previewImport({ text: alike });
    expect(spelt[0]?.to.message).toBe('https://vіdeo.example.com (xn--vdeo-l9d.example.com)');
    const hidden = other.replaceAll('CERTIFICATE', 'TRUSTED CERTIFICATE');
    for (const ca of [`${one}\n${hidden}`, '-----BEGIN CERTIFICATE-----']) {
      const { errors } = await client.settings.previewImport({ text: of(ca) });
      expect(errors).toEqual([
        {
          field: 'service.ca',
          ...userMessage('value-not-pem'),
          name: userMessage('setting-certificate'),
        },
      ]);
    }
  });

  it.each(['javascript:alert(1)', 'http://a.example', 'https://a.example/path'])(
    'is refused with a profile for no valid service: %s',
    async (origin) => {
      const { client } = await openIdleEngine(temporaryFolder());
      const profiles = JSON.stringify({ a: storyboardProfile }).replace(
        '"a"',
        JSON.stringify(origin),
      );
      const text = `{"version": 1, "profiles": ${profiles}}`;
      const { errors } = await client.settings.previewImport({ text });
      expect(errors).toEqual([
        { field: `profiles.${origin}`, ...userMessage('value-not-https'), name: null },
      ]);
    },
  );
});
