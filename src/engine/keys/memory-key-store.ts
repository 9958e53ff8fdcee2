import type { Told } from '../../contract/told.ts';
import type { KeyStore } from './key-store.ts';

/** Keys that are gone when this run ends. */
export class MemoryKeyStore implements KeyStore {
  readonly keptIn = 'memory';
  readonly reason: Told | null;
  readonly #keys = new Map<string, string>();

  /** @param reason why there is nothing better, if somebody is to be told */
  constructor(reason: Told | null = null) {
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
