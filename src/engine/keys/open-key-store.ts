import { tell, tellAll, type Told } from '../../contract/told.ts';
import type { Clock } from '../clock.ts';
import type { KeyStore } from './key-store.ts';
import { keychainAdvice } from './keychain-advice.ts';
import { loadSystemKeychain, type Keychain } from './keychain.ts';
import { KeychainKeyStore } from './keychain-key-store.ts';
import { LateKeychainStore } from './late-keychain-store.ts';
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
  /** Called when a keychain that could not be used at first can be after all. */
  readonly onUsable?: () => void;
}

const TIMEOUT_MS = 30_000;

/** No origin is called this, so that the trial does not touch a key. */
const TRIAL_ACCOUNT = 'trial';
const TRIAL_SECRET = 'This was written to try the keychain and can be deleted.';

/**
 * The system's keychain if it does what a keychain does (tried with a secret of no worth), or else
 * a store that forgets with this run, unless the keychain works when it is tried again (`abuse.md` 21).
 */
export async function openKeyStore({
  clock,
  loadKeychain = loadSystemKeychain,
  timeoutMs = TIMEOUT_MS,
  platform = process.platform,
  onUsable = () => undefined,
}: KeyStoreOptions): Promise<OpenedKeyStore> {
  async function open(): Promise<Keychain> {
    const keychain = await TimedKeychain.load(loadKeychain, clock, timeoutMs);
    await tryOut(keychain);
    return keychain;
  }
  try {
    return { store: new KeychainKeyStore(await open()), reason: null };
  } catch (error) {
    if (!(error instanceof KeychainTrouble)) throw error;
    const words = (trouble: KeychainTrouble): Told => wordsOf(trouble, platform);
    const store = new LateKeychainStore(error, { open, words, onUsable });
    return { store, reason: words(error) };
  }
}

function wordsOf({ told, message }: KeychainTrouble, platform: NodeJS.Platform): Told {
  const advice = keychainAdvice(platform, message);
  return tellAll(told, tell('key-in-memory'), ...(advice === null ? [] : [advice]));
}

async function tryOut(keychain: Keychain): Promise<void> {
  await keychain.write(TRIAL_ACCOUNT, TRIAL_SECRET);
  const read = await keychain.read(TRIAL_ACCOUNT);
  await keychain.remove(TRIAL_ACCOUNT);
  if (read !== TRIAL_SECRET || (await keychain.read(TRIAL_ACCOUNT)) !== null) {
    throw new KeychainTrouble(tell('keychain-disobeys'));
  }
}
