import { generateKeyPairSync } from 'node:crypto';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { channelSignature, publicKeyOf } from '../../../build/update-signing.ts';
import {
  channelFileName,
  checkUpdateSignature,
  UntrustedUpdateError,
} from '../../../src/main/update-signature.ts';

const publisher = generateKeyPairSync('ed25519').privateKey;
const otherKey = generateKeyPairSync('ed25519').privateKey;
const PUBLIC_KEY = publicKeyOf(publisher);

/** In the format of electron-builder. */
const CHANNEL_FILE = `version: 1.2.0
files:
  - url: Spool-1.2.0.AppImage
    sha512: nVfMDcvHjW0=
    size: 100
    blockMapSize: 10
path: Spool-1.2.0.AppImage
sha512: nVfMDcvHjW0=
releaseDate: '2026-01-01T00:00:00.000Z'
`;

const NAME = 'latest-linux.yml';
const signed = (key = publisher, name = NAME): string =>
  CHANNEL_FILE + channelSignature(name, CHANNEL_FILE, key);
const check = (text: string, key: string | undefined = PUBLIC_KEY) => {
  checkUpdateSignature(parse(text), NAME, key);
};

// abuse.md 38
describe('the signature of an update', () => {
  it('is accepted from the publisher', () => {
    expect(() => check(signed())).not.toThrow();
  });

  it.each([
    ['without a signature', CHANNEL_FILE],
    ['signed with another key', signed(otherKey)],
    ['of another version', signed().replace('version: 1.2.0', 'version: 1.3.0')],
    [
      'with another file',
      signed().replace('sha512: nVfMDcvHjW0=\n    size', 'sha512: AAAA\n    size'),
    ],
    ['with another name', signed().replace('url: Spool', 'url: Other')],
    [
      'with an additional file',
      signed().replace('path:', '  - url: Spool-1.2.0.exe\n    sha512: AAAA\npath:'),
    ],
    ['of another channel', signed(publisher, 'beta-linux.yml')],
    ['for another system', signed(publisher, 'latest-mac.yml')],
    ['for another architecture', signed(publisher, 'latest-linux-arm64.yml')],
    ['of another size', signed().replace('size: 100', 'size: 10')],
    ['with a web installer', `${signed()}packages: { x64: { path: a.7z, sha512: AAAA } }\n`],
    [
      'that asks for an administrator’s rights',
      signed().replace('size: 100', 'size: 100\n    isAdminRightsRequired: true'),
    ],
    ['that asks for them as a whole', `${signed()}isAdminRightsRequired: true\n`],
    ['that names another file', signed().replace('path: Spool', 'path: Other')],
    ['with an invalid signature', `${CHANNEL_FILE}signature: '!'\n`],
    ['with a list as its signature', `${CHANNEL_FILE}signature: []\n`],
    ['without files', 'version: 1.2.0\n'],
    ['that is not a channel file', 'Not found'],
  ])('is refused for an update %s', (_, text) => {
    expect(() => check(text)).toThrow(UntrustedUpdateError);
  });

  it.each([
    ['win32', 'arm64', 'latest.yml'],
    ['darwin', 'arm64', 'latest-mac.yml'],
    ['linux', 'x64', 'latest-linux.yml'],
    ['linux', 'arm64', 'latest-linux-arm64.yml'],
  ] as const)('names the channel file of %s on %s as the library does', (platform, arch, name) => {
    expect(channelFileName('latest', platform, arch)).toBe(name);
  });

  it('is not made for a description that apps refuse', () => {
    const described = `${CHANNEL_FILE}isAdminRightsRequired: true\n`;
    expect(() => channelSignature(NAME, described, publisher)).toThrow(UntrustedUpdateError);
  });

  it('is refused by a build without a key', () => {
    expect(() => {
      checkUpdateSignature(parse(signed()), NAME, undefined);
    }).toThrow('no key to check updates with');
  });
});
