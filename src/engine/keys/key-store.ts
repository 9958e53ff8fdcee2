import { userMessage, joinMessages, type UserMessage } from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import {
  keychainAdvice,
  KeychainTrouble,
  loadSystemKeychain,
  loadTimed,
  type Keychain,
} from './keychain.ts';

/**
 * Where the API key is kept, by the origin it was entered for: a key is never sent to another one,
 * so changing the service's address cannot leak it. Methods reject with `KeychainTrouble` when a
 * keychain that could be used is locked or gone by now.
 */
export interface KeyStore {
  /** `memory` as long as there is no usable keychain: the key then lasts for this run only. */
  readonly keptIn: 'keychain' | 'memory';
  /** Why keys are not in the keychain, for the user; `null` when they are. */
  readonly reason: UserMessage | null;
  get(origin: string): Promise<string | null>;
  set(origin: string, key: string): Promise<void>;
  forget(origin: string): Promise<void>;
  /**
   * Tries again a keychain that could not be used so far. The system may then ask the user for
   * a password, so this is for moments in which the owner does something that needs a key.
   */
  tryAgain(): Promise<void>;
}

export interface KeyStoreOptions {
  readonly clock: Clock;
  readonly loadKeychain?: () => Promise<Keychain>;
  /**
   * How long the keychain may take for one thing, in milliseconds. Long enough for the user to
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
 * a store that forgets with this run, unless the keychain works when it is tried again (`abuse.md`
 * 21).
 */
export async function openKeyStore(options: KeyStoreOptions): Promise<KeyStore> {
  const store = new KeychainKeyStore(options);
  await store.tryKeychain();
  return store;
}

/**
 * Keys in the system's keychain, one entry an origin. As long as it cannot be used they are kept in
 * memory; what was entered and forgotten meanwhile is done in the keychain once it can.
 */
class KeychainKeyStore implements KeyStore {
  readonly #options: KeyStoreOptions;
  /** By origin; `null` for one that is to be forgotten. */
  readonly #meanwhile = new Map<string, string | null>();
  #keychain: Keychain | null = null;
  #reason: UserMessage | null = null;
  #trial: Promise<void> | null = null;

  constructor(options: KeyStoreOptions) {
    this.#options = options;
  }

  get keptIn(): 'keychain' | 'memory' {
    return this.#keychain ? 'keychain' : 'memory';
  }

  get reason(): UserMessage | null {
    return this.#reason;
  }

  get(origin: string): Promise<string | null> {
    return this.#keychain?.read(origin) ?? Promise.resolve(this.#meanwhile.get(origin) ?? null);
  }

  async set(origin: string, key: string): Promise<void> {
    if (this.#keychain) await this.#keychain.write(origin, key);
    else this.#meanwhile.set(origin, key);
  }

  async forget(origin: string): Promise<void> {
    if (this.#keychain) await this.#keychain.remove(origin);
    else this.#meanwhile.set(origin, null);
  }

  /** One trial at a time: each may show the user a prompt. */
  async tryAgain(): Promise<void> {
    if (this.#keychain) return;
    this.#trial ??= this.tryKeychain()
      .then(() => {
        if (this.#keychain) this.#options.onUsable?.();
      })
      .finally(() => {
        this.#trial = null;
      });
    await this.#trial;
  }

  /** Uses the keychain from now on, if it does what a keychain does. */
  async tryKeychain(): Promise<void> {
    const { clock, loadKeychain = loadSystemKeychain, timeoutMs = TIMEOUT_MS } = this.#options;
    try {
      const keychain = await loadTimed(loadKeychain, clock, timeoutMs);
      await tryOut(keychain);
      // What is done stays to be done until all is: it may be done twice.
      for (const [origin, key] of this.#meanwhile) {
        await (key === null ? keychain.remove(origin) : keychain.write(origin, key));
      }
      this.#keychain = keychain;
      this.#reason = null;
    } catch (error) {
      if (!(error instanceof KeychainTrouble)) throw error;
      this.#reason = this.#words(error);
    }
  }

  #words({ userMessage: reason, message }: KeychainTrouble): UserMessage {
    const advice = keychainAdvice(this.#options.platform ?? process.platform, message);
    return joinMessages(reason, userMessage('key-in-memory'), ...(advice === null ? [] : [advice]));
  }
}

async function tryOut(keychain: Keychain): Promise<void> {
  await keychain.write(TRIAL_ACCOUNT, TRIAL_SECRET);
  const read = await keychain.read(TRIAL_ACCOUNT);
  await keychain.remove(TRIAL_ACCOUNT);
  if (read !== TRIAL_SECRET || (await keychain.read(TRIAL_ACCOUNT)) !== null) {
    throw new KeychainTrouble(userMessage('keychain-disobeys'));
  }
}

/** Keys that are gone when this run ends, whatever keychain there is. */
export class MemoryKeyStore implements KeyStore {
  readonly keptIn = 'memory';
  readonly reason: UserMessage | null;
  readonly #keys = new Map<string, string>();

  /** @param reason why there is nothing better, if it is to be reported */
  constructor(reason: UserMessage | null = null) {
    this.reason = reason;
  }

  get(origin: string): Promise<string | null> {
    return Promise.resolve(this.#keys.get(origin) ?? null);
  }

  set(origin: string, key: string): Promise<void> {
    this.#keys.set(origin, key);
    return Promise.resolve();
  }

  forget(origin: string): Promise<void> {
    this.#keys.delete(origin);
    return Promise.resolve();
  }

  tryAgain(): Promise<void> {
    return Promise.resolve();
  }
}
