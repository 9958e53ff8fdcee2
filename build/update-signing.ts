import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { appendFileSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { parseUpdate, signedBytes } from '../src/main/update-signature.ts';

/**
 * The key that updates are signed with, from `SPOOL_UPDATES_KEY`: an Ed25519 private key in PEM, as
 * `openssl genpkey -algorithm ed25519` makes it.
 *
 * @throws {TypeError} for anything else
 */
export function updatesKey(env: NodeJS.ProcessEnv): KeyObject {
  const pem = env.SPOOL_UPDATES_KEY ?? '';
  if (pem === '') {
    throw new TypeError(
      'SPOOL_UPDATES_URL needs SPOOL_UPDATES_KEY: apps take signed updates only.',
    );
  }
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // Without the cause, which may quote the key.
    throw new TypeError('SPOOL_UPDATES_KEY should be an Ed25519 private key in PEM.');
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new TypeError('SPOOL_UPDATES_KEY should be an Ed25519 key.');
  }
  return key;
}

/** The public half as packages contain it: SPKI in base64. */
export function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
}

/**
 * The line to add to a channel file (`latest.yml`): the signature that apps check
 * (src/main/update-signature.ts).
 *
 * @throws when the file has fields that apps would refuse
 */
export function channelSignature(fileName: string, text: string, key: KeyObject): string {
  const bytes = signedBytes(fileName, parseUpdate(parse(text)));
  return `signature: ${sign(null, bytes, key).toString('base64')}\n`;
}

/** Signs each channel file that electron-builder wrote into a folder; returns their names. */
export function signChannelFiles(folder: string, key: KeyObject): readonly string[] {
  const names = globSync('{latest,beta,alpha}*.yml', { cwd: folder }).sort();
  for (const name of names) {
    const file = path.join(folder, name);
    appendFileSync(file, channelSignature(name, readFileSync(file, 'utf8'), key));
  }
  return names;
}
