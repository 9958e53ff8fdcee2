import type { Keychain } from '../../src/engine/keys/keychain.ts';

/** A keychain in memory that misbehaves on demand. */
export class FakeKeychain implements Keychain {
  readonly secrets = new Map<string, string>();
  /** How often it was called. */
  asked = 0;
  /** Its fault; `hang` never answers. */
  trouble: 'none' | 'locked' | 'hang' | 'forgetful' | 'clinging' = 'none';

  read(account: string): Promise<string | null> {
    return this.#do(() => this.secrets.get(account) ?? null);
  }

  write(account: string, secret: string): Promise<void> {
    return this.#do(() => {
      if (this.trouble !== 'forgetful') this.secrets.set(account, secret);
    });
  }

  remove(account: string): Promise<void> {
    return this.#do(() => {
      if (this.trouble !== 'clinging') this.secrets.delete(account);
    });
  }

  #do<T>(work: () => T): Promise<T> {
    this.asked += 1;
    switch (this.trouble) {
      case 'hang':
        return new Promise(() => undefined);
      case 'locked':
        return Promise.reject(new Error('The keychain is locked.\nat line 3'));
      case 'none':
      case 'forgetful':
      case 'clinging':
        return Promise.resolve(work());
    }
  }
}
