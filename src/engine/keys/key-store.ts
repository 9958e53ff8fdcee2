import { userMessage, joinMessages, type UserMessage } from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import { Serial } from '../serial.ts';
import {
  keychainAdvice,
  KeychainTrouble,
  loadSystemKeychain,
  loadTimed,
  type Keychain,
} from './keychain.ts';

/**
 * Stores the API key, by the origin that it was entered for: a key is never sent to another one, so
 * changing the service's address cannot leak it. Methods reject with `KeychainTrouble` when a
 * keychain that worked before is locked or gone. Changes take effect in the order of the calls, also
 * those that were rejected because they took too long.
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
   * Retries a keychain that has not worked so far. The system may ask the user for a password, so
   * call it only when the user does something that needs a key.
   */
  tryAgain(): Promise<void>;
}

export interface KeyStoreOptions {
  readonly clock: Clock;
  readonly loadKeychain?: () => Promise<Keychain>;
  /**
   * How long the keychain may take for one operation, in milliseconds. Long enough for the user to
   * type a password into a prompt.
   */
  readonly timeoutMs?: number;
  readonly platform?: NodeJS.Platform;
  /** Called when a keychain that did not work at first works. */
  readonly onUsable?: () => void;
}

const TIMEOUT_MS = 30_000;

/** No origin has this name, so that the test does not touch a key. */
const TRIAL_ACCOUNT = 'trial';
const TRIAL_SECRET = 'This was written to try the keychain and can be deleted.';

/**
 * The system's keychain if it works (tested with a worthless secret), or else a store in memory
 * that switches to the keychain once that works (`abuse.md` 21).
 */
export async function openKeyStore(options: KeyStoreOptions): Promise<KeyStore> {
  const store = new KeychainKeyStore(options);
  await store.tryKeychain();
  return store;
}

/**
 * Keys in the system's keychain, one entry per origin. As long as it does not work they are kept in
 * memory; keys that were entered and removed meanwhile are written to the keychain once it works.
 */
class KeychainKeyStore implements KeyStore {
  readonly #options: KeyStoreOptions;
  /** By origin; `null` for one that is to be removed. */
  readonly #inMemory = new Map<string, string | null>();
  readonly #calls = new Serial();
  #keychain: Keychain | null = null;
  /** One that keys were written to; it may store them although that took too long. */
  #written: Keychain | null = null;
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
    return this.#keychain?.read(origin) ?? Promise.resolve(this.#inMemory.get(origin) ?? null);
  }

  async set(origin: string, key: string): Promise<void> {
    if (this.#keychain) await this.#keychain.write(origin, key);
    else {
      this.#inMemory.set(origin, key);
      void this.#written?.write(origin, key).catch(() => undefined);
    }
  }

  async forget(origin: string): Promise<void> {
    if (this.#keychain) await this.#keychain.remove(origin);
    else {
      this.#inMemory.set(origin, null);
      void this.#written?.remove(origin).catch(() => undefined);
    }
  }

  /** One test at a time: each may show the user a prompt. */
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

  /** Uses the keychain from now on, if it works. */
  async tryKeychain(): Promise<void> {
    const { clock, loadKeychain = loadSystemKeychain, timeoutMs = TIMEOUT_MS } = this.#options;
    try {
      const keychain = await loadTimed(loadKeychain, clock, timeoutMs, this.#calls);
      await tryOut(keychain);
      // The user may enter or remove keys meanwhile; writing one twice does no harm.
      const stored = new Map<string, string | null>();
      for (let next = this.#notIn(stored); next; next = this.#notIn(stored)) {
        const [origin, key] = next;
        this.#written = keychain;
        await (key === null ? keychain.remove(origin) : keychain.write(origin, key));
        stored.set(origin, key);
      }
      this.#keychain = keychain;
      this.#reason = null;
    } catch (error) {
      if (!(error instanceof KeychainTrouble)) throw error;
      this.#reason = this.#reasonFor(error);
    }
  }

  /** An entry in memory that is not, or not as it is now, among these. */
  #notIn(
    stored: ReadonlyMap<string, string | null>,
  ): [origin: string, key: string | null] | undefined {
    return [...this.#inMemory].find(([origin, key]) => stored.get(origin) !== key);
  }

  #reasonFor({ userMessage: reason, message }: KeychainTrouble): UserMessage {
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

/** Keys that are lost when this run ends, even if there is a keychain. */
export class MemoryKeyStore implements KeyStore {
  readonly keptIn = 'memory';
  readonly reason: UserMessage | null;
  readonly #keys = new Map<string, string>();

  /** @param reason why there is no keychain, if it is to be reported */
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
