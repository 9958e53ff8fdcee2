import { generateKeyPairSync } from 'node:crypto';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { channelSignature, publicKeyOf } from '../../../build/update-signing.ts';
import { checkUpdateSignature, UntrustedUpdateError } from '../../../src/main/update-signature.ts';

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

const signed = (key = publisher): string => CHANNEL_FILE + channelSignature(CHANNEL_FILE, key);
const check = (text: string, key: string | undefined = PUBLIC_KEY) => {
  checkUpdateSignature(parse(text), key);
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
    ['with an invalid signature', `${CHANNEL_FILE}signature: '!'\n`],
    ['with a list as its signature', `${CHANNEL_FILE}signature: []\n`],
    ['without files', 'version: 1.2.0\n'],
    ['that is not a channel file', 'Not found'],
  ])('is refused for an update %s', (_, text) => {
    expect(() => check(text)).toThrow(UntrustedUpdateError);
  });

  it('is refused by a build without a key', () => {
    expect(() => {
      checkUpdateSignature(parse(signed()), undefined);
    }).toThrow('no key to check updates with');
  });
});
