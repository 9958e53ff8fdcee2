import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import type { Serial } from '../serial.ts';

/**
 * The operations on the system's keychain. Secrets are stored under Spool's name and an account.
 */
export interface Keychain {
  /** `null` when there is none for this account. */
  read(account: string): Promise<string | null>;
  write(account: string, secret: string): Promise<void>;
  /** Deletes it, if it is there. */
  remove(account: string): Promise<void>;
}

/** The name under which the system's own keychain application lists Spool's secrets. */
const SERVICE = 'Spool';

/**
 * The keychain of macOS, Windows or a Linux desktop. Rejects where its native library cannot be
 * loaded, such as on a server without libsecret.
 */
export async function loadSystemKeychain(): Promise<Keychain> {
  const { default: keytar } = await import('keytar');
  return {
    read: (account) => keytar.getPassword(SERVICE, account),
    write: (account, secret) => keytar.setPassword(SERVICE, account, secret),
    async remove(account) {
      await keytar.deletePassword(SERVICE, account);
    },
  };
}

/** The keychain refused, is locked, is missing or does not answer. */
export class KeychainTrouble extends Error {
  readonly code = 'keychain-unusable';
  readonly userMessage: UserMessage;

  constructor(message: UserMessage, options?: ErrorOptions) {
    super(message.message, options);
    this.userMessage = message;
    this.name = 'KeychainTrouble';
  }
}

/** Longer reasons are for a debugger, not for a message. */
const MAX_REASON = 200;

/**
 * Loads a keychain whose operations resolve in time, or reject with `KeychainTrouble`. An operation
 * that is too late still ends before the next begins: a late write replaces no later one, and a
 * keychain that does not answer occupies only one of the threads that Node also uses for files. If
 * it never answers, keys stay in memory until Spool ends.
 *
 * @param calls runs the operations of all keychains that are loaded with it
 * @throws {KeychainTrouble} when there is none to be loaded
 */
export async function loadTimed(
  load: () => Promise<Keychain>,
  clock: Clock,
  timeoutMs: number,
  calls: Serial,
): Promise<Keychain> {
  const keychain = await inTime(load, clock, timeoutMs);
  const call = <T>(operation: () => Promise<T>): Promise<T> =>
    inTime(() => calls.run(operation), clock, timeoutMs);
  return {
    read: (account) => call(() => keychain.read(account)),
    write: (account, secret) => call(() => keychain.write(account, secret)),
    remove: (account) => call(() => keychain.remove(account)),
  };
}

async function inTime<T>(work: () => Promise<T>, clock: Clock, timeoutMs: number): Promise<T> {
  const answered = new AbortController();
  const late = clock.sleep(timeoutMs, answered.signal).then(() => {
    throw new KeychainTrouble(userMessage('keychain-silent'));
  });
  // The sleep is usually aborted; its rejection then is no error.
  late.catch(() => undefined);
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    if (error instanceof KeychainTrouble) throw error;
    const reason = reasonIn(error);
    const message =
      reason === ''
        ? userMessage('keychain-unusable')
        : userMessage('keychain-unusable-because', { cause: reason });
    throw new KeychainTrouble(message, { cause: error });
  } finally {
    answered.abort(new Error('answered'));
  }
}

function reasonIn(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  const [line = ''] = text.split(/[\r\n]/);
  return line
    .replace(/\p{Cc}/gu, '')
    .slice(0, MAX_REASON)
    .trim()
    .replace(/\.$/, '');
}

/**
 * What the user can do so that the keychain stores keys; `null` on systems that always have one.
 *
 * @param trouble what the keychain, or the loading of its library, reported
 */
export function keychainAdvice(platform: NodeJS.Platform, trouble: string): UserMessage | null {
  if (platform !== 'linux') return null;
  return trouble.includes('libsecret')
    ? userMessage('install-libsecret')
    : userMessage('install-keyring');
}
