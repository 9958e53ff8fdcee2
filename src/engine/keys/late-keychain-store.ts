import type { Told } from '../../contract/told.ts';
import type { KeyStore } from './key-store.ts';
import type { Keychain } from './keychain.ts';
import { KeychainKeyStore } from './keychain-key-store.ts';
import { KeychainTrouble } from './timed-keychain.ts';

export interface LateKeychainParts {
  /** Rejects with `KeychainTrouble` as long as the keychain does not do what a keychain does. */
  readonly open: () => Promise<Keychain>;
  /** What is told of a keychain that cannot be used. */
  readonly words: (trouble: KeychainTrouble) => Told;
  /** Called once it can be used after all. */
  readonly onUsable: () => void;
}

/**
 * Keys of a computer whose keychain could not be used so far: they are kept in memory, until it is
 * tried again and works. What was entered and forgotten meanwhile is then done in the keychain.
 */
export class LateKeychainStore implements KeyStore {
  readonly #parts: LateKeychainParts;
  /** By origin; `null` for one that is to be forgotten. */
  readonly #meanwhile = new Map<string, string | null>();
  #reason: Told | null;
  #kept: KeychainKeyStore | null = null;
  #trial: Promise<void> | null = null;

  constructor(trouble: KeychainTrouble, parts: LateKeychainParts) {
    this.#parts = parts;
    this.#reason = parts.words(trouble);
  }

  get keptIn(): 'keychain' | 'memory' {
    return this.#kept ? 'keychain' : 'memory';
  }

  get reason(): Told | null {
    return this.#reason;
  }

  get(origin: string): Promise<string | null> {
    return this.#kept?.get(origin) ?? Promise.resolve(this.#meanwhile.get(origin) ?? null);
  }

  async set(origin: string, key: string): Promise<void> {
    if (this.#kept) await this.#kept.set(origin, key);
    else this.#meanwhile.set(origin, key);
  }

  async forget(origin: string): Promise<void> {
    if (this.#kept) await this.#kept.forget(origin);
    else this.#meanwhile.set(origin, null);
  }

  /** One trial at a time: each may show its owner a prompt. */
  async tryAgain(): Promise<void> {
    if (this.#kept) return;
    this.#trial ??= this.#try().finally(() => {
      this.#trial = null;
    });
    await this.#trial;
  }

  async #try(): Promise<void> {
    try {
      const store = new KeychainKeyStore(await this.#parts.open());
      // What is done stays to be done until all is: it may be done twice.
      for (const [origin, key] of this.#meanwhile) {
        await (key === null ? store.forget(origin) : store.set(origin, key));
      }
      this.#kept = store;
      this.#reason = null;
    } catch (error) {
      if (!(error instanceof KeychainTrouble)) throw error;
      this.#reason = this.#parts.words(error);
      return;
    }
    this.#parts.onUsable();
  }
}
