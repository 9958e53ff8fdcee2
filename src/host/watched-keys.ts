import type { KeyStore } from '../engine/keys/key-store.ts';

/**
 * A key store that announces each key before it can be used, so that the log never contains one.
 *
 * @param onKey called with every key that is read or entered, of any service
 */
export function watchedKeys(keys: KeyStore, onKey: (key: string) => void): KeyStore {
  return {
    get keptIn() {
      return keys.keptIn;
    },
    get reason() {
      return keys.reason;
    },
    async get(origin) {
      const key = await keys.get(origin);
      if (key !== null) onKey(key);
      return key;
    },
    set(origin, key) {
      onKey(key);
      return keys.set(origin, key);
    },
    forget: (origin) => keys.forget(origin),
    tryAgain: () => keys.tryAgain(),
  };
}
