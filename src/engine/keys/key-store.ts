import type { Told } from '../../contract/told.ts';

/**
 * Where the API key is kept, by the origin it was entered for: a key is never sent to another one,
 * so changing the service's address cannot leak it.
 */
export interface KeyStore {
  /** `memory` when there is no usable keychain: the key then lasts for this run only. */
  readonly keptIn: 'keychain' | 'memory';
  /** Why keys are not in the keychain, for their owner; `null` when they are. */
  readonly reason: Told | null;
  get(origin: string): Promise<string | null>;
  set(origin: string, key: string): Promise<void>;
  forget(origin: string): Promise<void>;
}
