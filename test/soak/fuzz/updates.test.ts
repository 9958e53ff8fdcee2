import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { channelSignature, publicKeyOf } from '../../../build/update-signing.ts';
import {
  checkUpdateSignature,
  parseUpdate,
  signedBytes,
  UntrustedUpdateError,
} from '../../../src/main/update-signature.ts';
import { fuzz, textOf } from './fuzz.ts';

const publisher = generateKeyPairSync('ed25519').privateKey;
const NAME = 'latest-linux.yml';
const FILE = `version: 1.2.0
files:
  - url: Spool-1.2.0.AppImage
    sha512: nVfMDcvHjW0=
    size: 100
path: Spool-1.2.0.AppImage
sha512: nVfMDcvHjW0=
`;
const signed = FILE + channelSignature(NAME, FILE, publisher);
const genuine = signedBytes(NAME, parseUpdate(parse(FILE)));

fuzz('checkUpdateSignature', {
  seeds: [signed, FILE, JSON.stringify(parse(signed))],
  tokens: [
    'version: ',
    'files:',
    'signature: ',
    'sha512: ',
    '- url: ',
    'isAdminRightsRequired: true',
    '1.3.0',
    '\n  ',
    '&a ',
    '*a',
  ],
  throws: [UntrustedUpdateError],
  parse(bytes) {
    const update = yamlOf(textOf(bytes));
    checkUpdateSignature(update, NAME, publicKeyOf(publisher));
    return update;
  },
  // Every accepted description has exactly the version and files that the publisher signed.
  runs: 100,
  check: (update) => expect(signedBytes(NAME, parseUpdate(update))).toEqual(genuine),
});

/** As electron-updater parses it; invalid YAML never gets this far. */
function yamlOf(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' });
  } catch {
    return null;
  }
}
