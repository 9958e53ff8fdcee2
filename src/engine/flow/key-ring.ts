import type { KeyStatus } from '../../contract/summary.ts';
import type { KeyStore } from '../keys/key-store.ts';

/**
 * The one key of this engine, as it was entered for its service's origin, and what the service has
 * said of it. Shows at most its last four characters.
 */
export class KeyRing {
  readonly #keys: KeyStore;
  readonly #origin: string;
  #value: string | null;
  #state: 'untested' | 'accepted' | 'refused' = 'untested';

  private constructor(keys: KeyStore, origin: string, value: string | null) {
    this.#keys = keys;
    this.#origin = origin;
    this.#value = value;
  }

  static async open(keys: KeyStore, origin: string): Promise<KeyRing> {
    return new KeyRing(keys, origin, await keys.get(origin));
  }

  /** The key, for requests to its own origin and to nobody else (abuse case: the address changed). */
  readonly forOrigin = (origin: string): string | null =>
    origin === this.#origin ? this.#value : null;

  get status(): KeyStatus {
    return {
      state: this.#value === null ? 'absent' : this.#state,
      origin: this.#origin,
      lastFour: this.#value === null || this.#value.length < 12 ? null : this.#value.slice(-4),
      keptIn: this.#value === null ? null : this.#keys.keptIn,
    };
  }

  /** True when requests may be made with it. */
  get isUsable(): boolean {
    return this.#value !== null && this.#state !== 'refused';
  }

  async set(value: string): Promise<void> {
    await this.#keys.set(this.#origin, value);
    this.#value = value;
    this.#state = 'untested';
  }

  async forget(): Promise<void> {
    await this.#keys.forget(this.#origin);
    this.#value = null;
  }

  /** Returns whether this is news. */
  heard(state: 'accepted' | 'refused'): boolean {
    const isNews = this.#state !== state;
    this.#state = state;
    return isNews;
  }
}
