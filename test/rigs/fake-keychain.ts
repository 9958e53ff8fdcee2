import type { Keychain } from '../../src/engine/keys/keychain.ts';

/** `hang`: no call ends before this changes, such as while a prompt waits for the user. */
type Trouble = 'none' | 'locked' | 'hang' | 'ignores-writes' | 'ignores-removals';

/** A keychain in memory that misbehaves on demand. */
export class FakeKeychain implements Keychain {
  readonly secrets = new Map<string, string>();
  /** How often it was called. */
  calls = 0;
  #trouble: Trouble = 'none';
  #answer = Promise.withResolvers<undefined>();

  get trouble(): Trouble {
    return this.#trouble;
  }

  /** A change ends all calls that hang, as the answer to a keychain's prompt does. */
  set trouble(trouble: Trouble) {
    this.#trouble = trouble;
    this.#answer.resolve(undefined);
    this.#answer = Promise.withResolvers();
  }

  read(account: string): Promise<string | null> {
    return this.#do(() => this.secrets.get(account) ?? null);
  }

  write(account: string, secret: string): Promise<void> {
    return this.#do(() => {
      if (this.trouble !== 'ignores-writes') this.secrets.set(account, secret);
    });
  }

  remove(account: string): Promise<void> {
    return this.#do(() => {
      if (this.trouble !== 'ignores-removals') this.secrets.delete(account);
    });
  }

  async #do<T>(work: () => T): Promise<T> {
    this.calls += 1;
    while (this.#trouble === 'hang') await this.#answer.promise;
    switch (this.#trouble) {
      case 'locked':
        throw new Error('The keychain is locked.\nat line 3');
      case 'none':
      case 'ignores-writes':
      case 'ignores-removals':
        return work();
    }
  }
}
