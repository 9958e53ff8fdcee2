import { originOf } from '../../contract/service-id.ts';
import type { KeyStatus } from '../../contract/summary.ts';
import { userMessage, joinMessages, type UserMessage } from '../../contract/user-message.ts';
import { EngineError } from '../engine-error.ts';
import { NO_NOTE, type KeyNote, type KeyNotes } from '../keys/key-notes.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { KeychainTrouble } from '../keys/keychain.ts';

/**
 * The one key of this engine, as it was entered for its service's origin, and whether the service
 * accepts it. Shows at most its last four characters.
 *
 * A keychain may become locked while Spool runs. A key that was read or entered stays in memory
 * then, and the error is reported (`abuse.md` 21).
 */
export class ApiKey {
  readonly #keys: KeyStore;
  readonly #notes: KeyNotes;
  readonly #origin: string;
  #value: string | null = null;
  #state: 'untested' | 'accepted' | 'refused' = 'untested';
  /** The operation that the keychain refused, to be retried. */
  #pending: 'read' | 'write' | null = 'read';
  #trouble: UserMessage | null = null;
  /** How often the key was entered or removed. */
  #changes = 0;
  #note: KeyNote;

  private constructor(keys: KeyStore, notes: KeyNotes, origin: string) {
    this.#keys = keys;
    this.#notes = notes;
    this.#origin = origin;
    this.#note = notes.read(origin);
  }

  static async open(keys: KeyStore, notes: KeyNotes, origin: string): Promise<ApiKey> {
    const apiKey = new ApiKey(keys, notes, origin);
    await apiKey.#runPending();
    return apiKey;
  }

  /** Without reading the keychain, for a session that makes no request; `catchUp` reads it. */
  static unread(keys: KeyStore, notes: KeyNotes, origin: string): ApiKey {
    return new ApiKey(keys, notes, origin);
  }

  /**
   * The key, for requests to its own origin and to no other (abuse case: the address changed).
   */
  readonly forOrigin = (origin: string): string | null =>
    origin === originOf(this.#origin) ? this.#value : null;

  get status(): KeyStatus {
    const isKept = this.#pending === null;
    return {
      state: this.#value === null ? 'absent' : this.#state,
      origin: this.#origin,
      lastFour: this.#value === null || this.#value.length < 12 ? null : this.#value.slice(-4),
      ...(this.#value === null ? { since: null, label: null } : this.#note),
      keptIn: this.#value === null ? null : isKept ? this.#keys.keptIn : 'memory',
      trouble: this.#trouble ?? this.#keys.reason,
    };
  }

  /**
   * When the key was entered, also if it was not read from the keychain; `null` when that was not
   * recorded. It differs between two keys.
   */
  get enteredAt(): number | null {
    return this.#note.since;
  }

  /** How often the key was entered, renewed or removed in this session. */
  get changes(): number {
    return this.#changes;
  }

  /** True when requests may be made with it. */
  get isUsable(): boolean {
    return this.#value !== null && this.#state !== 'refused';
  }

  /**
   * Uses the key from now on, and stores it if the keychain accepts it.
   * @param isAccepted whether the service has accepted it
   */
  async set(value: string, note: KeyNote, isAccepted = false): Promise<void> {
    this.#changes += 1;
    this.#value = value;
    this.#state = isAccepted ? 'accepted' : 'untested';
    this.#pending = 'write';
    this.#write(note);
    await this.catchUp();
  }

  /** Whether a text that will be shown contains the key. */
  isPartOf(text: string | null): boolean {
    return this.#value !== null && text?.includes(this.#value) === true;
  }

  /** Renames the key; without a key there is nothing to rename. */
  rename(label: string | null): void {
    if (this.#value !== null) this.#write({ ...this.#note, label });
  }

  /**
   * Retries the operation that the keychain refused. The keychain may ask the user for a password,
   * so call it only when the user does something that needs the key.
   */
  async catchUp(): Promise<void> {
    const { keptIn } = this.#keys;
    const trouble = await troubleIn(() => this.#keys.tryAgain());
    // A key that was entered here is in the keychain by now; without one, there may be an older
    // one.
    if (trouble === null && this.#keys.keptIn !== keptIn && this.#value === null) {
      this.#pending = 'read';
    }
    await this.#runPending();
  }

  async #runPending(): Promise<void> {
    const pending = this.#pending;
    if (pending === null) return;
    const changes = this.#changes;
    const trouble = await troubleIn(async () => {
      if (pending === 'write' && this.#value !== null)
        await this.#keys.set(this.#origin, this.#value);
      if (pending === 'read') {
        const kept = await this.#keys.get(this.#origin);
        // The user may have entered another key while the keychain asked for a password.
        if (changes === this.#changes) this.#value = kept;
      }
    });
    if (changes !== this.#changes) return;
    if (trouble === null) this.#pending = null;
    this.#trouble = trouble && joinMessages(trouble.userMessage, consequence(pending));
  }

  /**
   * Stops using the key, even if the keychain refuses to delete it.
   * @throws {EngineError} `keychain-unusable` when the keychain still has it
   */
  async forget(): Promise<void> {
    this.#changes += 1;
    this.#value = null;
    this.#pending = null;
    this.#trouble = null;
    this.#note = NO_NOTE;
    this.#notes.remove(this.#origin);
    const trouble = await troubleIn(() => this.#keys.forget(this.#origin));
    if (trouble === null) return;
    const message = joinMessages(trouble.userMessage, userMessage('key-may-remain'));
    throw new EngineError({ code: 'keychain-unusable', ...message }, { cause: trouble });
  }

  /**
   * Call it when a request is made with the key; report the service's answer to the returned
   * function. The answer is ignored if another key was entered meanwhile.
   */
  beginUse(): (said: 'accepted' | 'refused') => void {
    const tried = this.#changes;
    return (said) => {
      if (tried === this.#changes) this.#state = said;
    };
  }

  #write(note: KeyNote): void {
    this.#note = note;
    this.#notes.write(this.#origin, note);
  }
}

function consequence(pending: 'read' | 'write'): UserMessage {
  return pending === 'read' ? userMessage('keychain-unlock') : userMessage('key-in-memory');
}

async function troubleIn(work: () => Promise<void>): Promise<KeychainTrouble | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof KeychainTrouble) return error;
    throw error;
  }
}
