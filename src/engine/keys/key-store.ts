import type { Told } from '../../contract/told.ts';

/**
 * Where the API key is kept, by the origin it was entered for: a key is never sent to another one,
 * so changing the service's address cannot leak it.
 */
export interface KeyStore {
  /** `memory` as long as there is no usable keychain: the key then lasts for this run only. */
  readonly keptIn: 'keychain' | 'memory';
  /** Why keys are not in the keychain, for their owner; `null` when they are. */
  readonly reason: Told | null;
  get(origin: string): Promise<string | null>;
  set(origin: string, key: string): Promise<void>;
  forget(origin: string): Promise<void>;
  /**
   * Tries a keychain that could not be used so far once more. The system may then ask its owner for a
   * password, so this is for moments in which the owner does something that needs a key.
   */
  tryAgain(): Promise<void>;
}
