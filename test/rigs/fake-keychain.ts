import type { Keychain } from '../../src/engine/keys/keychain.ts';

/** A keychain in memory that misbehaves on demand. */
export class FakeKeychain implements Keychain {
  readonly secrets = new Map<string, string>();
  /** How often it was called. */
  calls = 0;
  /** `hang`: no call ever ends. */
  trouble: 'none' | 'locked' | 'hang' | 'ignores-writes' | 'ignores-removals' = 'none';

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

  #do<T>(work: () => T): Promise<T> {
    this.calls += 1;
    switch (this.trouble) {
      case 'hang':
        return new Promise(() => undefined);
      case 'locked':
        return Promise.reject(new Error('The keychain is locked.\nat line 3'));
      case 'none':
      case 'ignores-writes':
      case 'ignores-removals':
        return Promise.resolve(work());
    }
  }
}
