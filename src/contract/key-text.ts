/** The prefix of every key of the service (service-api.md §2.1). */
export const KEY_PREFIX = 'svc_live_';

/** Of the name that a user gives a key, in UTF-16 code units, like `maxlength` of a field. */
export const MAX_LABEL = 60;

/** Whether a text that is shown contains no key (`abuse.md` 17). */
export function isNoKey(text: string): boolean {
  return !text.includes(KEY_PREFIX);
}

/** Whether a text can be a key: other characters could end the header that contains it. */
export function isPossibleKey(value: string): boolean {
  return /^[\x21-\x7e]{1,500}$/.test(value);
}
