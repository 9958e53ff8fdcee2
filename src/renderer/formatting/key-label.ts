import { KEY_PREFIX } from '../../contract/key-prefix.ts';

/** The longest that `contract/key-label.ts` lets pass. */
export const MAX_LABEL = 60;

/** A label as it was entered, for the contract; a field that was left empty is none. */
export function labelIn(entered: string): string | null {
  return entered.trim() === '' ? null : entered.trim();
}

/**
 * Whether the user entered a key where its label belongs, which is shown.
 *
 * @param key in the same form; without one, only keys of the documented form are recognised, and the
 *   engine refuses others
 */
export function isKey(entered: string, key = ''): boolean {
  const value = key.trim();
  return entered.includes(KEY_PREFIX) || (value !== '' && entered.includes(value));
}
