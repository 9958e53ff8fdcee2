import { KEY_PREFIX } from '../../contract/key-text.ts';

/** An entered label as the contract takes it; `null` for an empty field. */
export function labelIn(entered: string): string | null {
  return entered.trim() === '' ? null : entered.trim();
}

/**
 * Whether the user entered a key in the field for its label, which is shown in plain text.
 *
 * @param key the content of the field for the key; without it, only keys of the documented format
 *   are recognised, and the engine refuses others
 */
export function isKey(entered: string, key = ''): boolean {
  const value = key.trim();
  return entered.includes(KEY_PREFIX) || (value !== '' && entered.includes(value));
}
