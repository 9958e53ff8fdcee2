/** The prefix of every key of the service (service-api.md §2.1). */
export const KEY_PREFIX = 'svc_live_';

/** Whether a text can be a key: other characters could end the header that contains it. */
export function isPossibleKey(value: string): boolean {
  return /^[\x21-\x7e]{1,500}$/.test(value);
}
