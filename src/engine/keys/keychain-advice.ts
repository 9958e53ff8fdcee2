import { tell, type Told } from '../../contract/told.ts';

/**
 * What an owner can do so that the keychain keeps keys; `null` on systems that always have one.
 *
 * @param trouble what the keychain, or the loading of its library, said
 */
export function keychainAdvice(platform: NodeJS.Platform, trouble: string): Told | null {
  if (platform !== 'linux') return null;
  return trouble.includes('libsecret') ? tell('install-libsecret') : tell('install-keyring');
}
