import type { KeyStore } from './key-store.ts';
import type { Keychain } from './keychain.ts';

/**
 * Keys in the system's keychain, one entry an origin. Every method rejects with `KeychainTrouble`
 * when the keychain, which worked at the start, is locked or gone by now.
 */
export class KeychainKeyStore implements KeyStore {
  readonly keptIn = 'keychain';
  readonly reason = null;
  readonly #keychain: Keychain;

  constructor(keychain: Keychain) {
    this.#keychain = keychain;
  }

  get(origin: string): Promise<string | null> {
    return this.#keychain.read(origin);
  }

  set(origin: string, key: string): Promise<void> {
    return this.#keychain.write(origin, key);
  }

  forget(origin: string): Promise<void> {
    return this.#keychain.remove(origin);
  }

  tryAgain(): Promise<void> {
    return Promise.resolve();
  }
}
