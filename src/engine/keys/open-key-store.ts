import { tell, tellAll, type Told } from '../../contract/told.ts';
import type { Clock } from '../clock.ts';
import type { KeyStore } from './key-store.ts';
import { keychainAdvice } from './keychain-advice.ts';
import { loadSystemKeychain, type Keychain } from './keychain.ts';
import { KeychainKeyStore } from './keychain-key-store.ts';
import { MemoryKeyStore } from './memory-key-store.ts';
import { KeychainTrouble, TimedKeychain } from './timed-keychain.ts';

export interface OpenedKeyStore {
  readonly store: KeyStore;
  /** Why keys are not in the keychain, for their owner; `null` when they are. */
  readonly reason: Told | null;
}

export interface KeyStoreOptions {
  readonly clock: Clock;
  readonly loadKeychain?: () => Promise<Keychain>;
  /**
   * How long the keychain may take for one thing, in milliseconds. Long enough for its owner to
   * type a password into the prompt that it may show.
   */
  readonly timeoutMs?: number;
  readonly platform?: NodeJS.Platform;
}

const TIMEOUT_MS = 30_000;

/** No origin is called this, so that the trial does not touch a key. */
const TRIAL_ACCOUNT = 'trial';
const TRIAL_SECRET = 'This was written to try the keychain and can be deleted.';

/**
 * The system's keychain if it does what a keychain does (tried with a secret of no worth), or else
 * a store that forgets with this run (`abuse.md` 21).
 */
export async function openKeyStore({
  clock,
  loadKeychain = loadSystemKeychain,
  timeoutMs = TIMEOUT_MS,
  platform = process.platform,
}: KeyStoreOptions): Promise<OpenedKeyStore> {
  try {
    const keychain = await TimedKeychain.load(loadKeychain, clock, timeoutMs);
    await tryOut(keychain);
    return { store: new KeychainKeyStore(keychain), reason: null };
  } catch (error) {
    if (!(error instanceof KeychainTrouble)) throw error;
    const advice = keychainAdvice(platform, error.message);
    const parts = [error.told, tell('key-in-memory'), ...(advice === null ? [] : [advice])];
    const reason = tellAll(...parts);
    return { store: new MemoryKeyStore(reason), reason };
  }
}

async function tryOut(keychain: Keychain): Promise<void> {
  await keychain.write(TRIAL_ACCOUNT, TRIAL_SECRET);
  const read = await keychain.read(TRIAL_ACCOUNT);
  await keychain.remove(TRIAL_ACCOUNT);
  if (read !== TRIAL_SECRET || (await keychain.read(TRIAL_ACCOUNT)) !== null) {
    throw new KeychainTrouble(tell('keychain-disobeys'));
  }
}
