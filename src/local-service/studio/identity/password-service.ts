import type { Account } from '../../accounts/account.ts';
import type { NewAccount } from '../../accounts/accounts.ts';
import type { HashParameters, PasswordRecords } from '../../accounts/password-records.ts';
import { DEFAULT_HASHING, hashPassword, isOutdated, isPassword } from './passwords.ts';

/** Sets and checks the passwords that users sign in with. */
export class PasswordService {
  readonly #records: PasswordRecords;
  readonly #hashing: HashParameters;

  /** @param hashing parameters for new hashes */
  constructor(records: PasswordRecords, hashing = DEFAULT_HASHING) {
    this.#records = records;
    this.#hashing = hashing;
  }

  /**
   * Adds an account with a password, in one transaction.
   *
   * @throws {DomainError} `ACCOUNT_EXISTS` when the e-mail address has an account.
   */
  async signUp(account: NewAccount, password: string): Promise<Account> {
    return this.#records.addAccount(account, await hashPassword(password, this.#hashing));
  }

  /** Replaces the account's password, and ends all its sessions. */
  async set(account: Account, password: string): Promise<void> {
    await this.#records.replace(account, await hashPassword(password, this.#hashing));
  }

  /**
   * Whether the password of the account with this address is correct. If its hash has outdated
   * parameters, a correct password is hashed again.
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
