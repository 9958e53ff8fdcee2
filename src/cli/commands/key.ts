import { openKeyStore } from '../../engine/keys/open-key-store.ts';
import { systemClock } from '../../engine/system-clock.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { readSecret } from '../read-secret.ts';

/** service-api.md §2.1: the fixed prefix marks a key of the service. */
const KEY = /^svc_live_\S+$/;

const LAST = 4;

/** Keeps the key of a service in the system's keychain; it is typed unseen or read from a pipe. */
export async function setKey(
  origin: string,
  { stdin, stdout, stderr }: CommandContext,
): Promise<ExitCode> {
  const { store, reason } = await openKeyStore({ clock: systemClock });
  if (reason !== null) {
    stderr.write(`${reason} Give it in SPOOL_API_KEY with each run instead.\n`);
    return EXIT.someFailed;
  }
  const key = await readSecret(`API key for ${origin} (not shown): `, stdin, stderr);
  if (key === null || !KEY.test(key)) {
    stderr.write('That is no API key: one begins with svc_live_ and has no spaces.\n');
    return EXIT.usage;
  }
  await store.set(origin, key);
  stdout.write(`The key that ends in ${key.slice(-LAST)} is kept for ${origin}.\n`);
  return EXIT.allSaved;
}

/** Says which key is kept for a service, by its last characters. */
export async function tellKey(origin: string, { stdout }: CommandContext): Promise<ExitCode> {
  const { store, reason } = await openKeyStore({ clock: systemClock });
  const key = await store.get(origin);
  const words =
    key === null
      ? (reason ?? `No key is kept for ${origin}.`)
      : `A key that ends in ${key.slice(-LAST)} is kept for ${origin}.`;
  stdout.write(`${words}\n`);
  return key === null ? EXIT.keyRefused : EXIT.allSaved;
}

/** Removes the key of a service from the system's keychain. */
export async function forgetKey(origin: string, { stdout }: CommandContext): Promise<ExitCode> {
  const { store } = await openKeyStore({ clock: systemClock });
  await store.forget(origin);
  stdout.write(`No key is kept for ${origin} any more.\n`);
  return EXIT.allSaved;
}
