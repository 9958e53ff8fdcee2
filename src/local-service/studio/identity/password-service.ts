import type { Account } from '../../accounts/account.ts';
import type { NewAccount } from '../../accounts/accounts.ts';
import type { HashParameters, PasswordRecords } from '../../accounts/password-records.ts';
import { DEFAULT_HASHING, hashPassword, isOutdated, isPassword } from './passwords.ts';

/** The passwords with which users sign in. */
export class PasswordService {
  readonly #records: PasswordRecords;
  readonly #hashing: HashParameters;

  /** @param hashing what passwords are hashed with from now on */
  constructor(records: PasswordRecords, hashing = DEFAULT_HASHING) {
    this.#records = records;
    this.#hashing = hashing;
  }

  /**
   * Opens an account with a password: both, or neither.
   *
   * @throws {DomainError} `ACCOUNT_EXISTS` when the e-mail address has an account.
   */
  async signUp(account: NewAccount, password: string): Promise<Account> {
    return this.#records.addAccount(account, await hashPassword(password, this.#hashing));
  }

  /** Gives the account this password in place of any other, and signs it out everywhere. */
  async set(account: Account, password: string): Promise<void> {
    await this.#records.replace(account, await hashPassword(password, this.#hashing));
  }

  /**
   * Whether an account with this address signs in with this password. A right password that was
   * hashed in another way than today's is hashed again.
   */
  async check(email: string, password: string): Promise<boolean> {
    const record = await this.#records.find(email);
    if (!(await isPassword(password, record?.stored, this.#hashing))) return false;
    if (record && isOutdated(record.stored, this.#hashing)) {
      await this.#records.rehash(record, await hashPassword(password, this.#hashing));
    }
    return true;
  }
}
