/**
 * What an owner can do so that the keychain keeps keys; `null` on systems that always have one.
 *
 * @param trouble what the keychain, or the loading of its library, said
 */
export function keychainAdvice(platform: NodeJS.Platform, trouble: string): string | null {
  if (platform !== 'linux') return null;
  return trouble.includes('libsecret')
    ? 'Install libsecret (Debian and Ubuntu call it libsecret-1-0) and start Spool again.'
    : 'Install GNOME Keyring or KWallet if there is neither, unlock it, and start Spool again.';
}
