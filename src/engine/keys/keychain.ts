/** What Spool asks of the system's keychain. Secrets are filed under Spool's name and an account. */
export interface Keychain {
  /** `null` when there is none for this account. */
  read(account: string): Promise<string | null>;
  write(account: string, secret: string): Promise<void>;
  /** Deletes it, if it is there. */
  remove(account: string): Promise<void>;
}

/** The name under which the system's own keychain application lists Spool's secrets. */
const SERVICE = 'Spool';

/**
 * The keychain of macOS, Windows or a Linux desktop. Rejects where its native library cannot be
 * loaded, such as on a server without libsecret.
 */
export async function loadSystemKeychain(): Promise<Keychain> {
  const { default: keytar } = await import('keytar');
  return {
    read: (account) => keytar.getPassword(SERVICE, account),
    write: (account, secret) => keytar.setPassword(SERVICE, account, secret),
    async remove(account) {
      await keytar.deletePassword(SERVICE, account);
    },
  };
}
