import { KEY_PREFIX } from '../../contract/key-prefix.ts';

/** The longest that `contract/key-label.ts` lets pass. */
export const MAX_LABEL = 60;

/** A label as it was entered, for the contract; a field that was left empty is none. */
export function labelIn(entered: string): string | null {
  return entered.trim() === '' ? null : entered.trim();
}

/** Whether somebody entered a key where its label belongs, which is shown. */
export function isKey(entered: string): boolean {
  return entered.includes(KEY_PREFIX);
}
